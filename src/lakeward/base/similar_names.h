#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lakeward {

/// The candidates that a person most likely meant by `name`, nearest first, at most `count_max`;
/// letters of either case, edit distance at most a third of the length and at most `edits_max`.
/// Empty when nothing is near.
std::vector<std::string> SimilarNames(std::string_view name,
                                      const std::vector<std::string>& candidates,
                                      size_t count_max = 3, size_t edits_max = SIZE_MAX);

/// "Did you mean 'a' or 'b'?" for an error's hint, or an empty string.
std::string DidYouMean(std::string_view name, const std::vector<std::string>& candidates);

}  // namespace lakeward
