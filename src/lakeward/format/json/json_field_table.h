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
  /// What stands for a key that no column wants.
  static constexpr int kUnknown = -1;

  explicit JsonFieldTable(std::vector<std::string> names);

  /// The column of the key whose raw text begins at `key` (after the quote), as the `ordinal`-th of
  /// its record; `size` is its raw length. Reads up to 16 bytes beyond the key.
  int Find(size_t ordinal, const char* key, size_t size) {
    if (ordinal < expected_.size() && expected_[ordinal].Matches(key, size)) [[likely]] {
      return expected_[ordinal].column;
    }
    return Learn(ordinal, {key, size});
  }

  const std::string& name(int column) const { return names_[static_cast<size_t>(column)]; }

 private:
  struct Expected {
    std::string key;  ///< raw, padded to at least 16 bytes
    size_t size = 0;
    int column = kUnknown;

    bool Matches(const char* other, size_t other_size) const {
      if (size != other_size) {
        return false;
      }
      if (size <= 8) {
        const uint64_t mask = size == 8 ? ~uint64_t{0} : (uint64_t{1} << (8 * size)) - 1;
        return ((LoadEightBytes(key.data()) ^ LoadEightBytes(other)) & mask) == 0;
      }
      if (size <= 16) {
        return ((LoadEightBytes(key.data()) ^ LoadEightBytes(other)) |
                (LoadEightBytes(key.data() + size - 8) ^ LoadEightBytes(other + size - 8))) == 0;
      }
      return std::memcmp(key.data(), other, size) == 0;
    }
  };

  int Learn(size_t ordinal, std::string_view raw_key);

  std::vector<std::string> names_;
  std::unordered_map<std::string, int> columns_;
  std::vector<Expected> expected_;
};

}  // namespace lakeward::format
