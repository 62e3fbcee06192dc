#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace lakeward::net {

/// One accepted connection of a LoopbackServer, for the thread that serves it.
class LoopbackConnection {
 public:
  virtual ~LoopbackConnection() = default;

  /// Head and body of the next request, as they came; empty when the client is gone.
  virtual std::string ReadRequest() = 0;
  /// Only what has come so far, at most `length` bytes; empty when the client is gone.
  virtual std::string ReadSome(size_t length) = 0;
  virtual void Send(std::string_view bytes) = 0;
  /// Ends the connection with a reset instead of an orderly close.
  virtual void Reset() = 0;
  /// Blocks until the client has closed the connection.
  virtual void AwaitClose() = 0;
};

/// An answer with the right Content-Length.
std::string HttpAnswer(std::string_view status_line, std::string_view body,
                       std::string_view more_headers = "");

/// A server on 127.0.0.1. Each connection gets a thread that runs `serve` once; at its end the
/// connection is closed. The destructor stops accepting and waits for the threads.
class LoopbackServer {
 public:
  using Serve = std::function<void(LoopbackConnection&)>;

  enum class Security { kPlain, kTls };

  explicit LoopbackServer(Serve serve, Security security = Security::kPlain);
  ~LoopbackServer();
  LoopbackServer(const LoopbackServer&) = delete;
  LoopbackServer& operator=(const LoopbackServer&) = delete;

  int port() const;
  int connection_count() const;
  /// "http://127.0.0.1:<port>", https with TLS.
  std::string url() const;
  /// The server's certificate for "127.0.0.1" as PEM; it is its own authority.
  std::string certificate() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// A port of 127.0.0.1 on which nobody listens.
int UnusedPort();

}  // namespace lakeward::net
