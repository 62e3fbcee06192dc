#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "lakeward/table/delta/delta_table.h"

namespace lakeward::delta {

/// The key of a logical file: its path and, where rows of it are deleted, the deletion vector's
/// unique id (protocol, "Action Reconciliation").
std::string FileKey(std::string_view path, const std::optional<DeletionVector>& deletion_vector);

/// One live file as a single allocation, so that a table of many thousand files stays small in
/// memory. Immutable, shared between snapshots.
class PackedFile {
 public:
  explicit PackedFile(const AddFile& file);

  /// As FileKey gives it. Valid as long as this object.
  std::string_view key() const { return std::string_view(bytes_).substr(0, key_size_); }
  bool has_deletion_vector() const { return has_deletion_vector_; }
  int64_t size_bytes() const { return size_bytes_; }

  AddFile Unpack() const;

 private:
  std::string bytes_;
  int64_t size_bytes_;
  uint32_t key_size_;
  bool has_deletion_vector_;
};
using PackedFilePtr = std::shared_ptr<const PackedFile>;

}  // namespace lakeward::delta
