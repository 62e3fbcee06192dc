#include "lakeward/fs/s3/s3_error.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "fmt/format.h"
#include "lakeward/aws/xml.h"

namespace lakeward::fs {
namespace {

using net::HttpFailureKind;

constexpr size_t kQuotedBodyMax = 200;

template <size_t N>
bool IsOneOf(std::string_view code, const std::array<std::string_view, N>& codes) {
  return std::find(codes.begin(), codes.end(), code) != codes.end();
}

constexpr std::array<std::string_view, 4> kExpiredCodes{"ExpiredToken", "TokenRefreshRequired",
                                                        "InvalidToken", "ExpiredTokenException"};
constexpr std::array<std::string_view, 2> kClockCodes{"RequestTimeTooSkewed", "RequestExpired"};
constexpr std::array<std::string_view, 8> kBusyCodes{
    "InternalError",           "SlowDown",   "ServiceUnavailable",  "RequestTimeout",
    "RequestTimeoutException", "Throttling", "ThrottlingException", "OperationAborted"};

S3Trouble JudgeTransport(HttpFailureKind kind) {
  switch (kind) {
    case HttpFailureKind::kUnknownHost:
    case HttpFailureKind::kRefused:
    case HttpFailureKind::kUnreachable:
    case HttpFailureKind::kConnectTimeout:
    case HttpFailureKind::kTlsMismatch:
    case HttpFailureKind::kNotHttp:
      return S3Trouble::kSetup;
    case HttpFailureKind::kMalformedUrl:
    case HttpFailureKind::kBadCaFile:
    case HttpFailureKind::kUntrustedCertificate:
    case HttpFailureKind::kCaller:
      return S3Trouble::kFinal;
    case HttpFailureKind::kTotalTimeout:
    case HttpFailureKind::kStalled:
    case HttpFailureKind::kReset:
    case HttpFailureKind::kCutBody:
    case HttpFailureKind::kOther:
      break;
  }
  return S3Trouble::kConnection;
}

// A server that speaks TLS and was spoken to without, in the words of Go's and of nginx.
bool WantsTls(const net::HttpResponse& response) {
  return response.status_code == 400 &&
         (response.body.find("to an HTTPS server") != std::string::npos ||
          response.body.find("sent to HTTPS port") != std::string::npos);
}

std::string TextOfAnswer(const S3Failure& failure) {
  const net::HttpResponse& response = failure.outcome->response;
  std::string text = fmt::format("HTTP status {}", response.status_code);
  if (!failure.error.code.empty()) {
    text = fmt::format("{}: {} ({})", failure.error.code, failure.error.message, text);
  } else if (!response.body.empty()) {
    std::string quoted = response.body.substr(0, kQuotedBodyMax);
    std::replace(quoted.begin(), quoted.end(), '\n', ' ');
    text = fmt::format("{}: {}", text, quoted);
  }
  if (!failure.error.request_id.empty()) {
    text += fmt::format(", request id {}", failure.error.request_id);
  }
  return text;
}

std::string EndpointText(const S3Settings& settings) {
  return settings.endpoint.has_value()
             ? fmt::format("'fs.s3a.endpoint' comes from {}", settings.endpoint->origin)
             : std::string("no 'fs.s3a.endpoint' is set, so Amazon's is asked");
}

// Requests that go to the bucket as a host name of a store that is not Amazon's often end at the
// wrong place; what that place answers can be anything.
std::string StyleHint(const S3Failure& failure, const S3Settings& settings) {
  const bool is_suspect = !settings.path_style.value && settings.endpoint.has_value() &&
                          !RegionOfAmazonHost(settings.endpoint->value.host).has_value();
  return is_suspect ? fmt::format(
                          "Path style is off ({}), so requests went to the host {}. Most stores "
                          "want 'fs.s3a.path.style.access' set to true.",
                          settings.path_style.origin, failure.host)
                    : std::string();
}

std::string Either(std::string first, std::string second) {
  return first.empty() ? std::move(second) : std::move(first);
}

struct Explanation {
  ErrorKind kind = ErrorKind::kIo;
  std::string cause;
  std::string remedy;
};

Explanation ExplainTransport(const S3Failure& failure, const S3Settings& settings) {
  const net::HttpFailure& transport = *failure.outcome->failure;
  const ErrorKind setup = failure.is_first_contact ? ErrorKind::kConfig : ErrorKind::kIo;
  const std::string endpoint = EndpointText(settings);
  switch (transport.kind) {
    case HttpFailureKind::kUnknownHost:
      return {
          setup, fmt::format("the host of {} is unknown ({})", failure.host, endpoint),
          Either(StyleHint(failure, settings), "Set 'fs.s3a.endpoint' to the store's address.")};
    case HttpFailureKind::kRefused:
      return {setup, fmt::format("nobody listens at {} ({})", failure.host, endpoint),
              "Start the store there, or set 'fs.s3a.endpoint' to its address."};
    case HttpFailureKind::kUnreachable:
    case HttpFailureKind::kConnectTimeout:
      return {
          setup,
          fmt::format("{} cannot be reached: {} ({})", failure.host, transport.message, endpoint),
          "Check the network and 'fs.s3a.endpoint'; 'fs.s3a.proxy.host' names a proxy."};
    case HttpFailureKind::kTlsMismatch:
      return {
          setup,
          fmt::format("{} does not speak TLS: {} ({})", failure.host, transport.message, endpoint),
          "If the store speaks plain HTTP write 'http://' before the endpoint."};
    case HttpFailureKind::kNotHttp:
      return {setup,
              fmt::format("{} does not answer with HTTP: {} ({})", failure.host, transport.message,
                          endpoint),
              "If the store speaks TLS write 'https://' before the endpoint."};
    case HttpFailureKind::kUntrustedCertificate:
      return {ErrorKind::kConfig,
              fmt::format("the certificate of {} is not trusted: {} ({})", failure.host,
                          transport.message, endpoint),
              "Set 'fs.s3a.ssl.ca.file' to a PEM file with the store's certificate authority."};
    case HttpFailureKind::kBadCaFile:
      return {ErrorKind::kConfig, transport.message,
              fmt::format("'fs.s3a.ssl.ca.file' is '{}'; it must be a PEM file that can be read.",
                          settings.http.ca_file)};
    default:
      return {ErrorKind::kIo,
              fmt::format("no whole answer from {}: {}", failure.host, transport.message),
              failure.is_first_contact && !settings.is_tls
                  ? "If the store speaks TLS write 'https://' before the endpoint."
                  : ""};
  }
}

Explanation ExplainDenied(const S3Failure& failure, const S3Settings& settings) {
  const std::string& code = failure.error.code;
  const std::string who = failure.credentials_origin;
  if (code == "InvalidAccessKeyId") {
    return {ErrorKind::kPermission,
            fmt::format("the store at {} does not know the access key (credentials from {}): {}",
                        failure.host, who, TextOfAnswer(failure)),
            "Correct 'fs.s3a.access.key', or check 'fs.s3a.endpoint'."};
  }
  if (code == "SignatureDoesNotMatch") {
    return {ErrorKind::kPermission,
            fmt::format("the secret key does not fit the access key (credentials from {}): {}", who,
                        TextOfAnswer(failure)),
            "Correct 'fs.s3a.secret.key'."};
  }
  if (IsOneOf(code, kExpiredCodes)) {
    return {ErrorKind::kPermission,
            fmt::format("the session token has expired or is unknown (credentials from {}): {}",
                        who, TextOfAnswer(failure)),
            "Get new temporary credentials and set them, or let them come from a source that "
            "renews them: a role, a profile, web identity."};
  }
  if (IsOneOf(code, kClockCodes)) {
    return {
        ErrorKind::kPermission,
        fmt::format("the clocks of this machine and the store differ: {}", TextOfAnswer(failure)),
        "Set this machine's clock."};
  }
  return {ErrorKind::kPermission,
          fmt::format("the store refused (credentials from {}): {}", who, TextOfAnswer(failure)),
          Either(StyleHint(failure, settings),
                 "Have this right granted to these credentials, or use others.")};
}

Explanation ExplainAnswer(const S3Failure& failure, const S3Settings& settings) {
  const int status = failure.outcome->response.status_code;
  const std::string& code = failure.error.code;
  if (WantsTls(failure.outcome->response)) {
    return {ErrorKind::kConfig,
            fmt::format("{} speaks TLS and was asked without ({})", failure.host,
                        EndpointText(settings)),
            "Write 'https://' before the endpoint."};
  }
  if (status == 401 || status == 403 || IsOneOf(code, kExpiredCodes) ||
      IsOneOf(code, kClockCodes)) {
    return ExplainDenied(failure, settings);
  }
  if (code == "NoSuchBucket") {
    return {ErrorKind::kConfig,
            fmt::format("the store at {} has no bucket '{}' ({}): {}", failure.host,
                        settings.bucket, EndpointText(settings), TextOfAnswer(failure)),
            Either(StyleHint(failure, settings),
                   "Create the bucket, or correct its name or the endpoint.")};
  }
  if (status == 301 || status == 307 || !failure.error.region.empty()) {
    return {ErrorKind::kConfig,
            fmt::format("bucket '{}' is not in the region '{}' that was asked{}: {}",
                        settings.bucket, failure.region,
                        failure.error.region.empty()
                            ? std::string()
                            : fmt::format(" but in '{}'", failure.error.region),
                        TextOfAnswer(failure)),
            fmt::format("Set 'fs.s3a.endpoint.region'{} and the endpoint to the bucket's region.",
                        settings.region.origin.empty()
                            ? std::string()
                            : fmt::format(" (now from {})", settings.region.origin))};
  }
  if (status == 404) {
    return {ErrorKind::kNotFound, TextOfAnswer(failure), StyleHint(failure, settings)};
  }
  const bool is_busy = status == 503 || status == 429;
  return {is_busy ? ErrorKind::kThrottled : ErrorKind::kIo,
          fmt::format("{} answered {}", failure.host, TextOfAnswer(failure)),
          StyleHint(failure, settings)};
}

}  // namespace

std::string CannotDo(const S3Request& request, const std::string& bucket) {
  std::string path = request.key;
  if (path.empty()) {
    for (const auto& [name, value] : request.query) {
      path = name == "prefix" ? value : path;
    }
  }
  return fmt::format("Cannot {} s3://{}{}{}", request.doing, bucket, path.empty() ? "" : "/", path);
}

S3Error ParseS3Error(const net::HttpResponse& response) {
  S3Error error;
  const Result<aws::XmlElement> root = aws::ParseXml(response.body);
  if (root.ok() && root->name == "Error") {
    error.code = root->TextOf("Code");
    error.message = root->TextOf("Message");
    error.region = root->TextOf("Region");
    error.endpoint = root->TextOf("Endpoint");
    error.request_id = root->TextOf("RequestId");
  }
  if (error.request_id.empty()) {
    error.request_id = response.headers.Get("x-amz-request-id");
  }
  if (const std::string region = response.headers.Get("x-amz-bucket-region"); !region.empty()) {
    error.region = region;
  }
  if (error.region.empty() && !error.endpoint.empty()) {
    error.region = RegionOfAmazonHost(error.endpoint).value_or("");
  }
  return error;
}

S3Trouble Judge(const S3Failure& failure) {
  if (failure.outcome->failure.has_value()) {
    return JudgeTransport(failure.outcome->failure->kind);
  }
  const net::HttpResponse& response = failure.outcome->response;
  const std::string& code = failure.error.code;
  const int status = response.status_code;
  if (IsOneOf(code, kExpiredCodes)) {
    return S3Trouble::kExpired;
  }
  if (IsOneOf(code, kClockCodes)) {
    return S3Trouble::kClock;
  }
  if (IsOneOf(code, kBusyCodes)) {
    return S3Trouble::kBusy;
  }
  const bool names_other_region =
      !failure.error.region.empty() && failure.error.region != failure.region;
  if (status == 301 || status == 307 || ((status == 400 || status == 403) && names_other_region)) {
    return S3Trouble::kElsewhere;
  }
  if (status == 401 || status == 403 || code == "NoSuchBucket") {
    return S3Trouble::kDenied;
  }
  if (status == 409 && failure.request->retries_conflicts) {
    return S3Trouble::kBusy;
  }
  // A store behind a missing wildcard host answers like this.
  if (status == 503 && response.body.empty() && failure.is_first_contact) {
    return S3Trouble::kSetup;
  }
  const bool is_passing = status == 408 || status == 429 || status == 500 || status == 502 ||
                          status == 503 || status == 504;
  return is_passing ? S3Trouble::kBusy : S3Trouble::kFinal;
}

Status ErrorOf(const S3Failure& failure, const S3Settings& settings) {
  const auto& transport = failure.outcome->failure;
  if (transport.has_value() && transport->kind == HttpFailureKind::kCaller) {
    return WithContext(transport->caller_status, CannotDo(*failure.request, settings.bucket));
  }
  const Explanation explanation = transport.has_value() ? ExplainTransport(failure, settings)
                                                        : ExplainAnswer(failure, settings);
  return MakeError(
      explanation.kind,
      fmt::format(
          "{}: {}{}", CannotDo(*failure.request, settings.bucket), explanation.cause,
          failure.tries > 1 ? fmt::format(" (tried {} times)", failure.tries) : std::string()),
      explanation.remedy);
}

}  // namespace lakeward::fs
