#include <algorithm>
#include <utility>

#include "arrow/io/memory.h"
#include "arrow/record_batch.h"
#include "lakeward/base/environment.h"
#include "lakeward/base/local_file.h"
#include "lakeward/format/format_testing.h"
#include "lakeward/fs/memory.h"
#include "lakeward/types/printed_form.h"

namespace lakeward::format::testing {

FileRange FileOf(std::string_view bytes, std::string name) {
  FileRange range;
  range.file.file_system = fs::MakeMemoryFileSystem();
  range.file.path = name;
  range.file.uri = std::move(name);
  range.file_size_bytes = static_cast<int64_t>(bytes.size());
  LW_CHECK(range.file.file_system->Put(range.file.path, bytes, {}).ok());
  return range;
}

std::string RowText(const arrow::RecordBatch& batch, int64_t row, const types::RowSchema& schema) {
  std::string text;
  for (int i = 0; i < schema.size(); ++i) {
    text += i == 0 ? "" : "|";
    text += types::PrintedForm(*batch.column(i), row, *schema.columns[static_cast<size_t>(i)].type,
                               types::TimeZone());
  }
  return text;
}

Result<std::vector<std::string>> ReadRows(FileReader* reader, const types::RowSchema& schema) {
  std::vector<std::string> rows;
  for (;;) {
    LW_ASSIGN(const std::shared_ptr<arrow::RecordBatch> batch, reader->Next());
    if (batch == nullptr) {
      return rows;
    }
    LW_TRY(batch->ValidateFull());
    if (batch->num_rows() == 0) {
      return Status::Invalid("a batch without rows");
    }
    for (int64_t row = 0; row < batch->num_rows(); ++row) {
      rows.push_back(RowText(*batch, row, schema));
    }
  }
}

Result<std::vector<std::string>> ReadRows(const Format& format, const FileRange& range,
                                          const ReadSettings& settings) {
  LW_ASSIGN(const std::unique_ptr<FileReader> reader, format.open_reader(range, settings));
  return ReadRows(reader.get(), settings.schema);
}

Result<std::string> WriteBytes(const Format& format, const WriteSettings& settings,
                               const std::vector<std::shared_ptr<arrow::RecordBatch>>& batches,
                               FileStatistics* statistics) {
  LW_ASSIGN(const std::shared_ptr<arrow::io::BufferOutputStream> output,
            arrow::io::BufferOutputStream::Create());
  LW_ASSIGN(const std::unique_ptr<FileWriter> writer, format.open_writer(output, settings));
  for (const std::shared_ptr<arrow::RecordBatch>& batch : batches) {
    LW_TRY(writer->Write(*batch));
  }
  LW_ASSIGN(FileStatistics finished, writer->Finish());
  if (statistics != nullptr) {
    *statistics = std::move(finished);
  }
  LW_ASSIGN(const std::shared_ptr<arrow::Buffer> buffer, output->Finish());
  return buffer->ToString();
}

std::string ReferenceFolder(const std::string& name) {
  const std::optional<std::string> root = GetEnvironment("LAKEWARD_SHARED");
  const std::string folder = (root ? *root : std::string("../shared")) + "/" + name;
  return StatLocal(folder).ok() ? folder : "";
}

std::vector<std::string> FilesIn(const std::string& folder) {
  std::vector<std::string> names;
  const Result<std::vector<LocalFileInfo>> entries = ListLocalDirectory(folder);
  for (const LocalFileInfo& entry : entries.ValueOr({})) {
    if (!entry.is_directory) {
      names.push_back(entry.path);
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace lakeward::format::testing
