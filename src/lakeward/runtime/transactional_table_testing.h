#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "fmt/format.h"
#include "lakeward/base/ids.h"
#include "lakeward/base/random.h"
#include "lakeward/fs/file_system.h"
#include "lakeward/json/json.h"
#include "lakeward/stream/sink.h"
#include "lakeward/types/row_kind.h"

namespace lakeward::runtime {

/// A table as small as one can be: `log/<number>` names, by put-if-absent, the data files that an
/// entry adds, whose sink wrote them and up to which checkpoint. Rows are text: "+I 1 2 3".
class TransactionalTable {
 public:
  explicit TransactionalTable(std::shared_ptr<fs::FileSystem> file_system)
      : file_system_(std::move(file_system)) {}

  struct Entry {
    std::string sink_id;
    int64_t checkpoint_id = 0;
    std::vector<std::string> files;
  };

  fs::FileSystem* file_system() const { return file_system_.get(); }

  Result<std::vector<Entry>> ReadLog() const {
    LW_ASSIGN(const auto files, file_system_->List("table/log"));
    std::vector<Entry> entries;
    for (const fs::FileInfo& file : files) {
      LW_ASSIGN(const std::string text, file_system_->ReadAll(file.path));
      LW_ASSIGN(const json::Json json, json::Parse(text, file.path));
      Entry entry;
      LW_ASSIGN(entry.sink_id, json::GetString(json, "sink", file.path));
      LW_ASSIGN(entry.checkpoint_id, json::GetInt64(json, "checkpoint", file.path));
      for (const json::Json& path : *json::Find(json, "files")) {
        entry.files.push_back(path.get<std::string>());
      }
      entries.push_back(std::move(entry));
    }
    return entries;
  }

  /// Adds an entry unless one of the same sink already covers the checkpoint.
  Status Append(const Entry& entry) const {
    while (true) {
      LW_ASSIGN(const std::vector<Entry> log, ReadLog());
      for (const Entry& other : log) {
        if (other.sink_id == entry.sink_id && other.checkpoint_id >= entry.checkpoint_id) {
          return Status::OK();
        }
      }
      json::Json json{{"sink", entry.sink_id}, {"checkpoint", entry.checkpoint_id}};
      json["files"] = entry.files;
      Status put = file_system_->Put(fmt::format("table/log/{:08}", log.size()), json::Write(json),
                                     {.if_absent = true});
      if (put.ok() || KindOf(put) != ErrorKind::kAlreadyExists) {
        return put;
      }
    }
  }

  /// The rows of all entries, in the order of the log.
  Result<std::vector<std::string>> ReadRows() const {
    LW_ASSIGN(const std::vector<Entry> log, ReadLog());
    std::vector<std::string> rows;
    for (const Entry& entry : log) {
      for (const std::string& file : entry.files) {
        LW_ASSIGN(const std::string text, file_system_->ReadAll(file));
        for (size_t begin = 0; begin < text.size();) {
          const size_t end = text.find('\n', begin);
          rows.push_back(text.substr(begin, end - begin));
          begin = end + 1;
        }
      }
    }
    return rows;
  }

  /// Data files that no entry names.
  Result<std::vector<std::string>> FindOrphans() const {
    LW_ASSIGN(const std::vector<Entry> log, ReadLog());
    std::set<std::string> known;
    for (const Entry& entry : log) {
      known.insert(entry.files.begin(), entry.files.end());
    }
    LW_ASSIGN(const auto files, file_system_->List("table/data"));
    std::vector<std::string> orphans;
    for (const fs::FileInfo& file : files) {
      if (!known.contains(file.path)) {
        orphans.push_back(file.path);
      }
    }
    return orphans;
  }

 private:
  const std::shared_ptr<fs::FileSystem> file_system_;
};

/// Appends to a TransactionalTable: one file per writer and checkpoint.
class TransactionalSink final : public stream::Sink {
 public:
  explicit TransactionalSink(TransactionalTable table) : table_(std::move(table)) {}

