#include "lakeward/format/json/json_field_table.h"

#include <algorithm>

#include "lakeward/format/json/json_string.h"

namespace lakeward::format {

namespace {
/// Objects with more keys than this are looked up beyond it, so that the memory stays bounded.
constexpr size_t kExpectedMax = 4096;
}  // namespace

JsonFieldTable::JsonFieldTable(std::vector<std::string> names) : names_(std::move(names)) {
  for (size_t i = 0; i < names_.size(); ++i) {
    columns_.emplace(names_[i], static_cast<int>(i));
  }
}

int JsonFieldTable::Learn(size_t ordinal, std::string_view raw_key) {
  std::string key(raw_key);
  if (raw_key.find('\\') != std::string_view::npos) {
    key.resize(raw_key.size() + 16);
    const char* end = Unescape(raw_key, key.data());
    if (end == nullptr) {
      return kInvalid;
    }
    key.resize(static_cast<size_t>(end - key.data()));
  }
  const auto found = columns_.find(key);
  const int column = found == columns_.end() ? kUnknown : found->second;
  if (ordinal < kExpectedMax) {
    if (expected_.size() <= ordinal) {
      expected_.resize(ordinal + 1);
    }
    Expected& expected = expected_[ordinal];
    expected.size = raw_key.size() + 1;
    expected.key.assign(raw_key);
    expected.key += '"';
    expected.key.resize(std::max<size_t>(expected.size, 16));
    expected.first = LoadEightBytes(expected.key.data());
    expected.first_mask =
        expected.size >= 8 ? ~uint64_t{0} : (uint64_t{1} << (8 * expected.size)) - 1;
    expected.first &= expected.first_mask;
    expected.column = column;
  }
  return column;
}

}  // namespace lakeward::format
