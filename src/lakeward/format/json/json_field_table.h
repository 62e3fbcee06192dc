#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "lakeward/format/json/json_number.h"

namespace lakeward::format {

/// Finds the column of a JSON key. Records of one file mostly have the same keys in the same order,
/// so that a key is first compared with the one that stood at its place in the record before; only
/// a surprise is looked up. One thread at a time.
class JsonFieldTable {
 public:
  /// What stands for a key that no column wants, and for one that is no valid string.
  static constexpr int kUnknown = -1;
  static constexpr int kInvalid = -2;

  explicit JsonFieldTable(std::vector<std::string> names);

  /// The column of the key whose raw text begins at `key` (after its opening quote), as the
  /// `ordinal`-th of its record. The key ends before `limit`; up to 16 bytes from `key` on are read
  /// in any case. When the key isn't the expected one, `raw_size()` is called for its length.
  template <typename RawSize>
  int Find(size_t ordinal, const char* key, const char* limit, const RawSize& raw_size) {
    if (ordinal < expected_.size() && expected_[ordinal].Matches(key, limit)) [[likely]] {
      return expected_[ordinal].column;
    }
    return Learn(ordinal, {key, raw_size()});
  }

  const std::string& name(int column) const { return names_[static_cast<size_t>(column)]; }

 private:
  struct Expected {
    std::string key;  ///< raw, with its closing quote, padded to at least 16 bytes
    size_t size = 0;  ///< with the quote
    uint64_t first = 0;
    uint64_t first_mask = ~uint64_t{0};
    int column = kUnknown;

    bool Matches(const char* other, const char* limit) const {
      if (((LoadEightBytes(other) ^ first) & first_mask) != 0) {
        return false;
      }
      if (size <= 8) {
        return true;
      }
      if (size <= 16) {
        return LoadEightBytes(key.data() + size - 8) == LoadEightBytes(other + size - 8);
      }
      return static_cast<size_t>(limit - other) >= size &&
             std::memcmp(key.data(), other, size) == 0;
    }
  };

  int Learn(size_t ordinal, std::string_view raw_key);

  std::vector<std::string> names_;
  std::unordered_map<std::string, int> columns_;
  std::vector<Expected> expected_;
};

}  // namespace lakeward::format
