#include "lakeward/format/json/json_writer.h"

#include <utility>

#include "arrow/io/interfaces.h"
#include "lakeward/format/json/json_options.h"
#include "lakeward/format/json/json_row_encoder.h"

namespace lakeward::format {

namespace {

constexpr size_t kBufferBytes = 1 << 20;

class JsonWriter final : public FileWriter {
 public:
  JsonWriter(std::shared_ptr<arrow::io::OutputStream> output, JsonRowEncoder encoder)
      : output_(std::move(output)), encoder_(std::move(encoder)) {}

  Status Write(const arrow::RecordBatch& batch) override {
    encoder_.AppendRows(batch, &buffer_);
    statistics_.row_count += batch.num_rows();
    return buffer_.size() >= kBufferBytes ? Flush() : Status::OK();
  }

  int64_t EstimatedSizeBytes() const override {
    return statistics_.size_bytes + static_cast<int64_t>(buffer_.size());
  }

  Result<FileStatistics> Finish() override {
    LW_TRY(Flush());
    return statistics_;
  }

 private:
  Status Flush() {
    LW_TRY(output_->Write(buffer_.data(), static_cast<int64_t>(buffer_.size())));
    statistics_.size_bytes += static_cast<int64_t>(buffer_.size());
    buffer_.clear();
    return Status::OK();
  }

  std::shared_ptr<arrow::io::OutputStream> output_;
  JsonRowEncoder encoder_;
  TextBuffer buffer_;
  FileStatistics statistics_;
};

}  // namespace

Result<std::unique_ptr<FileWriter>> OpenJsonWriter(std::shared_ptr<arrow::io::OutputStream> output,
                                                   const WriteSettings& settings) {
  LW_ASSIGN(const JsonOptions options, JsonOptions::Parse(settings.options));
  LW_ASSIGN(JsonRowEncoder encoder, JsonRowEncoder::Make(settings.schema, options));
  return std::make_unique<JsonWriter>(std::move(output), std::move(encoder));
}

}  // namespace lakeward::format
