#include "lakeward/state/operator_state.h"

#include <bit>
#include <cstring>
#include <map>
#include <string_view>
#include <utility>

#include "arrow/array/array_primitive.h"
#include "arrow/buffer.h"
#include "arrow/io/memory.h"
#include "arrow/ipc/reader.h"
#include "arrow/ipc/writer.h"
#include "arrow/util/checked_cast.h"
#include "fmt/format.h"
#include "lakeward/base/crc32c.h"

namespace lakeward::state {
namespace {

using arrow::internal::checked_cast;

// docs/formats/checkpoint.md
constexpr std::string_view kMagic = "LWSTATE1";

static_assert(std::endian::native == std::endian::little, "numbers are written as they lie");

class StateWriter {
 public:
  void Number(uint64_t value) { Raw({reinterpret_cast<const char*>(&value), sizeof(value)}); }
  void Raw(std::string_view bytes) { bytes_.append(bytes); }
  void Text(std::string_view bytes) {
    Number(bytes.size());
    Raw(bytes);
  }
  std::string Finish() && {
    const uint32_t crc = Crc32c(bytes_);
    Raw({reinterpret_cast<const char*>(&crc), sizeof(crc)});
    return std::move(bytes_);
  }

 private:
  std::string bytes_;
};

Status Damaged(std::string_view what) {
  return MakeError(ErrorKind::kCorruptData, fmt::format("operator state: {}", what),
                   "The file was changed or cut off after it was written; start from another "
                   "checkpoint.");
}

class StateReader {
 public:
  explicit StateReader(std::string_view bytes) : rest_(bytes) {}

  Result<std::string_view> Raw(uint64_t size) {
    if (size > rest_.size()) {
      return Damaged("a length points beyond the end");
    }
    const std::string_view bytes = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return bytes;
  }
  Result<uint64_t> Number() {
    LW_ASSIGN(const std::string_view bytes, Raw(sizeof(uint64_t)));
    uint64_t value = 0;
    std::memcpy(&value, bytes.data(), sizeof(value));
    return value;
  }
  Result<std::string_view> Text() {
    LW_ASSIGN(const uint64_t size, Number());
    return Raw(size);
  }
  bool at_end() const { return rest_.empty(); }

