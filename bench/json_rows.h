#pragma once

#include <cstdint>
#include <string>

namespace lakeward::bench {

/// Makes the JSON lines that the benchmarks read: 8 columns, about 155 bytes a row, always the same
/// for a seed.
///
///   id BIGINT (rising), user_id BIGINT (a million), ts TIMESTAMP(3) (rising), country STRING
///   (20, skewed: the partition column), event STRING (8), path STRING (mostly distinct),
///   amount DOUBLE (two decimals), ratio DOUBLE (six decimals)
class JsonRows {
 public:
  explicit JsonRows(uint64_t seed) : state_(seed) {}

  /// Appends the next row with its newline.
  void AppendRow(std::string* out);

 private:
  uint64_t Next();
  void AppendTwoDigits(int value, std::string* out);
  void AppendTimestamp(std::string* out);

  uint64_t state_;
  int64_t id_ = 0;
  int64_t millis_ = 0;  ///< since 2024-01-01
};

}  // namespace lakeward::bench
