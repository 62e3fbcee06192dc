#include "lakeward/connector/result_file/result_file_connector.h"

#include <algorithm>
#include <map>
#include <utility>

#include "arrow/io/memory.h"
#include "lakeward/connector/one_way_connector.h"
#include "lakeward/format/format.h"
#include "lakeward/json/json.h"

namespace lakeward::connector {
namespace {

constexpr char kWhat[] = "the state of a result-file sink";

const config::Option<std::string>& Path() {
  static const auto option =
      config::Option<std::string>::Required("path", "The JSON file that holds the result.");
  return option;
}

/// Rows as JSON text, and how often each is in the result.
using RowCounts = std::map<std::string, int64_t>;

json::Json ToJson(const RowCounts& rows) {
  json::Json list = json::Json::array();
  for (const auto& [row, count] : rows) {
    list.push_back(json::Json::array({row, count}));
  }
  return list;
}

Status AddTo(const json::Json& list, RowCounts* rows) {
  for (const json::Json& entry : list) {
    if (!entry.is_array() || entry.size() != 2 || !entry[0].is_string() ||
        !entry[1].is_number_integer()) {
      return MakeError(ErrorKind::kCorruptData, std::string(kWhat) + " is malformed");
    }
    (*rows)[*entry[0].get_ptr<const std::string*>()] += *entry[1].get_ptr<const int64_t*>();
  }
  std::erase_if(*rows, [](const auto& entry) { return entry.second == 0; });
  return Status::OK();
}

struct ResultFileSettings {
  std::string table_name;
  fs::Location file;
  types::RowSchema schema;
  types::TimeZone zone;
};

class ResultFileWriter final : public stream::Writer {
 public:
  explicit ResultFileWriter(ResultFileSettings settings) : settings_(std::move(settings)) {}

  Status Restore(const state::OperatorState& state) override {
    for (const std::string& item : state.items) {
      LW_ASSIGN(const json::Json list, json::Parse(item, kWhat));
      LW_TRY(AddTo(list, &rows_));
    }
    return Status::OK();
  }

  Status Write(const stream::Batch& batch) override {
    LW_ASSIGN(const stream::Batch rows, stream::Materialize(batch, arrow::default_memory_pool()));
    LW_ASSIGN(const std::vector<std::string> lines, Lines(*rows.records));
    for (size_t row = 0; row < lines.size(); ++row) {
      const auto kind =
          rows.row_kinds == nullptr
              ? types::RowKind::kInsert
              : static_cast<types::RowKind>(rows.row_kinds->Value(static_cast<int64_t>(row)));
      int64_t& count = rows_[lines[row]];
      count += types::IsAdditive(kind) ? 1 : -1;
      if (count == 0) {
        rows_.erase(lines[row]);
      }
    }
    return Status::OK();
  }

  Result<std::vector<stream::Committable>> PrepareCommit(int64_t checkpoint_id) override {
    json::Json payload;
    payload["checkpoint"] = checkpoint_id;
    payload["rows"] = ToJson(rows_);
    return std::vector<stream::Committable>{{json::Write(payload)}};
  }

  Result<state::OperatorState> Snapshot() override {
    state::OperatorState state;
    state.items.push_back(json::Write(ToJson(rows_)));
    return state;
  }

 private:
  Result<std::vector<std::string>> Lines(const arrow::RecordBatch& records) const {
    LW_ASSIGN(std::shared_ptr<arrow::io::BufferOutputStream> output,
              arrow::io::BufferOutputStream::Create());
    format::WriteSettings write;
    write.schema = settings_.schema;
    write.zone = settings_.zone;
    LW_ASSIGN(const std::unique_ptr<format::FileWriter> writer,
              format::FindFormat("json")->open_writer(output, write));
    LW_TRY(writer->Write(records));
    LW_TRY(writer->Finish().status());
    LW_ASSIGN(const std::shared_ptr<arrow::Buffer> buffer, output->Finish());
    std::vector<std::string> lines;
    std::string_view text(*buffer);
    while (!text.empty()) {
      const size_t end = std::min(text.find('\n'), text.size());
      lines.emplace_back(text.substr(0, end));
      text.remove_prefix(std::min(end + 1, text.size()));
    }
    LW_CHECK(static_cast<int64_t>(lines.size()) == records.num_rows());
    return lines;
  }

