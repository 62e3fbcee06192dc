#include "lakeward/net/http_client.h"

#include <utility>

#include "fmt/format.h"

namespace lakeward::net {
namespace {

std::string_view Words(HttpFailureKind kind) {
  switch (kind) {
    case HttpFailureKind::kMalformedUrl:
      return "this is no URL";
    case HttpFailureKind::kUnknownHost:
      return "the host's name is unknown";
    case HttpFailureKind::kRefused:
      return "the connection was refused";
    case HttpFailureKind::kUnreachable:
      return "the host cannot be reached";
    case HttpFailureKind::kConnectTimeout:
      return "no connection came about in time";
    case HttpFailureKind::kTlsMismatch:
      return "no TLS connection could be agreed on";
    case HttpFailureKind::kUntrustedCertificate:
      return "the server's certificate is not trusted";
    case HttpFailureKind::kBadCaFile:
      return "the file of certificate authorities cannot be used";
    case HttpFailureKind::kNotHttp:
      return "the answer is not HTTP";
    case HttpFailureKind::kTotalTimeout:
      return "the answer did not come in time";
    case HttpFailureKind::kStalled:
      return "nothing was sent or received for too long";
    case HttpFailureKind::kReset:
      return "the connection ended before an answer came";
    case HttpFailureKind::kCutBody:
      return "the connection ended inside the answer";
    case HttpFailureKind::kCaller:
    case HttpFailureKind::kOther:
      break;
  }
  return "the request failed";
}

}  // namespace

std::string_view ToText(HttpMethod method) {
  switch (method) {
    case HttpMethod::kGet:
      return "GET";
    case HttpMethod::kHead:
      return "HEAD";
    case HttpMethod::kPut:
      return "PUT";
    case HttpMethod::kPost:
      return "POST";
    case HttpMethod::kDelete:
      return "DELETE";
  }
  return "GET";
}

HttpOutcome HttpOutcome::Of(int status_code, std::string body, HttpHeaders headers) {
  HttpOutcome outcome;
  outcome.response = {status_code, std::move(headers), std::move(body)};
  return outcome;
}

HttpOutcome HttpOutcome::OfFailure(HttpFailureKind kind, std::string message,
                                   bool maybe_processed) {
  HttpOutcome outcome;
  outcome.failure.emplace();
  outcome.failure->kind = kind;
  outcome.failure->message = std::move(message);
  outcome.failure->maybe_processed = maybe_processed;
  return outcome;
}

Status FailureStatus(const HttpRequest& request, const HttpFailure& failure) {
  if (failure.kind == HttpFailureKind::kCaller) {
    return failure.caller_status;
  }
  const bool is_config =
      failure.kind == HttpFailureKind::kMalformedUrl || failure.kind == HttpFailureKind::kBadCaFile;
  return MakeError(is_config ? ErrorKind::kConfig : ErrorKind::kIo,
                   fmt::format("{} {}: {} ({})", ToText(request.method),
                               request.url.substr(0, request.url.find('?')), Words(failure.kind),
                               failure.message));
}

}  // namespace lakeward::net
