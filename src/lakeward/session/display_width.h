#pragma once

#include <string>
#include <string_view>

namespace lakeward::session {

/// How many terminal cells a UTF-8 text takes: wide (East Asian full-width) characters two, others
/// one. Source: Flink's TableauStyle, which counts every character outside a few ranges as one.
int DisplayWidth(std::string_view text);

/// The longest beginning of `text` that takes at most `width` cells, padded on the left with spaces
/// to exactly `width`.
std::string TruncateToWidth(std::string_view text, int width);

}  // namespace lakeward::session
