#include "lakeward/aws/sts.h"

#include <utility>
#include <vector>

#include "fmt/format.h"
#include "lakeward/aws/request_signing.h"
#include "lakeward/aws/timestamps.h"
#include "lakeward/aws/xml.h"
#include "lakeward/net/url.h"

namespace lakeward::aws {
namespace {

constexpr int kTriesMax = 3;
constexpr int64_t kFirstPauseUs = 500'000;
constexpr int64_t kTotalTimeoutMs = 10'000;
constexpr int kTooManyRequests = 429;

using Parameters = std::vector<std::pair<std::string, std::string>>;

std::string FormBody(const Parameters& parameters) {
  std::string body;
  for (const auto& [name, value] : parameters) {
    if (!value.empty()) {
      body += fmt::format("{}{}={}", body.empty() ? "" : "&", name, net::EncodeComponent(value));
    }
  }
  return body;
}

std::string EndpointOf(const StsPlace& place) {
  if (!place.endpoint.empty()) {
    return place.endpoint.find("://") == std::string::npos ? "https://" + place.endpoint
                                                           : place.endpoint;
  }
  if (place.region.empty()) {
    return "https://sts.amazonaws.com";
  }
  return fmt::format("https://sts.{}.amazonaws.com{}", place.region,
                     place.region.starts_with("cn-") ? ".cn" : "");
}

// The service's refusal in its words.
Status Refusal(const net::HttpResponse& response, const std::string& action,
               const std::string& endpoint) {
  std::string said = fmt::format("HTTP status {}", response.status_code);
  if (const Result<XmlElement> root = ParseXml(response.body); root.ok()) {
    const XmlElement* error = root->Find("Error");
    if (error != nullptr) {
      said = fmt::format("{}: {}", error->TextOf("Code"), error->TextOf("Message"));
    }
  }
  return MakeError(ErrorKind::kPermission,
                   fmt::format("{} at {} was refused: {}", action, endpoint, said));
}

Result<Credentials> ParseAnswer(std::string_view body, const std::string& action,
                                const AssumedRole& role) {
  LW_ASSIGN(const XmlElement root, ParseXml(body));
  const XmlElement* result = root.Find(action + "Result");
  const XmlElement* found = result == nullptr ? nullptr : result->Find("Credentials");
  if (found == nullptr) {
    return MakeError(ErrorKind::kCorruptData,
                     fmt::format("The answer to {} holds no credentials", action));
  }
  Credentials credentials;
  credentials.access_key_id = found->TextOf("AccessKeyId");
  credentials.secret_access_key = Secret(std::string(found->TextOf("SecretAccessKey")));
  credentials.session_token = Secret(std::string(found->TextOf("SessionToken")));
  credentials.expiration_us = ParseIsoTimestamp(found->TextOf("Expiration"));
  credentials.origin = fmt::format("the role {}", role.arn);
  if (credentials.access_key_id.empty() || credentials.secret_access_key.empty() ||
      !credentials.expiration_us.has_value()) {
    return MakeError(ErrorKind::kCorruptData,
                     fmt::format("The answer to {} lacks a part of the credentials", action));
  }
  return credentials;
}

Result<Credentials> Call(const Surroundings& surroundings, const StsPlace& place,
                         const AssumedRole& role, const std::string& action, Parameters parameters,
                         const Credentials& caller) {
  parameters.insert(parameters.begin(), {{"Action", action},
                                         {"Version", "2011-06-15"},
                                         {"RoleArn", role.arn},
                                         {"RoleSessionName", role.session_name},
                                         {"DurationSeconds", std::to_string(role.duration_s)},
                                         {"ExternalId", role.external_id},
                                         {"Policy", role.policy}});
  const std::string body = FormBody(parameters);
  const std::string endpoint = EndpointOf(place);
  LW_ASSIGN(const net::Url url, net::ParseUrl(endpoint));
  Status last;
  for (int attempt = 0; attempt < kTriesMax; ++attempt) {
    if (attempt > 0) {
      surroundings.clock->SleepForMicros(kFirstPauseUs << (attempt - 1));
    }
    net::HttpRequest request;
    request.method = net::HttpMethod::kPost;
    request.url = url.ToText();
    request.headers = {{"Content-Type", "application/x-www-form-urlencoded; charset=utf-8"}};
    request.body = body;
    request.total_timeout_ms = kTotalTimeoutMs;
    SignRequest(
        caller,
        {place.region.empty() ? "us-east-1" : place.region, "sts", surroundings.clock->NowMicros()},
        PayloadHash(body), &request);
    const net::HttpOutcome outcome = surroundings.http->Send(request);
    if (outcome.failure.has_value()) {
      last = net::FailureStatus(request, *outcome.failure);
    } else if (outcome.response.is_success()) {
      return ParseAnswer(outcome.response.body, action, role);
    } else {
      last = Refusal(outcome.response, action, endpoint);
      const bool may_help =
          outcome.response.status_code >= 500 || outcome.response.status_code == kTooManyRequests ||
          outcome.response.body.find("IDPCommunicationError") != std::string::npos;
      if (!may_help) {
        return last;
      }
    }
  }
  return last;
}

}  // namespace

StsPlace FindSts(const Surroundings& surroundings, std::string endpoint, std::string region) {
  const auto variable = [&](const char* name) {
    return surroundings.environment(name).value_or("");
  };
  if (endpoint.empty()) {
    endpoint = variable("AWS_ENDPOINT_URL_STS");
  }
  for (const char* name : {"AWS_REGION", "AWS_DEFAULT_REGION"}) {
    if (region.empty()) {
      region = variable(name);
    }
  }
  return {std::move(endpoint), std::move(region)};
}

Result<Credentials> AssumeRole(const Surroundings& surroundings, const StsPlace& place,
                               const AssumedRole& role, const Credentials& caller) {
  return Call(surroundings, place, role, "AssumeRole", {}, caller);
}

Result<Credentials> AssumeRoleWithWebIdentity(const Surroundings& surroundings,
                                              const StsPlace& place, const AssumedRole& role,
                                              const Secret& token) {
  return Call(surroundings, place, role, "AssumeRoleWithWebIdentity",
              {{"WebIdentityToken", token.Reveal()}}, Credentials{});
}

}  // namespace lakeward::aws
