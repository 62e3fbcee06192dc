#include "lakeward/aws/request_signing.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <utility>
#include <vector>

#include "fmt/format.h"
#include "lakeward/aws/digest.h"
#include "lakeward/aws/timestamps.h"
#include "lakeward/net/url.h"

namespace lakeward::aws {
namespace {

constexpr std::string_view kAlgorithm = "AWS4-HMAC-SHA256";

std::string Lower(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return lower;
}

// Without blanks at the ends, runs of blanks inside as one.
std::string Trimmed(std::string_view value) {
  std::string trimmed;
  for (const char c : value) {
    const bool is_blank = c == ' ' || c == '\t';
    if (!is_blank || (!trimmed.empty() && trimmed.back() != ' ')) {
      trimmed += is_blank ? ' ' : c;
    }
  }
  while (trimmed.ends_with(' ')) {
    trimmed.pop_back();
  }
  return trimmed;
}

// Parameters sorted by encoded name, then encoded value; the input is encoded already.
std::string CanonicalQuery(std::string_view query) {
  std::vector<std::pair<std::string, std::string>> parameters;
  while (!query.empty()) {
    const std::string_view parameter = query.substr(0, query.find('&'));
    query.remove_prefix(std::min(query.size(), parameter.size() + 1));
    const size_t equals = std::min(parameter.size(), parameter.find('='));
    parameters.emplace_back(net::EncodeComponent(net::DecodeComponent(parameter.substr(0, equals))),
                            net::EncodeComponent(net::DecodeComponent(
                                parameter.substr(std::min(parameter.size(), equals + 1)))));
  }
  std::sort(parameters.begin(), parameters.end());
  std::string canonical;
  for (const auto& [name, value] : parameters) {
    canonical += fmt::format("{}{}={}", canonical.empty() ? "" : "&", name, value);
  }
  return canonical;
}

// "GET", "http://h/a?b" apart; a URL that does not parse is the client's to refuse.
struct UrlParts {
  std::string host;
  std::string path;
  std::string query;
};

UrlParts PartsOf(const std::string& text) {
  Result<net::Url> url = net::ParseUrl(text);
  return url.ok() ? UrlParts{url->Authority(), url->path, url->query} : UrlParts{};
}

struct CanonicalHeaders {
  std::string lines;
  std::string names;
};

CanonicalHeaders Canonical(const net::HttpHeaders& headers, const std::string& host) {
  std::map<std::string, std::string> values{{"host", host}};
  for (const auto& [name, value] : headers) {
    const std::string lower = Lower(name);
    if (lower == "user-agent" || lower == "authorization" || lower == "host") {
      continue;
    }
    const auto [entry, is_new] = values.try_emplace(lower, Trimmed(value));
    if (!is_new) {
      entry->second += "," + Trimmed(value);
    }
  }
  CanonicalHeaders canonical;
  for (const auto& [name, value] : values) {
    canonical.lines += fmt::format("{}:{}\n", name, value);
    canonical.names += (canonical.names.empty() ? "" : ";") + name;
  }
  return canonical;
}

}  // namespace

std::string PayloadHash(std::string_view body) { return Hex(Sha256(body)); }

void SignRequest(const Credentials& credentials, const SigningScope& scope,
                 std::string_view payload_hash, net::HttpRequest* request) {
  if (credentials.is_anonymous()) {
    return;
  }
  const std::string timestamp = ToBasicTimestamp(scope.time_us);
  const std::string date = timestamp.substr(0, 8);
  net::HttpHeaders& headers = request->headers;
  headers.Set("x-amz-date", timestamp);
  headers.Remove("x-amz-security-token");
  if (!credentials.session_token.empty()) {
    headers.Set("x-amz-security-token", credentials.session_token.Reveal());
  }
  if (scope.service == "s3") {
    headers.Set("x-amz-content-sha256", std::string(payload_hash));
  }

  const UrlParts url = PartsOf(request->url);
  const CanonicalHeaders canonical = Canonical(headers, url.host);
  // The path's bytes outside of RFC 3986 are escaped here only for URLs not made by EncodePath.
  const std::string canonical_request =
      fmt::format("{}\n{}\n{}\n{}\n{}\n{}", net::ToText(request->method),
                  net::EncodePath(net::DecodeComponent(url.path)), CanonicalQuery(url.query),
                  canonical.lines, canonical.names, payload_hash);
  const std::string credential_scope =
      fmt::format("{}/{}/{}/aws4_request", date, scope.region, scope.service);
  const std::string text_to_sign = fmt::format("{}\n{}\n{}\n{}", kAlgorithm, timestamp,
                                               credential_scope, PayloadHash(canonical_request));
  std::string key = HmacSha256("AWS4" + credentials.secret_access_key.Reveal(), date);
  for (const std::string_view part :
       {std::string_view(scope.region), std::string_view(scope.service),
        std::string_view("aws4_request")}) {
    key = HmacSha256(key, part);
  }
  headers.Set("Authorization", fmt::format("{} Credential={}/{}, SignedHeaders={}, Signature={}",
                                           kAlgorithm, credentials.access_key_id, credential_scope,
                                           canonical.names, Hex(HmacSha256(key, text_to_sign))));
}

}  // namespace lakeward::aws
