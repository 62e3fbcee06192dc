#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace lakeward::aws {

/// The forms in which AWS writes an instant, to and from microseconds since 1970 in UTC.

/// "20150830T123600Z", as signatures have it.
std::string ToBasicTimestamp(int64_t time_us);
/// "2015-08-30T12:36:00Z" with any number of fractional digits; also "+hh:mm" in place of "Z".
/// Nothing for other texts.
std::optional<int64_t> ParseIsoTimestamp(std::string_view text);
/// "Sun, 30 Aug 2015 12:36:00 GMT", as HTTP headers have it (RFC 9110). Nothing for other texts.
std::optional<int64_t> ParseHttpDate(std::string_view text);

}  // namespace lakeward::aws
