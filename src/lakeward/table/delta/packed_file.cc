#include "lakeward/table/delta/packed_file.h"

#include <cstring>
#include <utility>

#include "lakeward/table/delta/actions.h"

namespace lakeward::delta {
namespace {

// In front of an optional value.
constexpr char kAbsent = 0;
constexpr char kPresent = 1;

class Packer {
 public:
  explicit Packer(std::string* bytes) : bytes_(bytes) {}

  void Number(int64_t value) {
    // Seven bits a byte, the sign folded into the lowest bit: most numbers here are small.
    uint64_t rest = (static_cast<uint64_t>(value) << 1) ^ static_cast<uint64_t>(value >> 63);
    while (rest >= 0x80) {
      bytes_->push_back(static_cast<char>(rest | 0x80));
      rest >>= 7;
    }
    bytes_->push_back(static_cast<char>(rest));
  }

  void Text(std::string_view text) {
    Number(static_cast<int64_t>(text.size()));
    bytes_->append(text);
  }

  bool Presence(bool present) {
    bytes_->push_back(present ? kPresent : kAbsent);
    return present;
  }

  void OptionalNumber(const std::optional<int64_t>& value) {
    if (Presence(value.has_value())) {
      Number(*value);
    }
  }

 private:
  std::string* bytes_;
};

/// Reads what a Packer of this process wrote.
class Unpacker {
 public:
  explicit Unpacker(std::string_view bytes) : bytes_(bytes) {}

  int64_t Number() {
    uint64_t value = 0;
    int shift = 0;
    while (true) {
      const auto byte = static_cast<uint8_t>(bytes_.front());
      bytes_.remove_prefix(1);
      value |= static_cast<uint64_t>(byte & 0x7F) << shift;
      if (byte < 0x80) {
        break;
      }
      shift += 7;
    }
    return static_cast<int64_t>(value >> 1) ^ -static_cast<int64_t>(value & 1);
  }

  std::string Text() {
    const auto size = static_cast<size_t>(Number());
    std::string text(bytes_.substr(0, size));
    bytes_.remove_prefix(size);
    return text;
  }

  bool Presence() {
    const bool present = bytes_.front() == kPresent;
    bytes_.remove_prefix(1);
    return present;
  }

  std::optional<int64_t> OptionalNumber() {
    return Presence() ? std::optional<int64_t>(Number()) : std::nullopt;
  }

 private:
  std::string_view bytes_;
};

}  // namespace

std::string FileKey(std::string_view path, const std::optional<DeletionVector>& deletion_vector) {
  std::string key(path);
  if (deletion_vector.has_value()) {
    key += '\0';
    key += UniqueId(deletion_vector);
  }
  return key;
}

PackedFile::PackedFile(const AddFile& file)
    : bytes_(FileKey(file.path, file.deletion_vector)),
      size_bytes_(file.size_bytes),
      key_size_(static_cast<uint32_t>(bytes_.size())),
      has_deletion_vector_(file.deletion_vector.has_value()) {
  Packer packer(&bytes_);
  packer.Number(static_cast<int64_t>(file.path.size()));
  packer.Number(static_cast<int64_t>(file.partition_values.size()));
  for (const auto& [column, value] : file.partition_values) {
    packer.Text(column);
    if (packer.Presence(value.has_value())) {
      packer.Text(*value);
    }
  }
  packer.Number(file.modification_time_ms);
  packer.Presence(file.data_change);
  packer.Text(file.statistics_json);
  packer.Number(static_cast<int64_t>(file.tags.size()));
  for (const auto& [key, value] : file.tags) {
    packer.Text(key);
    packer.Text(value);
  }
  if (packer.Presence(file.deletion_vector.has_value())) {
    const DeletionVector& vector = *file.deletion_vector;
    packer.Text(vector.storage_type);
    packer.Text(vector.path_or_inline_data);
    packer.OptionalNumber(vector.offset);
    packer.Number(vector.size_bytes);
    packer.Number(vector.cardinality);
  }
  packer.OptionalNumber(file.base_row_id);
  packer.OptionalNumber(file.default_row_commit_version);
  packer.Text(file.clustering_provider);
  bytes_.shrink_to_fit();
}

AddFile PackedFile::Unpack() const {
  AddFile file;
  Unpacker unpacker(std::string_view(bytes_).substr(key_size_));
  file.path = bytes_.substr(0, static_cast<size_t>(unpacker.Number()));
  file.size_bytes = size_bytes_;
  for (int64_t count = unpacker.Number(); count > 0; --count) {
    std::string column = unpacker.Text();
    std::optional<std::string> value;
    if (unpacker.Presence()) {
      value = unpacker.Text();
    }
    file.partition_values.emplace_hint(file.partition_values.end(), std::move(column),
                                       std::move(value));
  }
  file.modification_time_ms = unpacker.Number();
  file.data_change = unpacker.Presence();
  file.statistics_json = unpacker.Text();
  for (int64_t count = unpacker.Number(); count > 0; --count) {
    std::string key = unpacker.Text();
    file.tags.emplace_hint(file.tags.end(), std::move(key), unpacker.Text());
  }
  if (unpacker.Presence()) {
    DeletionVector vector;
    vector.storage_type = unpacker.Text();
    vector.path_or_inline_data = unpacker.Text();
    if (const std::optional<int64_t> offset = unpacker.OptionalNumber()) {
      vector.offset = static_cast<int32_t>(*offset);
    }
    vector.size_bytes = static_cast<int32_t>(unpacker.Number());
    vector.cardinality = unpacker.Number();
    file.deletion_vector = std::move(vector);
  }
  file.base_row_id = unpacker.OptionalNumber();
  file.default_row_commit_version = unpacker.OptionalNumber();
  file.clustering_provider = unpacker.Text();
  return file;
}

}  // namespace lakeward::delta
