#include "lakeward/format/parquet/repetition.h"

#include <cstdint>
#include <cstring>
#include <map>
#include <string_view>

#include "arrow/array/array_nested.h"
#include "arrow/type.h"
#include "arrow/type_traits.h"

namespace lakeward::format {

namespace {

/// A column is repetitive when one value in this many or fewer is new.
constexpr int64_t kValuesPerDistinct = 10;
/// Fewer values than this say nothing, and a dictionary would cost more than it saves.
constexpr int64_t kValuesMin = 100;

uint64_t Mix(uint64_t value) {
  value ^= value >> 32;
  value *= 0xD6E8FEB86659FD93;
  value ^= value >> 32;
  value *= 0xD6E8FEB86659FD93;
  return value ^ value >> 32;
}

uint64_t HashBytes(const uint8_t* data, int64_t size) {
  uint64_t hash = Mix(static_cast<uint64_t>(size));
  for (; size >= 8; size -= 8, data += 8) {
    uint64_t word;
    std::memcpy(&word, data, sizeof(word));
    hash = Mix(hash ^ word);
  }
  uint64_t word = 0;
  std::memcpy(&word, data, static_cast<size_t>(size));
  return Mix(hash ^ word);
}

/// Counts distinct 64-bit hashes. The few collisions do not matter.
class DistinctCounter {
 public:
  DistinctCounter() : slots_(1 << 12) {}

  void Add(uint64_t hash) {
    ++values_;
    hash |= 1;  // zero marks a free slot
    if (Insert(hash) && ++distinct_ * 2 > slots_.size()) {
      Grow();
    }
  }

  bool IsRepetitive() const {
    return values_ >= kValuesMin && static_cast<int64_t>(distinct_) * kValuesPerDistinct < values_;
  }

 private:
  bool Insert(uint64_t hash) {
    const size_t mask = slots_.size() - 1;
    for (size_t at = (hash >> 1) & mask;; at = (at + 1) & mask) {
      if (slots_[at] == hash) {
        return false;
      }
      if (slots_[at] == 0) {
        slots_[at] = hash;
        return true;
      }
    }
  }
  void Grow() {
    std::vector<uint64_t> old(slots_.size() * 2);
    old.swap(slots_);
    for (const uint64_t hash : old) {
      if (hash != 0) {
        Insert(hash);
      }
    }
  }

  std::vector<uint64_t> slots_;
  size_t distinct_ = 0;
  int64_t values_ = 0;
};

using Counters = std::map<std::string, DistinctCounter>;

void CountLeaf(const arrow::Array& array, DistinctCounter* counter) {
  const arrow::ArrayData& data = *array.data();
  if (arrow::is_base_binary_like(array.type_id())) {
    const auto* offsets = data.GetValues<int32_t>(1);
    const uint8_t* bytes = data.buffers[2] == nullptr ? nullptr : data.buffers[2]->data();
    for (int64_t i = 0; i < array.length(); ++i) {
      if (array.IsValid(i)) {
        counter->Add(HashBytes(bytes + offsets[i], offsets[i + 1] - offsets[i]));
      }
    }
    return;
  }
  const auto& type = static_cast<const arrow::FixedWidthType&>(*array.type());
  const int bytes_each = type.bit_width() / 8;
  const uint8_t* values = data.buffers[1]->data() + data.offset * bytes_each;
  for (int64_t i = 0; i < array.length(); ++i) {
    if (array.IsValid(i)) {
      counter->Add(HashBytes(values + i * bytes_each, bytes_each));
    }
  }
}

void Count(const arrow::Array& array, const std::string& path, Counters* counters) {
  switch (array.type_id()) {
    case arrow::Type::BOOL:
    case arrow::Type::NA:
      return;  // a bit a value is less than any dictionary
    case arrow::Type::LIST: {
      const auto& list = static_cast<const arrow::ListArray&>(array);
      Count(*list.Flatten().ValueOr(list.values()), path + ".list.element", counters);
      return;
    }
    case arrow::Type::MAP: {
      const auto& map = static_cast<const arrow::MapArray&>(array);
      const int64_t start = map.value_offset(0);
      const int64_t length = map.value_offset(map.length()) - start;
      Count(*map.keys()->Slice(start, length), path + ".key_value.key", counters);
      Count(*map.items()->Slice(start, length), path + ".key_value.value", counters);
      return;
    }
    case arrow::Type::STRUCT: {
      const auto& row = static_cast<const arrow::StructArray&>(array);
      for (int i = 0; i < row.num_fields(); ++i) {
        Count(*row.field(i), path + "." + row.struct_type()->field(i)->name(), counters);
      }
      return;
    }
    default:
      CountLeaf(array, &(*counters)[path]);
  }
}

}  // namespace

std::vector<std::string> FindRepetitiveLeaves(
    const std::vector<std::shared_ptr<arrow::RecordBatch>>& sample) {
  Counters counters;
  for (const std::shared_ptr<arrow::RecordBatch>& batch : sample) {
    for (int i = 0; i < batch->num_columns(); ++i) {
      Count(*batch->column(i), batch->schema()->field(i)->name(), &counters);
    }
  }
  std::vector<std::string> paths;
  for (const auto& [path, counter] : counters) {
    if (counter.IsRepetitive()) {
      paths.push_back(path);
    }
  }
  return paths;
}

}  // namespace lakeward::format
