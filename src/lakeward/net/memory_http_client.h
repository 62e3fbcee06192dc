#pragma once

#include <functional>
#include <string>

#include "lakeward/net/http_client.h"

namespace lakeward::net {

/// An HttpClient whose other side is a function in this process, for tests and simulations.
/// Thread-safe when the function is.
class MemoryHttpClient final : public HttpClient {
 public:
  /// Gets each request with its whole body in `body`; the body of its answer goes to the request's
  /// sink as a real client would do it.
  using Server = std::function<HttpOutcome(const HttpRequest& request)>;

  explicit MemoryHttpClient(Server server);
  HttpOutcome Send(const HttpRequest& request) override;

 private:
  const Server server_;
};

}  // namespace lakeward::net
