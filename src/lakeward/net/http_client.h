#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "lakeward/base/secret.h"
#include "lakeward/base/status.h"
#include "lakeward/net/http_headers.h"

namespace lakeward::net {

enum class HttpMethod { kGet, kHead, kPut, kPost, kDelete };

/// "GET" …
std::string_view ToText(HttpMethod method);

/// One request. What it points to must live until Send returns.
struct HttpRequest {
  HttpMethod method = HttpMethod::kGet;
  /// Absolute, already percent-encoded; goes out as it is, "/./" and "//" included.
  std::string url;
  /// Without Host and Content-Length, which the client adds.
  HttpHeaders headers;
  std::string_view body;
  /// Gives a body piece by piece instead: fills at most `length` bytes of `target` and returns how
  /// many. Exactly `body_reader_bytes` bytes are asked for; an error ends the request.
  std::function<Result<int64_t>(char* target, int64_t length)> body_reader;
  int64_t body_reader_bytes = 0;
  /// Takes the body of a 2xx answer piece by piece; an error ends the request. Other answers, and
  /// all without a sink, are collected in HttpResponse::body.
  std::function<Status(std::string_view piece)> body_sink;
  /// For the whole request; 0: no limit.
  int64_t total_timeout_ms = 0;
  /// Instead of the client's own; 0: the client's.
  int64_t connect_timeout_ms = 0;
  int64_t stall_timeout_ms = 0;
};

struct HttpResponse {
  int status_code = 0;
  HttpHeaders headers;
  std::string body;

  bool is_success() const { return status_code >= 200 && status_code < 300; }
};

/// Why there is no (whole) answer.
enum class HttpFailureKind {
  kMalformedUrl,
  kUnknownHost,           ///< the name of host or proxy cannot be resolved
  kRefused,               ///< nobody listens there
  kUnreachable,           ///< no route, or no connection for another reason
  kConnectTimeout,        ///< no connection within the connect timeout
  kTlsMismatch,           ///< the other side does not speak TLS, or not a version that we do
  kUntrustedCertificate,  ///< unknown authority, wrong name, expired
  kBadCaFile,             ///< our file of authorities cannot be read
  kNotHttp,               ///< the other side answers something else than HTTP (TLS, perhaps)
  kTotalTimeout,
  kStalled,  ///< no byte in either direction for the stall timeout
  kReset,    ///< the connection ended before an answer
  kCutBody,  ///< the connection ended inside the answer's body
  kCaller,   ///< body_reader or body_sink failed; see `caller_status`
  kOther,
};

struct HttpFailure {
  HttpFailureKind kind = HttpFailureKind::kOther;
  std::string message;  ///< in the library's words, without URL
  /// Whether the other side may have done what was asked.
  bool maybe_processed = false;
  Status caller_status;  ///< with kCaller: the error
};

/// What became of a request: a response of any status code, or a failure.
struct HttpOutcome {
  HttpResponse response;  ///< without failure: the answer
  std::optional<HttpFailure> failure;

  static HttpOutcome Of(int status_code, std::string body = "", HttpHeaders headers = {});
  static HttpOutcome OfFailure(HttpFailureKind kind, std::string message,
                               bool maybe_processed = false);
};

/// "GET http://…/path: connection refused (…)" as an error of kind kIo (kConfig for a bad URL or CA
/// file), for callers without an explanation of their own. The query of the URL is left out: it may
/// hold secrets.
Status FailureStatus(const HttpRequest& request, const HttpFailure& failure);

/// Sends HTTP/1.1 requests. Redirects are not followed, nothing is sent twice, bodies are not
/// compressed. Thread-safe; Send blocks.
class HttpClient {
 public:
  virtual ~HttpClient() = default;
  virtual HttpOutcome Send(const HttpRequest& request) = 0;
};

struct HttpClientOptions {
  int64_t connect_timeout_ms = 5'000;  ///< TLS handshake included
  int64_t stall_timeout_ms = 30'000;   ///< measured in whole seconds
  int64_t idle_connection_ms = 60'000;
  int idle_connections_max = 64;
  std::string ca_file;  ///< PEM; empty: the system's authorities
  /// "http://host:port"; empty: none; not set: the environment's http_proxy, https_proxy, no_proxy.
  std::optional<std::string> proxy_url;
  std::string proxy_user_name;
  Secret proxy_password;
  std::string user_agent = "lakeward";
};

/// A client over libcurl with a pool of connections.
std::shared_ptr<HttpClient> MakeHttpClient(HttpClientOptions options);

}  // namespace lakeward::net
