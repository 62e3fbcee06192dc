// The limit that the ingest benchmark is held against: JSON lines to partitioned Parquet files with
// nothing but simdjson, Arrow's builders and the Parquet writer, hard-coded for the columns of
// json_rows.h. Same codec, encodings and partitions as the table writer; no table log, no
// checkpoints, no errors handled beyond ending.
//
//   bare_ingest INPUT OUTPUT_FOLDER [--threads 2] [--codec snappy] [--rows-per-batch 16384]

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <unordered_map>
#include <vector>

#include "arrow/array/builder_binary.h"
#include "arrow/array/builder_primitive.h"
#include "arrow/array/builder_time.h"
#include "arrow/io/file.h"
#include "arrow/record_batch.h"
#include "parquet/arrow/writer.h"
#include "parquet/properties.h"
#include "simdjson.h"

namespace {

constexpr int64_t kBlockBytes = 1 << 20;

void Check(bool ok, const char* what) {
  if (!ok) {
    std::fprintf(stderr, "bare_ingest: %s\n", what);
    std::_Exit(1);
  }
}
void Check(const arrow::Status& status) { Check(status.ok(), status.ToString().c_str()); }
template <typename T>
T Take(arrow::Result<T> result) {
  Check(result.status());
  return std::move(result).ValueUnsafe();
}

struct Settings {
  std::string input;
  std::string output;
  int threads = 2;
  std::string codec = "snappy";
  int64_t rows_per_batch = 16'384;
};

std::shared_ptr<arrow::Schema> FileSchema() {
  return arrow::schema({arrow::field("id", arrow::int64()), arrow::field("user_id", arrow::int64()),
                        arrow::field("ts", arrow::timestamp(arrow::TimeUnit::MICRO, "UTC")),
                        arrow::field("event", arrow::utf8()), arrow::field("path", arrow::utf8()),
                        arrow::field("amount", arrow::float64()),
                        arrow::field("ratio", arrow::float64())});
}

/// The rows of one partition that wait, and its file.
class Partition {
 public:
  Partition(std::string path, const Settings& settings)
      : path_(std::move(path)), settings_(settings), schema_(FileSchema()) {
    Reserve();
  }

  arrow::Int64Builder id_, user_id_;
  arrow::TimestampBuilder ts_builder_{arrow::timestamp(arrow::TimeUnit::MICRO, "UTC"),
                                      arrow::default_memory_pool()};
  arrow::StringBuilder event_, path_column_;
  arrow::DoubleBuilder amount_, ratio_;

  void RowDone() {
    if (++rows_ == settings_.rows_per_batch) {
      Flush();
    }
  }

  void Close() {
    Flush();
    if (writer_ != nullptr) {
      Check(writer_->Close());
      Check(file_->Close());
    }
  }

 private:
  void Reserve() {
    for (arrow::ArrayBuilder* builder : Builders()) {
      Check(builder->Reserve(settings_.rows_per_batch));
    }
  }
  std::vector<arrow::ArrayBuilder*> Builders() {
    return {&id_, &user_id_, &ts_builder_, &event_, &path_column_, &amount_, &ratio_};
  }

  void Flush() {
    if (rows_ == 0) {
      return;
    }
    std::vector<std::shared_ptr<arrow::Array>> arrays;
    for (arrow::ArrayBuilder* builder : Builders()) {
      arrays.push_back(Take(builder->Finish()));
    }
    if (writer_ == nullptr) {
      Open();
    }
    const auto batch = arrow::RecordBatch::Make(schema_, rows_, std::move(arrays));
    Check(writer_->WriteRecordBatch(*batch));
    rows_ = 0;
    Reserve();
  }

  void Open() {
    file_ = Take(arrow::io::FileOutputStream::Open(path_));
    parquet::WriterProperties::Builder properties;
    properties.compression(settings_.codec == "snappy" ? parquet::Compression::SNAPPY
                           : settings_.codec == "zstd" ? parquet::Compression::ZSTD
                                                       : parquet::Compression::UNCOMPRESSED);
    properties.disable_dictionary()->enable_dictionary("event");
    writer_ = Take(parquet::arrow::FileWriter::Open(*schema_, arrow::default_memory_pool(), file_,
                                                    properties.build()));
    Check(writer_->NewBufferedRowGroup());
  }

  std::string path_;
  const Settings& settings_;
  std::shared_ptr<arrow::Schema> schema_;
  int64_t rows_ = 0;
  std::shared_ptr<arrow::io::FileOutputStream> file_;
  std::unique_ptr<parquet::arrow::FileWriter> writer_;
};

int Digits(const char* p, int count) {
  int value = 0;
  for (int i = 0; i < count; ++i) {
    value = value * 10 + (p[i] - '0');
  }
  return value;
}

/// "2024-01-31 12:34:56.789" to microseconds.
int64_t ParseTimestamp(std::string_view text) {
  int64_t year = Digits(text.data(), 4);
  const int month = Digits(text.data() + 5, 2);
  const int day = Digits(text.data() + 8, 2);
  year -= month <= 2;
  const int64_t era = year / 400;
  const int64_t year_of_era = year - era * 400;
  const int64_t day_of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
  const int64_t days = era * 146'097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 +
                       day_of_year - 719'468;
  const int64_t seconds = days * 86'400 + Digits(text.data() + 11, 2) * 3600 +
                          Digits(text.data() + 14, 2) * 60 + Digits(text.data() + 17, 2);
  return seconds * 1'000'000 + Digits(text.data() + 20, 3) * 1000;
}

/// One thread's share of the file.
class Worker {
 public:
  Worker(const Settings& settings, int number) : settings_(settings), number_(number) {}

