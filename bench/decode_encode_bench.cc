// Prints nanoseconds of CPU time per row of each stage between JSON text and files, one thread.
// An argument names the stages wanted by a part of their name.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <string>
#include <vector>

#include "arrow/io/memory.h"
#include "arrow/record_batch.h"
#include "json_rows.h"
#include "lakeward/format/format.h"
#include "lakeward/format/json/structural_index.h"
#include "lakeward/format/parquet/parquet_format.h"
#include "lakeward/fs/memory.h"

namespace lakeward::bench {
namespace {

constexpr int kRows = 200'000;
constexpr int kRepeats = 15;

types::RowSchema BenchSchema() {
  return {{{"id", types::BigInt()},
           {"user_id", types::BigInt()},
           {"ts", types::Timestamp(3)},
           {"country", types::String()},
           {"event", types::String()},
           {"path", types::String()},
           {"amount", types::Double()},
           {"ratio", types::Double()}}};
}

/// Only stages whose name holds this run.
std::string wanted_stage;

/// The median of several runs; `stage` returns what it made, so that nothing is optimised away.
void Measure(const char* name, const std::function<Result<int64_t>()>& stage) {
  if (std::string_view(name).find(wanted_stage) == std::string_view::npos) {
    return;
  }
  std::vector<double> nanos;
  int64_t made = 0;
  for (int i = 0; i < kRepeats; ++i) {
    const std::clock_t start = std::clock();
    const Result<int64_t> result = stage();
    if (!result.ok()) {
      std::fprintf(stderr, "%s: %s\n", name, Describe(result.status()).c_str());
      std::exit(1);
    }
    made = *result;
    nanos.push_back(1e9 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC / kRows);
  }
  std::sort(nanos.begin(), nanos.end());
  std::printf("%-28s %7.1f ns/row  (%.1f..%.1f)  %6.2f M rows/s  %12lld\n", name,
              nanos[kRepeats / 2], nanos.front(), nanos.back(), 1e3 / nanos[kRepeats / 2],
              static_cast<long long>(made));
}

Result<std::vector<std::shared_ptr<arrow::RecordBatch>>> Decode(const std::string& text) {
  const format::Format& json = *format::FindFormat("json");
  format::FileRange range;
  range.file.file_system = fs::MakeMemoryFileSystem();
  range.file.path = "/rows";
  LW_TRY(range.file.file_system->Put(range.file.path, text, {}));
  LW_ASSIGN(const auto reader, json.open_reader(range, {.schema = BenchSchema()}));
  std::vector<std::shared_ptr<arrow::RecordBatch>> batches;
  for (;;) {
    LW_ASSIGN(auto batch, reader->Next());
    if (batch == nullptr) {
      return batches;
    }
    batches.push_back(std::move(batch));
  }
}

Result<int64_t> DecodeRows(const format::FileRange& range, const types::RowSchema& schema) {
  LW_ASSIGN(const auto reader, format::FindFormat("json")->open_reader(range, {.schema = schema}));
  int64_t rows = 0;
  for (;;) {
    LW_ASSIGN(const auto batch, reader->Next());
    if (batch == nullptr) {
      return rows;
    }
    rows += batch->num_rows();
  }
}

Result<int64_t> Encode(format::FileWriter* writer,
                       const std::vector<std::shared_ptr<arrow::RecordBatch>>& batches) {
  for (const auto& batch : batches) {
    LW_TRY(writer->Write(*batch));
  }
  LW_ASSIGN(const format::FileStatistics statistics, writer->Finish());
  return statistics.size_bytes;
}

Status Run() {
  std::string text;
  JsonRows source(42);
  for (int i = 0; i < kRows; ++i) {
    source.AppendRow(&text);
  }
  std::printf("%d rows, %.1f bytes a row, one thread, medians of %d\n", kRows,
              static_cast<double>(text.size()) / kRows, kRepeats);
  const size_t size = text.size();
  text.append(format::StructuralIndex::kPadding, ' ');
  Measure("index JSON", [&]() -> Result<int64_t> {
    format::StructuralIndex index;
    constexpr size_t kBlock = 1 << 20;
    int64_t tokens = 0;
    for (size_t offset = 0; offset < size; offset += kBlock) {
      index.Index(text.data() + offset, std::min(kBlock, size - offset));
      tokens += static_cast<int64_t>(index.count());
    }
    return tokens;
  });
  text.resize(size);

  format::FileRange range;
  range.file.file_system = fs::MakeMemoryFileSystem();
  range.file.path = "/rows";
  LW_TRY(range.file.file_system->Put(range.file.path, text, {}));
  Measure("decode JSON, 8 of 8 columns", [&] { return DecodeRows(range, BenchSchema()); });
  types::RowSchema two = BenchSchema();
  two.columns = {two.columns[0], two.columns[6]};
  Measure("decode JSON, 2 of 8 columns", [&] { return DecodeRows(range, two); });

  LW_ASSIGN(const auto batches, Decode(text));
  const auto output = [] { return std::make_shared<arrow::io::MockOutputStream>(); };
  Measure("encode JSON", [&]() -> Result<int64_t> {
    const auto stream = output();
    LW_ASSIGN(const auto writer,
              format::FindFormat("json")->open_writer(stream, {.schema = BenchSchema()}));
    return Encode(writer.get(), batches);
  });
  for (const char* codec : {"uncompressed", "snappy", "zstd"}) {
    const std::string name = std::string("encode Parquet, ") + codec;
    Measure(name.c_str(), [&]() -> Result<int64_t> {
      const auto stream = output();
      LW_ASSIGN(const auto writer,
                format::OpenParquetWriter(stream, {.schema = BenchSchema(), .codec = codec}));
      return Encode(writer.get(), batches);
    });
  }
  return Status::OK();
}

}  // namespace
}  // namespace lakeward::bench

int main(int argc, char** argv) {
  lakeward::bench::wanted_stage = argc > 1 ? argv[1] : "";
  const lakeward::Status status = lakeward::bench::Run();
  if (!status.ok()) {
    std::fprintf(stderr, "%s\n", lakeward::Describe(status).c_str());
    return 1;
  }
  return 0;
}