  Result<std::unique_ptr<stream::Writer>> MakeWriter(
      const stream::WriterContext& context) override {
    return std::make_unique<TableWriter>(table_, context);
  }

  Result<std::unique_ptr<stream::Committer>> MakeCommitter() override {
    return std::make_unique<TableCommitter>(table_);
  }

 private:
  class TableWriter final : public stream::Writer {
   public:
    TableWriter(TransactionalTable table, stream::WriterContext context)
        : table_(std::move(table)), context_(std::move(context)) {}

    Status Write(const stream::Batch& batch) override {
      if (path_.empty()) {
        const int64_t checkpoint_id = context_.current_checkpoint();
        const std::string prefix =
            fmt::format("{}-{}-{}", context_.sink_id, checkpoint_id, context_.task.subtask);
        LW_TRY(context_.intents->Announce(checkpoint_id, "table/data", prefix));
        path_ = fmt::format("table/data/{}-{}", prefix, MakeUuid(context_.task.random));
      }
      for (int64_t i = 0; i < batch.row_count(); ++i) {
        const int64_t row = batch.selection == nullptr ? i : batch.selection->Value(i);
        const auto kind = batch.row_kinds == nullptr
                              ? types::RowKind::kInsert
                              : static_cast<types::RowKind>(batch.row_kinds->Value(row));
        text_ += types::ToShortString(kind);
        for (const auto& column : batch.records->columns()) {
          LW_ASSIGN(const auto value, column->GetScalar(row));
          text_ += " " + value->ToString();
        }
        text_ += '\n';
      }
      return Status::OK();
    }

    Result<std::vector<stream::Committable>> PrepareCommit(int64_t checkpoint_id) override {
      std::vector<stream::Committable> committables;
      if (!path_.empty()) {
        LW_TRY(table_.file_system()->Put(path_, text_, {}));
        committables.push_back({path_});
      }
      path_.clear();
      text_.clear();
      return committables;
    }

   private:
    const TransactionalTable table_;
    const stream::WriterContext context_;
    std::string path_;
    std::string text_;
  };

  class TableCommitter final : public stream::Committer {
   public:
    explicit TableCommitter(TransactionalTable table) : table_(std::move(table)) {}

    Status Commit(const stream::CommitRequest& request) override {
      TransactionalTable::Entry entry{request.sink_id, request.checkpoint_id, {}};
      for (const stream::Committable& committable : request.committables) {
        entry.files.push_back(committable.payload);
      }
      return table_.Append(entry);
    }

    Result<int64_t> CommittedCheckpoint(const std::string& sink_id) override {
      LW_ASSIGN(const auto log, table_.ReadLog());
      int64_t newest = 0;
      for (const TransactionalTable::Entry& entry : log) {
        if (entry.sink_id == sink_id) {
          newest = std::max(newest, entry.checkpoint_id);
        }
      }
      return newest;
    }

    Result<int64_t> RemoveOrphans(const std::string& folder_uri, const std::string& file_prefix,
                                  const std::vector<stream::CommitRequest>& pending) override {
      std::set<std::string> wanted;
      for (const stream::CommitRequest& request : pending) {
        for (const stream::Committable& committable : request.committables) {
          wanted.insert(committable.payload);
        }
      }
      LW_ASSIGN(const std::vector<std::string> orphans, table_.FindOrphans());
      const std::string start = folder_uri + "/" + file_prefix + "-";
      int64_t removed = 0;
      for (const std::string& path : orphans) {
        if (path.starts_with(start) && !wanted.contains(path)) {
          LW_TRY(table_.file_system()->Remove(path));
          ++removed;
        }
      }
      return removed;
    }

   private:
    const TransactionalTable table_;
  };

  const TransactionalTable table_;
};

}  // namespace lakeward::runtime