  ResultFileSettings settings_;
  RowCounts rows_;
};

class ResultFileCommitter final : public stream::Committer {
 public:
  explicit ResultFileCommitter(ResultFileSettings settings) : settings_(std::move(settings)) {}

  Status Commit(const stream::CommitRequest& request) override {
    // Each committable is one task's whole part: only those of the newest checkpoint count.
    int64_t newest = 0;
    RowCounts rows;
    for (const stream::Committable& committable : request.committables) {
      LW_ASSIGN(const json::Json payload, json::Parse(committable.payload, kWhat));
      LW_ASSIGN(const int64_t checkpoint, json::GetInt64(payload, "checkpoint", kWhat));
      if (checkpoint > newest) {
        newest = checkpoint;
        rows.clear();
      }
      const json::Json* list = json::Find(payload, "rows");
      if (checkpoint == newest && list != nullptr) {
        LW_TRY(AddTo(*list, &rows));
      }
    }
    json::Json document;
    document["sink_id"] = request.sink_id;
    document["checkpoint"] = request.checkpoint_id;
    document["rows"] = json::Json::array();
    for (const auto& [row, count] : rows) {
      if (count < 0) {
        return MakeError(ErrorKind::kInternal, "Table '" + settings_.table_name + "': row " + row +
                                                   " was taken back more often than it was given");
      }
      LW_ASSIGN(const json::Json value, json::Parse(row, kWhat));
      for (int64_t i = 0; i < count; ++i) {
        document["rows"].push_back(value);
      }
    }
    return settings_.file.file_system->Put(settings_.file.path, json::Write(document) + "\n", {});
  }

  Result<int64_t> CommittedCheckpoint(const std::string& sink_id) override {
    const auto text = settings_.file.file_system->ReadAll(settings_.file.path);
    if (!text.ok()) {
      return KindOf(text.status()) == ErrorKind::kNotFound ? Result<int64_t>(0) : text.status();
    }
    LW_ASSIGN(const json::Json document, json::Parse(*text, settings_.file.uri));
    LW_ASSIGN(const std::string owner, json::GetString(document, "sink_id", settings_.file.uri));
    if (owner != sink_id) {
      return int64_t{0};
    }
    return json::GetInt64(document, "checkpoint", settings_.file.uri);
  }

 private:
  ResultFileSettings settings_;
};

class ResultFileSink final : public stream::Sink {
 public:
  explicit ResultFileSink(ResultFileSettings settings) : settings_(std::move(settings)) {}
  Result<std::unique_ptr<stream::Writer>> MakeWriter(const stream::WriterContext&) override {
    return std::make_unique<ResultFileWriter>(settings_);
  }
  Result<std::unique_ptr<stream::Committer>> MakeCommitter() override {
    return std::make_unique<ResultFileCommitter>(settings_);
  }

 private:
  ResultFileSettings settings_;
};

class ResultFileConnector final : public SinkOnlyConnector {
 public:
  std::string_view identifier() const override { return "result-file"; }
  std::string_view doc() const override {
    return "Keeps the whole current result of a query in one JSON file; for small results.";
  }
  std::vector<config::OptionInfo> options() const override {
    return {Path().info(), SinkParallelismOption()};
  }

  Result<std::unique_ptr<catalog::SinkNegotiation>> NegotiateSink(
      const catalog::TableContext& context) const override {
    LW_TRY(ValidateTableOptions(context, *this, context.engine->file_systems->option_prefixes()));
    LW_ASSIGN(const int parallelism, SinkParallelism(context));
    return std::make_unique<AnyChangelogSinkNegotiation>(context.table->PhysicalSchema(),
                                                         parallelism, WritesTables::kYes);
  }

  Result<std::unique_ptr<stream::Sink>> MakeSink(
      const catalog::TableContext& context,
      const catalog::SinkNegotiation& negotiation) const override {
    ResultFileSettings settings;
    settings.table_name = context.path.ToString();
    LW_ASSIGN(const std::string path, config::Get(context.table->options, Path()));
    LW_ASSIGN(settings.file, context.engine->file_systems->Resolve(path, context.settings));
    settings.schema = negotiation.schema();
    settings.zone = context.zone;
    return std::make_unique<ResultFileSink>(std::move(settings));
  }
};

}  // namespace

std::shared_ptr<const Connector> MakeResultFileConnector() {
  return std::make_shared<ResultFileConnector>();
}

}  // namespace lakeward::connector
