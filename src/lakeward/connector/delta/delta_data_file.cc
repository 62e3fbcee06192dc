#include "lakeward/connector/delta/delta_data_file.h"

#include <utility>

#include "lakeward/base/crash_point.h"
#include "lakeward/connector/delta/delta_columns.h"
#include "lakeward/format/parquet/parquet_format.h"
#include "lakeward/table/delta/actions.h"
#include "lakeward/types/arrow_mapping.h"

namespace lakeward::connector {
namespace {

constexpr char kCodecProperty[] = "delta.parquet.compression.codec";

class DeltaDataFile final : public DataFile {
 public:
  DeltaDataFile(DeltaDataFileSpec spec, std::shared_ptr<fs::OutputFile> output,
                std::unique_ptr<format::FileWriter> writer)
      : spec_(std::move(spec)),
        output_(std::move(output)),
        writer_(std::move(writer)),
        schema_(types::ToArrowSchema(spec_.stored_data_schema)) {}

  Status Write(const arrow::RecordBatch& rows) override {
    LW_ASSIGN(const std::shared_ptr<arrow::RecordBatch> stored, Reinterpret(rows, schema_));
    return writer_->Write(*stored);
  }

  int64_t EstimatedSizeBytes() const override { return writer_->EstimatedSizeBytes(); }
  int64_t BufferedBytes() const override { return writer_->BufferedBytes(); }
  void FlushBeforeNextWrite() override { writer_->FlushBeforeNextWrite(); }

  Result<stream::Committable> Finish() override {
    LW_ASSIGN(const format::FileStatistics statistics, writer_->Finish());
    CrashPoint("sink.before-file-close");
    LW_ASSIGN(const int64_t size_bytes, output_->Tell());
    LW_TRY(output_->Close());
    CrashPoint("sink.after-file-close");
    delta::AddFile file;
    file.path = spec_.relative_path;
    file.partition_values = spec_.partition_values;
    file.size_bytes = size_bytes;
    file.modification_time_ms = spec_.clock->NowMillis();
    file.statistics_json =
        delta::StatisticsToJson(statistics, spec_.stored_data_schema, spec_.metadata);
    return stream::Committable{delta::ToLine(file)};
  }

  void Abort() override {
    writer_.reset();
    // The file was never visible; what Abort cannot remove the next start finds by its intent.
    const Status ignored = output_->Abort();
    static_cast<void>(ignored);
  }

 private:
  DeltaDataFileSpec spec_;
  std::shared_ptr<fs::OutputFile> output_;
  std::unique_ptr<format::FileWriter> writer_;
  std::shared_ptr<arrow::Schema> schema_;
};

}  // namespace

Result<std::unique_ptr<DataFile>> OpenDeltaDataFile(DeltaDataFileSpec spec) {
  format::ParquetWriteSettings settings;
  settings.schema = spec.stored_data_schema;
  settings.codec = "snappy";
  const auto codec = spec.metadata.configuration.find(kCodecProperty);
  if (codec != spec.metadata.configuration.end()) {
    settings.codec = codec->second;
  }
  LW_ASSIGN(std::shared_ptr<fs::OutputFile> output,
            spec.root.file_system->OpenOutput(fs::JoinPath(spec.root.path, spec.relative_path),
                                              {.if_absent = true}));
  LW_ASSIGN(std::unique_ptr<format::FileWriter> writer,
            format::OpenParquetWriter(output, settings));
  return std::make_unique<DeltaDataFile>(std::move(spec), std::move(output), std::move(writer));
}

}  // namespace lakeward::connector
