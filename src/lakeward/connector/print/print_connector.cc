#include "lakeward/connector/print/print_connector.h"

#include <cstdio>
#include <utility>

#include "lakeward/base/mutex.h"
#include "lakeward/connector/one_way_connector.h"
#include "lakeward/connector/print/row_text.h"

namespace lakeward::connector {
namespace {

const config::Option<std::string>& PrintIdentifier() {
  static const config::Option<std::string> option{"print-identifier",
                                                  "Stands before each line, followed by '> '."};
  return option;
}

const config::Option<bool>& StandardError() {
  static const config::Option<bool> option{"standard-error", false,
                                           "Writes to standard error instead of standard output."};
  return option;
}

/// Lines of several tasks must not mix.
Mutex* OutputMutex() {
  static Mutex mutex;
  return &mutex;
}

struct PrintSettings {
  types::RowSchema schema;
  types::TimeZone zone;
  std::string identifier;
  bool standard_error = false;
};

class PrintWriter final : public stream::Writer {
 public:
  PrintWriter(PrintSettings settings, const stream::TaskContext& task)
      : settings_(std::move(settings)) {
    // Flink's PrintSinkOutputWriter: "identifier:subtask> ", either part only when there is one.
    prefix_ = settings_.identifier;
    if (task.parallelism > 1) {
      prefix_ += (prefix_.empty() ? "" : ":") + std::to_string(task.subtask + 1);
    }
    if (!prefix_.empty()) {
      prefix_ += "> ";
    }
  }

  Status Write(const stream::Batch& batch) override {
    LW_ASSIGN(const stream::Batch rows, stream::Materialize(batch, arrow::default_memory_pool()));
    std::string text;
    for (int64_t row = 0; row < rows.records->num_rows(); ++row) {
      const auto kind = rows.row_kinds == nullptr
                            ? types::RowKind::kInsert
                            : static_cast<types::RowKind>(rows.row_kinds->Value(row));
      text += prefix_;
      text += types::ToShortString(kind);
      text += '[';
      for (int column = 0; column < rows.records->num_columns(); ++column) {
        if (column != 0) {
          text += ", ";
        }
        AppendRowText(*rows.records->column(column), row,
                      *settings_.schema.columns[static_cast<size_t>(column)].type, settings_.zone,
                      &text);
      }
      text += "]\n";
    }
    std::FILE* output = settings_.standard_error ? stderr : stdout;
    MutexLock lock(OutputMutex());
    if (std::fwrite(text.data(), 1, text.size(), output) != text.size() ||
        std::fflush(output) != 0) {
      return MakeError(ErrorKind::kIo, "The print sink cannot write to its output",
                       "The reader of the pipe may have ended.");
    }
    return Status::OK();
  }

  Result<std::vector<stream::Committable>> PrepareCommit(int64_t) override {
    return std::vector<stream::Committable>();
  }

 private:
  PrintSettings settings_;
  std::string prefix_;
};

class PrintSink final : public stream::Sink {
 public:
  explicit PrintSink(PrintSettings settings) : settings_(std::move(settings)) {}
  Result<std::unique_ptr<stream::Writer>> MakeWriter(
      const stream::WriterContext& context) override {
    return std::make_unique<PrintWriter>(settings_, context.task);
  }

 private:
  PrintSettings settings_;
};

class PrintConnector final : public SinkOnlyConnector {
 public:
  std::string_view identifier() const override { return "print"; }
  std::string_view doc() const override {
    return "Writes each row to standard output, for trying things out.";
  }
  std::vector<config::OptionInfo> options() const override {
    return {PrintIdentifier().info(), StandardError().info(), SinkParallelismOption()};
  }

  Result<std::unique_ptr<stream::Sink>> MakeSink(
      const catalog::TableContext& context,
      const catalog::SinkNegotiation& negotiation) const override {
    PrintSettings settings;
    settings.schema = negotiation.schema();
    settings.zone = context.zone;
    LW_ASSIGN(const std::optional<std::string> identifier,
              config::Find(context.table->options, PrintIdentifier()));
    settings.identifier = identifier.value_or("");
    LW_ASSIGN(settings.standard_error, config::Get(context.table->options, StandardError()));
    return std::make_unique<PrintSink>(std::move(settings));
  }
};

}  // namespace

std::shared_ptr<const Connector> MakePrintConnector() { return std::make_shared<PrintConnector>(); }

}  // namespace lakeward::connector
