#pragma once

#include <string>
#include <string_view>

#include "lakeward/base/status.h"

namespace lakeward::net {

/// The parts of an absolute http or https URL, still encoded.
struct Url {
  std::string scheme;  ///< "http" or "https"
  std::string host;    ///< lower case; an IPv6 address keeps its brackets
  int port = 0;        ///< 0: the scheme's own
  std::string path;    ///< begins with '/'
  std::string query;   ///< without '?'

  bool is_tls() const { return scheme == "https"; }
  /// Host and, unless it is the scheme's own, port: what the Host header says.
  std::string Authority() const;
  std::string ToText() const;
};

/// kConfig for anything that is not an http or https URL with a host. User names are refused,
/// fragments dropped; a missing path is "/".
Result<Url> ParseUrl(std::string_view text);

/// Every byte but A-Z a-z 0-9 - . _ ~ as %XX (RFC 3986), as signatures want it.
std::string EncodeComponent(std::string_view text);
/// As EncodeComponent, but '/' stays.
std::string EncodePath(std::string_view text);
/// The reverse; a '%' without two hexadecimal digits stays. '+' stays '+'.
std::string DecodeComponent(std::string_view text);

}  // namespace lakeward::net
