#include "lakeward/net/url.h"

#include <algorithm>
#include <cctype>
#include <charconv>

#include "fmt/format.h"
#include "lakeward/base/percent_text.h"

namespace lakeward::net {
namespace {

bool IsUnreserved(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '.' || c == '_' || c == '~';
}

std::string Encode(std::string_view text, bool is_slash_kept) {
  std::string encoded;
  encoded.reserve(text.size());
  for (const char c : text) {
    if (IsUnreserved(c) || (is_slash_kept && c == '/')) {
      encoded += c;
    } else {
      AppendPercent(c, &encoded);
    }
  }
  return encoded;
}

Status NoUrl(std::string_view text, std::string_view reason) {
  return MakeError(ErrorKind::kConfig,
                   fmt::format("'{}' is no http or https URL: {}", text, reason),
                   "Write it as 'https://host' or 'http://host:port'.");
}

}  // namespace

std::string Url::Authority() const {
  const int own_port = is_tls() ? 443 : 80;
  return port == 0 || port == own_port ? host : fmt::format("{}:{}", host, port);
}

std::string Url::ToText() const {
  return fmt::format("{}://{}{}{}{}", scheme, Authority(), path, query.empty() ? "" : "?", query);
}

Result<Url> ParseUrl(std::string_view text) {
  Url url;
  const size_t scheme_end = text.find("://");
  if (scheme_end == std::string_view::npos) {
    return NoUrl(text, "it has no scheme");
  }
  const auto lower = [](std::string_view part) {
    std::string result(part);
    std::transform(result.begin(), result.end(), result.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return result;
  };
  url.scheme = lower(text.substr(0, scheme_end));
  if (url.scheme != "http" && url.scheme != "https") {
    return NoUrl(text, "its scheme is another");
  }
  std::string_view rest = text.substr(scheme_end + 3);
  rest = rest.substr(0, rest.find('#'));
  const size_t authority_end = std::min(rest.size(), rest.find_first_of("/?"));
  std::string_view authority = rest.substr(0, authority_end);
  rest.remove_prefix(authority_end);
  if (authority.find('@') != std::string_view::npos) {
    return MakeError(
        ErrorKind::kConfig, "A URL holds a user name or password",
        "Take out what stands before the '@'; credentials have settings of their own.");
  }
  const size_t bracket = authority.rfind(']');
  const size_t colon = authority.rfind(':');
  if (colon != std::string_view::npos && (bracket == std::string_view::npos || colon > bracket)) {
    const std::string_view digits = authority.substr(colon + 1);
    const auto [end, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), url.port);
    if (error != std::errc() || end != digits.data() + digits.size() || url.port < 1 ||
        url.port > 65'535) {
      return NoUrl(text, fmt::format("'{}' is no port", digits));
    }
    authority = authority.substr(0, colon);
  }
  const bool is_odd = std::any_of(authority.begin(), authority.end(), [](unsigned char c) {
    return c <= ' ' || c == 127 || c == '"' || c == '<' || c == '>' || c == '\\' || c == '%';
  });
  if (authority.empty() || is_odd) {
    return NoUrl(text, "it has no host name that can be");
  }
  url.host = lower(authority);
  const size_t question = rest.find('?');
  url.path = rest.substr(0, question);
  if (question != std::string_view::npos) {
    url.query = rest.substr(question + 1);
  }
  if (url.path.empty()) {
    url.path = "/";
  }
  return url;
}

std::string EncodeComponent(std::string_view text) { return Encode(text, false); }

std::string EncodePath(std::string_view text) { return Encode(text, true); }

std::string DecodeComponent(std::string_view text) { return DecodePercent(text); }

}  // namespace lakeward::net
