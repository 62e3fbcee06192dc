#include <array>
#include <utility>

#include "fmt/format.h"
#include "lakeward/aws/credential_provider.h"
#include "lakeward/net/url.h"

namespace lakeward::aws {
namespace {

constexpr int64_t kInstanceTimeoutMs = 1'000;
constexpr int64_t kContainerTimeoutMs = 5'000;

net::HttpRequest Request(net::HttpMethod method, std::string url, int64_t timeout_ms) {
  net::HttpRequest request;
  request.method = method;
  request.url = std::move(url);
  request.total_timeout_ms = timeout_ms;
  request.connect_timeout_ms = kInstanceTimeoutMs;
  return request;
}

// The body of a 200 answer; errors say what came instead.
Result<std::string> Fetch(net::HttpClient* client, const net::HttpRequest& request) {
  const net::HttpOutcome outcome = client->Send(request);
  if (outcome.failure.has_value()) {
    return net::FailureStatus(request, *outcome.failure);
  }
  if (outcome.response.status_code != 200) {
    return MakeError(outcome.response.status_code == 404 ? ErrorKind::kNotFound : ErrorKind::kIo,
                     fmt::format("{} {} answered HTTP status {}", ToText(request.method),
                                 request.url, outcome.response.status_code));
  }
  return outcome.response.body;
}

class ContainerProvider final : public CredentialProvider {
 public:
  explicit ContainerProvider(Surroundings surroundings) : surroundings_(std::move(surroundings)) {}

  std::string_view name() const override { return "container"; }

  ProviderAnswer Ask() override {
    const auto relative = surroundings_.environment("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI");
    const auto full = surroundings_.environment("AWS_CONTAINER_CREDENTIALS_FULL_URI");
    if (!relative.has_value() && !full.has_value()) {
      return ProviderAnswer::Absent(
          "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI and _FULL_URI are not set");
    }
    Result<Credentials> credentials =
        AskEndpoint(relative.has_value() ? "http://169.254.170.2" + *relative : *full);
    if (!credentials.ok()) {
      return ProviderAnswer::Failed(credentials.status().message());
    }
    credentials->origin = "the container endpoint";
    return ProviderAnswer::Found(*std::move(credentials));
  }

 private:
  Result<Credentials> AskEndpoint(const std::string& endpoint) {
    LW_ASSIGN(const net::Url url, net::ParseUrl(endpoint));
    // A token must not be sent in clear to just anybody.
    constexpr std::array<std::string_view, 6> kTrustedHosts{
        "localhost", "127.0.0.1", "[::1]", "169.254.170.2", "169.254.170.23", "[fd00:ec2::23]"};
    const bool is_near =
        std::find(kTrustedHosts.begin(), kTrustedHosts.end(), url.host) != kTrustedHosts.end();
    if (!url.is_tls() && !is_near) {
      return MakeError(ErrorKind::kConfig,
                       fmt::format("AWS_CONTAINER_CREDENTIALS_FULL_URI names the host '{}' without "
                                   "TLS; only this machine and the container endpoints of AWS may "
                                   "be asked by http",
                                   url.host));
    }
    net::HttpRequest request = Request(net::HttpMethod::kGet, url.ToText(), kContainerTimeoutMs);
    std::string token = surroundings_.environment("AWS_CONTAINER_AUTHORIZATION_TOKEN").value_or("");
    if (const auto file = surroundings_.environment("AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE");
        file.has_value()) {
      LW_ASSIGN(token, surroundings_.read_file(*file));
      token.erase(token.find_last_not_of(" \t\r\n") + 1);
    }
    if (token.find_first_of("\r\n") != std::string::npos) {
      return MakeError(ErrorKind::kConfig, "The container's authorization token has two lines");
    }
    if (!token.empty()) {
      request.headers.Set("Authorization", token);
    }
    net::HttpClient* client = is_near ? surroundings_.direct_http.get() : surroundings_.http.get();
    LW_ASSIGN(const std::string body, Fetch(client, request));
    return ParseCredentialsJson(body, "The answer of " + url.ToText());
  }

  const Surroundings surroundings_;
};

class InstanceProvider final : public CredentialProvider {
 public:
  explicit InstanceProvider(Surroundings surroundings) : surroundings_(std::move(surroundings)) {}

  std::string_view name() const override { return "instance metadata"; }

  ProviderAnswer Ask() override {
    const auto disabled = surroundings_.environment("AWS_EC2_METADATA_DISABLED");
    if (disabled.has_value() &&
        (*disabled == "true" || *disabled == "TRUE" || *disabled == "True")) {
      return ProviderAnswer::Absent("switched off by AWS_EC2_METADATA_DISABLED");
    }
    Result<Credentials> credentials = AskService(Endpoint());
    if (!credentials.ok()) {
      return ProviderAnswer::Absent(credentials.status().message());
    }
    credentials->origin = "the instance metadata service";
    return ProviderAnswer::Found(*std::move(credentials));
  }

 private:
  std::string Endpoint() const {
    std::string endpoint =
        surroundings_.environment("AWS_EC2_METADATA_SERVICE_ENDPOINT").value_or("");
    if (endpoint.empty()) {
      const std::string mode =
          surroundings_.environment("AWS_EC2_METADATA_SERVICE_ENDPOINT_MODE").value_or("IPv4");
      endpoint =
          mode == "IPv6" || mode == "ipv6" ? "http://[fd00:ec2::254]" : "http://169.254.169.254";
    }
    while (endpoint.ends_with('/')) {
      endpoint.pop_back();
    }
    return endpoint;
  }

  Result<Credentials> AskService(const std::string& endpoint) {
    net::HttpClient* client = surroundings_.direct_http.get();
    net::HttpRequest token_request =
        Request(net::HttpMethod::kPut, endpoint + "/latest/api/token", kInstanceTimeoutMs);
    token_request.headers = {{"X-aws-ec2-metadata-token-ttl-seconds", "21600"}};
    LW_ASSIGN(const std::string token, Fetch(client, token_request));

    const std::string folder = endpoint + "/latest/meta-data/iam/security-credentials/";
    net::HttpRequest role_request = Request(net::HttpMethod::kGet, folder, kInstanceTimeoutMs);
    role_request.headers = {{"X-aws-ec2-metadata-token", token}};
    Result<std::string> role = Fetch(client, role_request);
    if (!role.ok()) {
      return KindOf(role.status()) == ErrorKind::kNotFound
                 ? MakeError(ErrorKind::kNotFound, "this machine has no role attached")
                 : role.status();
    }
    net::HttpRequest keys_request = Request(
        net::HttpMethod::kGet, folder + net::EncodeComponent(role->substr(0, role->find('\n'))),
        kInstanceTimeoutMs);
    keys_request.headers = role_request.headers;
    LW_ASSIGN(const std::string body, Fetch(client, keys_request));
    return ParseCredentialsJson(body, "The answer of the metadata service");
  }

  const Surroundings surroundings_;
};

}  // namespace

std::unique_ptr<CredentialProvider> MakeContainerProvider(const Surroundings& surroundings) {
  return std::make_unique<ContainerProvider>(surroundings);
}

std::unique_ptr<CredentialProvider> MakeInstanceProvider(const Surroundings& surroundings) {
  return std::make_unique<InstanceProvider>(surroundings);
}

}  // namespace lakeward::aws
