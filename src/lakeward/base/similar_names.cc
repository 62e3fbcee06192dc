#include "lakeward/base/similar_names.h"

#include <algorithm>
#include <cctype>
#include <utility>

namespace lakeward {
namespace {

std::string LowerCase(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return lower;
}

// Insertions, deletions, replacements and swaps of neighbours that turn one text into the other.
size_t EditDistance(std::string_view a, std::string_view b) {
  std::vector<size_t> before_last(b.size() + 1);
  std::vector<size_t> last(b.size() + 1);
  std::vector<size_t> current(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) {
    last[j] = j;
  }
  for (size_t i = 1; i <= a.size(); ++i) {
    current[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      current[j] = std::min({last[j] + 1, current[j - 1] + 1, replaced});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        current[j] = std::min(current[j], before_last[j - 2] + 1);
      }
    }
    before_last.swap(last);
    last.swap(current);
  }
  return last[b.size()];
}

}  // namespace

std::vector<std::string> SimilarNames(std::string_view name,
                                      const std::vector<std::string>& candidates, size_t count_max,
                                      size_t edits_max) {
  const std::string wanted = LowerCase(name);
  std::vector<std::pair<size_t, std::string>> near;
  for (const std::string& candidate : candidates) {
    const size_t longer = std::max(wanted.size(), candidate.size());
    const size_t shorter = std::min(wanted.size(), candidate.size());
    const size_t distance_max = std::min(edits_max, std::max<size_t>(1, longer / 3));
    if (longer - shorter > distance_max) {
      continue;
    }
    const size_t distance = EditDistance(wanted, LowerCase(candidate));
    if (distance <= distance_max && distance < longer) {
      near.emplace_back(distance, candidate);
    }
  }
  std::stable_sort(near.begin(), near.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string> names;
  for (auto& [distance, candidate] : near) {
    if (names.size() == count_max) {
      break;
    }
    if (std::find(names.begin(), names.end(), candidate) == names.end()) {
      names.push_back(std::move(candidate));
    }
  }
  return names;
}

std::string DidYouMean(std::string_view name, const std::vector<std::string>& candidates) {
  const std::vector<std::string> names = SimilarNames(name, candidates);
  if (names.empty()) {
    return "";
  }
  std::string text = "Did you mean ";
  for (size_t i = 0; i < names.size(); ++i) {
    if (i > 0) {
      text += i + 1 == names.size() ? " or " : ", ";
    }
    text += "'" + names[i] + "'";
  }
  return text + "?";
}

}  // namespace lakeward
