#include "lakeward/net/memory_http_client.h"

#include <algorithm>
#include <utility>

namespace lakeward::net {
namespace {

// Bodies travel in pieces of this size, so that callers meet more than one.
constexpr size_t kPieceBytes = 16 << 10;

HttpOutcome OfCaller(Status status) {
  HttpOutcome outcome = HttpOutcome::OfFailure(HttpFailureKind::kCaller, "", true);
  outcome.failure->caller_status = std::move(status);
  return outcome;
}

Result<std::string> ReadBody(const HttpRequest& request) {
  std::string body(static_cast<size_t>(request.body_reader_bytes), '\0');
  for (size_t done = 0; done < body.size();) {
    const size_t wanted = std::min(kPieceBytes, body.size() - done);
    LW_ASSIGN(const int64_t count,
              request.body_reader(body.data() + done, static_cast<int64_t>(wanted)));
    if (count <= 0) {
      return MakeError(ErrorKind::kInternal, "The body of a request is shorter than announced");
    }
    done += static_cast<size_t>(count);
  }
  return body;
}

}  // namespace

MemoryHttpClient::MemoryHttpClient(Server server) : server_(std::move(server)) {}

HttpOutcome MemoryHttpClient::Send(const HttpRequest& request) {
  HttpRequest whole = request;
  std::string body;
  if (request.body_reader) {
    Result<std::string> read = ReadBody(request);
    if (!read.ok()) {
      return OfCaller(read.status());
    }
    body = *std::move(read);
    whole.body = body;
  }
  HttpOutcome outcome = server_(whole);
  if (request.method == HttpMethod::kHead) {
    outcome.response.body.clear();
  }
  if (request.body_sink && outcome.response.is_success()) {
    const std::string received = std::exchange(outcome.response.body, "");
    for (size_t start = 0; start < received.size(); start += kPieceBytes) {
      const Status status =
          request.body_sink(std::string_view(received).substr(start, kPieceBytes));
      if (!status.ok()) {
        return OfCaller(status);
      }
    }
  }
  return outcome;
}

}  // namespace lakeward::net