 private:
  std::string_view rest_;
};

Result<std::string> WriteBatches(const std::vector<std::shared_ptr<arrow::RecordBatch>>& batches) {
  if (batches.empty()) {
    return std::string();
  }
  LW_ASSIGN(auto stream, arrow::io::BufferOutputStream::Create());
  LW_ASSIGN(auto writer, arrow::ipc::MakeStreamWriter(stream, batches[0]->schema()));
  for (const auto& batch : batches) {
    LW_TRY(writer->WriteRecordBatch(*batch));
  }
  LW_TRY(writer->Close());
  LW_ASSIGN(const auto buffer, stream->Finish());
  return buffer->ToString();
}

Result<std::vector<std::shared_ptr<arrow::RecordBatch>>> ReadBatches(std::string_view bytes) {
  std::vector<std::shared_ptr<arrow::RecordBatch>> batches;
  if (bytes.empty()) {
    return batches;
  }
  // The batches refer to the buffer's memory, so they need one of their own.
  auto stream =
      std::make_shared<arrow::io::BufferReader>(arrow::Buffer::FromString(std::string(bytes)));
  LW_ASSIGN(auto reader, arrow::ipc::RecordBatchStreamReader::Open(stream));
  LW_ASSIGN(batches, reader->ToRecordBatches());
  return batches;
}

/// Appends the parts of `batch` whose key groups lie in `range`; rows saved together are usually
/// sorted by key group, so that this is one slice.
void AppendOwned(const std::shared_ptr<arrow::RecordBatch>& batch, const KeyGroupRange& range,
                 std::vector<std::shared_ptr<arrow::RecordBatch>>* owned) {
  const auto& groups = checked_cast<const arrow::Int32Array&>(*batch->column(0));
  int64_t begin = 0;
  while (begin < batch->num_rows()) {
    const bool is_owned = range.Contains(groups.Value(begin));
    int64_t end = begin + 1;
    while (end < batch->num_rows() && range.Contains(groups.Value(end)) == is_owned) {
      ++end;
    }
    if (is_owned) {
      owned->push_back(batch->Slice(begin, end - begin));
    }
    begin = end;
  }
}

}  // namespace

KeyGroupRange KeyGroupsOf(int subtask, int parallelism) {
  LW_CHECK(parallelism >= 1 && parallelism <= kKeyGroupCount && subtask >= 0 &&
           subtask < parallelism);
  // Flink's assignment: group g belongs to subtask g * parallelism / groups.
  const int begin = (subtask * kKeyGroupCount + parallelism - 1) / parallelism;
  const int end = ((subtask + 1) * kKeyGroupCount + parallelism - 1) / parallelism;
  return {begin, end};
}

int SubtaskOf(int key_group, int parallelism) { return key_group * parallelism / kKeyGroupCount; }

Result<std::string> SerializeState(const OperatorState& state) {
  StateWriter writer;
  writer.Raw(kMagic);
  writer.Number(state.keyed.size());
  for (const KeyedTable& table : state.keyed) {
    writer.Text(table.name);
    LW_ASSIGN(const std::string batches, WriteBatches(table.batches));
    writer.Text(batches);
  }
  writer.Number(state.items.size());
  for (const std::string& item : state.items) {
    writer.Text(item);
  }
  return std::move(writer).Finish();
}

Result<OperatorState> ParseState(const std::string& bytes) {
  uint32_t crc = 0;
  if (bytes.size() < kMagic.size() + sizeof(crc) || !bytes.starts_with(kMagic)) {
    return Damaged("no state of a version that is known here");
  }
  const std::string_view body(bytes.data(), bytes.size() - sizeof(crc));
  std::memcpy(&crc, bytes.data() + body.size(), sizeof(crc));
  if (Crc32c(body) != crc) {
    return Damaged("the checksum does not fit the bytes");
  }
  StateReader reader(body.substr(kMagic.size()));
  OperatorState state;
  LW_ASSIGN(const uint64_t table_count, reader.Number());
  for (uint64_t i = 0; i < table_count; ++i) {
    KeyedTable table;
    LW_ASSIGN(table.name, reader.Text());
    LW_ASSIGN(const std::string_view batches, reader.Text());
    LW_ASSIGN(table.batches, ReadBatches(batches));
    state.keyed.push_back(std::move(table));
  }
  LW_ASSIGN(const uint64_t item_count, reader.Number());
  for (uint64_t i = 0; i < item_count; ++i) {
    LW_ASSIGN(const std::string_view item, reader.Text());
    state.items.emplace_back(item);
  }
  if (!reader.at_end()) {
    return Damaged("bytes follow its end");
  }
  return state;
}

Result<OperatorState> Redistribute(const std::vector<OperatorState>& saved, int subtask,
                                   int parallelism) {
  const KeyGroupRange range = KeyGroupsOf(subtask, parallelism);
  OperatorState share;
  std::map<std::string, size_t> table_of_name;
  int item_number = 0;
  for (const OperatorState& state : saved) {
    for (const KeyedTable& table : state.keyed) {
      const auto [found, is_new] = table_of_name.emplace(table.name, share.keyed.size());
      if (is_new) {
        share.keyed.push_back({table.name, {}});
      }
      for (const auto& batch : table.batches) {
        AppendOwned(batch, range, &share.keyed[found->second].batches);
      }
    }
    for (const std::string& item : state.items) {
      if (item_number++ % parallelism == subtask) {
        share.items.push_back(item);
      }
    }
  }
  return share;
}

}  // namespace lakeward::state
