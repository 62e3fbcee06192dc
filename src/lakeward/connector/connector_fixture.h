#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "arrow/json/from_string.h"
#include "arrow/memory_pool.h"
#include "arrow/record_batch.h"
#include "gtest/gtest.h"
#include "lakeward/base/random.h"
#include "lakeward/connector/connector.h"
#include "lakeward/fs/file_systems.h"
#include "lakeward/fs/memory.h"
#include "lakeward/types/arrow_mapping.h"
#include "support/manual_clock.h"
#include "support/status_matchers.h"

namespace lakeward::connector {

/// Takes down what writers announce.
class RecordingIntentLog final : public stream::IntentLog {
 public:
  Status Announce(int64_t checkpoint_id, const std::string& folder_uri,
                  const std::string& file_prefix) override {
    announced.push_back(std::to_string(checkpoint_id) + " " + folder_uri + " " + file_prefix);
    return Status::OK();
  }

  std::vector<std::string> announced;
};

/// Runs connectors as the planner and the tasks do, over a file system in memory and a clock that
/// stands.
class ConnectorFixture : public ::testing::Test {
 protected:
  ConnectorFixture() {
    auto file_systems = std::make_shared<fs::FileSystems>();
    file_systems->Register("memory", [this](std::string_view, const auto&) { return files_; });
    engine_.file_systems = std::move(file_systems);
    engine_.clock = &clock_;
    engine_.random = SystemRandom();
  }

  /// The table `c.d.t`.
  catalog::TableContext Table(std::vector<types::Column> columns, config::OptionMap options,
                              std::vector<std::string> partition_keys = {}) {
    auto table = std::make_shared<catalog::CatalogTable>();
    for (types::Column& column : columns) {
      catalog::TableColumn declared;
      declared.name = std::move(column.name);
      declared.type = std::move(column.type);
      table->columns.push_back(std::move(declared));
    }
    table->options = std::move(options);
    table->partition_keys = std::move(partition_keys);
    catalog::TableContext context;
    context.path = {"c", "d", "t"};
    context.table = std::move(table);
    context.engine = &engine_;
    return context;
  }

  /// Rows of columns that are given as JSON arrays.
  static stream::Batch Rows(const catalog::TableContext& table,
                            const std::vector<std::string>& columns) {
    const types::RowSchema schema = table.table->PhysicalSchema();
    std::vector<std::shared_ptr<arrow::Array>> arrays;
    for (size_t i = 0; i < columns.size(); ++i) {
      arrays.push_back(
          arrow::json::ArrayFromJSONString(types::ToArrow(*schema.columns[i].type), columns[i])
              .ValueOrDie());
    }
    const int64_t row_count = arrays[0]->length();
    stream::Batch batch;
    batch.records =
        arrow::RecordBatch::Make(types::ToArrowSchema(schema), row_count, std::move(arrays));
    return batch;
  }

  stream::TaskContext Task(int subtask = 0, int parallelism = 1) {
    stream::TaskContext task;
    task.operator_name = "Test";
    task.operator_id = "test";
    task.subtask = subtask;
    task.parallelism = parallelism;
    task.evaluation.memory_pool = arrow::default_memory_pool();
    task.clock = &clock_;
    return task;
  }

  stream::WriterContext WriterFor(int subtask = 0, int parallelism = 1) {
    stream::WriterContext context;
    context.task = Task(subtask, parallelism);
    context.sink_id = "sink1";
    context.intents = &intents_;
    context.current_checkpoint = [this] { return checkpoint_; };
    return context;
  }

  static Result<std::unique_ptr<stream::Source>> SourceOf(const Connector& connector,
                                                          const catalog::TableContext& table,
                                                          const std::vector<int>& columns = {}) {
    LW_ASSIGN(const std::unique_ptr<catalog::ScanNegotiation> negotiation,
              connector.NegotiateScan(table));
    if (!columns.empty()) {
      EXPECT_TRUE(negotiation->ApplyProjection(columns));
    }
    return connector.MakeSource(table, *negotiation);
  }

  static Result<std::unique_ptr<stream::Sink>> SinkOf(const Connector& connector,
                                                      const catalog::TableContext& table) {
    LW_ASSIGN(const std::unique_ptr<catalog::SinkNegotiation> negotiation,
              connector.NegotiateSink(table));
    return connector.MakeSink(table, *negotiation);
  }

  /// What a split has left, as lines of values with ", " between.
  static Result<std::vector<std::string>> ReadToEnd(stream::SplitReader* reader) {
    std::vector<std::string> lines;
    while (true) {
      LW_ASSIGN(const stream::PollResult polled, reader->Poll());
      if (polled.kind != stream::PollKind::kBatch) {
        EXPECT_EQ(polled.kind, stream::PollKind::kSplitEnd);
        return lines;
      }
      AppendLines(*polled.batch.records, &lines);
    }
  }

  static void AppendLines(const arrow::RecordBatch& records, std::vector<std::string>* lines) {
    for (int64_t row = 0; row < records.num_rows(); ++row) {
      std::string line;
      for (int i = 0; i < records.num_columns(); ++i) {
        line += i == 0 ? "" : ", ";
        line += records.column(i)->GetScalar(row).ValueOrDie()->ToString();
      }
      lines->push_back(std::move(line));
    }
  }

  Result<std::vector<std::string>> ReadAll(stream::Source* source, int parallelism = 1) {
    LW_ASSIGN(const std::vector<stream::Split> splits, source->Enumerate(parallelism));
    std::vector<std::string> lines;
    for (const stream::Split& split : splits) {
      LW_ASSIGN(const std::unique_ptr<stream::SplitReader> reader,
                source->OpenSplit(split, Task()));
      LW_ASSIGN(const std::vector<std::string> more, ReadToEnd(reader.get()));
      lines.insert(lines.end(), more.begin(), more.end());
    }
    return lines;
  }

  /// The whole message and, on a line of its own, the remedy.
  template <typename T>
  static std::string ErrorOf(const Result<T>& result) {
    return result.ok() ? "no error" : Describe(result.status());
  }
  static std::string ErrorOf(const Status& status) {
    return status.ok() ? "no error" : Describe(status);
  }

  /// Visible files below the table's folder, with what they hold.
  std::map<std::string, std::string> Files(const std::string& folder) {
    std::map<std::string, std::string> contents;
    for (const fs::FileInfo& file : files_->List(folder).ValueOrDie()) {
      contents[file.path.substr(folder.size() + 1)] = files_->ReadAll(file.path).ValueOrDie();
    }
    return contents;
  }

  test::ManualClock clock_{1'700'000'000'000'000};
  std::shared_ptr<fs::FileSystem> files_ = fs::MakeMemoryFileSystem(&clock_);
  catalog::EngineContext engine_;
  RecordingIntentLog intents_;
  int64_t checkpoint_ = 1;
};

}  // namespace lakeward::connector