  void Run(int64_t begin, int64_t end, int64_t file_size) {
    const auto file = Take(arrow::io::ReadableFile::Open(settings_.input));
    std::vector<char> buffer(kBlockBytes + simdjson::SIMDJSON_PADDING);
    int64_t offset = begin;
    bool at_line = begin == 0;
    while (offset < end) {
      const int64_t count = Take(file->ReadAt(offset, kBlockBytes, buffer.data()));
      const char* text = buffer.data();
      int64_t start = 0;
      if (!at_line) {
        start = static_cast<const char*>(std::memchr(text, '\n', static_cast<size_t>(count))) -
                text + 1;
        at_line = true;
      }
      int64_t stop =
          static_cast<const char*>(::memrchr(text, '\n', static_cast<size_t>(count))) - text + 1;
      if (offset + stop > end && end < file_size) {
        const int64_t owned = std::max(end - offset, start);
        stop = static_cast<const char*>(
                   std::memchr(text + owned, '\n', static_cast<size_t>(count - owned))) -
               text + 1;
      }
      Parse(text + start, static_cast<size_t>(stop - start));
      offset += stop;
    }
    for (auto& [name, partition] : partitions_) {
      partition->Close();
    }
  }

  int64_t rows() const { return rows_; }

 private:
  void Parse(const char* text, size_t size) {
    simdjson::ondemand::document_stream lines;
    Check(parser_.iterate_many(text, size, kBlockBytes).get(lines) == simdjson::SUCCESS,
          "iterate_many");
    for (auto line : lines) {
      ParseRow(line);
    }
  }

  template <typename Document>
  void ParseRow(Document& line) {
    simdjson::ondemand::object row = line.get_object();
    // The partition stands in the middle of a row, so that what comes before it is kept aside.
    const int64_t id = row["id"].get_int64();
    const int64_t user_id = row["user_id"].get_int64();
    const std::string_view ts = row["ts"].get_string();
    const std::string_view country = row["country"].get_string();
    Partition& partition = PartitionOf(country);
    partition.id_.UnsafeAppend(id);
    partition.user_id_.UnsafeAppend(user_id);
    partition.ts_builder_.UnsafeAppend(ParseTimestamp(ts));
    const std::string_view event = row["event"].get_string();
    Check(partition.event_.Append(event));
    const std::string_view path = row["path"].get_string();
    Check(partition.path_column_.Append(path));
    partition.amount_.UnsafeAppend(double(row["amount"]));
    partition.ratio_.UnsafeAppend(double(row["ratio"]));
    partition.RowDone();
    ++rows_;
  }

  Partition& PartitionOf(std::string_view country) {
    key_.assign(country);
    std::unique_ptr<Partition>& partition = partitions_[key_];
    if (partition == nullptr) {
      const std::string folder = settings_.output + "/country=" + key_;
      std::filesystem::create_directories(folder);
      partition = std::make_unique<Partition>(
          folder + "/part-" + std::to_string(number_) + ".parquet", settings_);
    }
    return *partition;
  }

  const Settings& settings_;
  int number_;
  int64_t rows_ = 0;
  std::string key_;
  simdjson::ondemand::parser parser_;
  std::unordered_map<std::string, std::unique_ptr<Partition>> partitions_;
};

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  std::vector<std::string> places;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--threads" && i + 1 < argc) {
      settings.threads = std::max(1, std::atoi(argv[++i]));
    } else if (argument == "--codec" && i + 1 < argc) {
      settings.codec = argv[++i];
    } else if (argument == "--rows-per-batch" && i + 1 < argc) {
      settings.rows_per_batch = std::max(1, std::atoi(argv[++i]));
    } else {
      places.push_back(argument);
    }
  }
  if (places.size() != 2) {
    std::fprintf(stderr, "Usage: bare_ingest INPUT OUTPUT_FOLDER [--threads N] [--codec C]\n");
    return 2;
  }
  settings.input = places[0];
  settings.output = places[1];
  const auto size = static_cast<int64_t>(std::filesystem::file_size(settings.input));
  std::vector<std::unique_ptr<Worker>> workers;
  std::vector<std::thread> threads;
  for (int i = 0; i < settings.threads; ++i) {
    workers.push_back(std::make_unique<Worker>(settings, i));
    threads.emplace_back([&, i] {
      workers[static_cast<size_t>(i)]->Run(size * i / settings.threads,
                                           size * (i + 1) / settings.threads, size);
    });
  }
  int64_t rows = 0;
  for (int i = 0; i < settings.threads; ++i) {
    threads[static_cast<size_t>(i)].join();
    rows += workers[static_cast<size_t>(i)]->rows();
  }
  std::printf("%lld rows\n", static_cast<long long>(rows));
  return 0;
}
