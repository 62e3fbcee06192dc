#include "lakeward/connector/datagen/datagen_connector.h"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <utility>

#include "fmt/format.h"
#include "lakeward/connector/datagen/column_generator.h"
#include "lakeward/connector/one_way_connector.h"
#include "lakeward/json/json.h"
#include "lakeward/types/arrow_mapping.h"

namespace lakeward::connector {
namespace {

const config::Option<int64_t>& RowsPerSecond() {
  static const config::Option<int64_t> option{"rows-per-second", 10'000,
                                              "How many rows a second all tasks make together."};
  return option;
}

const config::Option<int64_t>& NumberOfRows() {
  static const config::Option<int64_t> option{"number-of-rows",
                                              "How many rows to make in all; default: no end."};
  return option;
}

const config::Option<int64_t>& ScanParallelism() {
  static const config::Option<int64_t> option{
      "scan.parallelism", "How many tasks make rows; default: the job's parallelism."};
  return option;
}

struct DatagenSettings {
  types::RowSchema schema;
  std::vector<std::shared_ptr<const ColumnGenerator>> generators;
  int64_t rows_per_second = 0;
  std::optional<int64_t> row_count;
};

Result<DatagenSettings> ReadSettings(const catalog::TableContext& context) {
  DatagenSettings settings;
  const config::OptionMap& options = context.table->options;
  settings.schema = context.table->PhysicalSchema();
  LW_ASSIGN(settings.rows_per_second, config::Get(options, RowsPerSecond()));
  LW_ASSIGN(settings.row_count, config::Find(options, NumberOfRows()));
  if (settings.rows_per_second <= 0 || settings.row_count.value_or(0) < 0) {
    return MakeError(ErrorKind::kConfig,
                     "'rows-per-second' must be positive and 'number-of-rows' not negative",
                     "Correct the WITH clause of '" + context.path.ToString() + "'.");
  }
  for (int i = 0; i < settings.schema.size(); ++i) {
    LW_ASSIGN(std::shared_ptr<const ColumnGenerator> generator,
              MakeColumnGenerator(settings.schema.columns[static_cast<size_t>(i)], i, options));
    if (const std::optional<int64_t> bound = generator->row_bound()) {
      settings.row_count = std::min(*bound, settings.row_count.value_or(*bound));
    }
    settings.generators.push_back(std::move(generator));
  }
  return settings;
}

class DatagenScanNegotiation final : public catalog::ScanNegotiation {
 public:
  DatagenScanNegotiation(DatagenSettings settings, int parallelism)
      : settings_(std::move(settings)), parallelism_(parallelism) {}

  const types::RowSchema& schema() const override { return settings_.schema; }
  bool bounded() const override { return settings_.row_count.has_value(); }
  std::optional<int64_t> EstimatedRowCount() const override { return settings_.row_count; }
  int parallelism_max() const override { return parallelism_; }

  bool ApplyProjection(const std::vector<int>& columns) override {
    DatagenSettings projected = settings_;
    projected.schema.columns.clear();
    projected.generators.clear();
    for (const int column : columns) {
      const auto i = static_cast<size_t>(column);
      projected.schema.columns.push_back(settings_.schema.columns[i]);
      projected.generators.push_back(settings_.generators[i]);
    }
    settings_ = std::move(projected);
    return true;
  }

  const DatagenSettings& settings() const { return settings_; }

 private:
  DatagenSettings settings_;
  int parallelism_;
};

/// Which rows a split makes: first, first + step, …, below `bound` (negative: no end).
struct SplitSpec {
  uint64_t seed = 0;
  int64_t first = 0;
  int64_t step = 1;
  int64_t bound = -1;

  std::string ToText() const {
    json::Json object;
    object["seed"] = fmt::format("{:016x}", seed);
    object["first"] = first;
    object["step"] = step;
    object["bound"] = bound;
    return json::Write(object);
  }
  static Result<SplitSpec> Parse(const stream::Split& split) {
    const std::string what = "datagen split '" + split.id + "'";
    LW_ASSIGN(const json::Json object, json::Parse(split.spec, what));
    SplitSpec spec;
    LW_ASSIGN(const std::string seed, json::GetString(object, "seed", what));
    spec.seed = std::strtoull(seed.c_str(), nullptr, 16);
    LW_ASSIGN(spec.first, json::GetInt64(object, "first", what));
    LW_ASSIGN(spec.step, json::GetInt64(object, "step", what));
    LW_ASSIGN(spec.bound, json::GetInt64(object, "bound", what));
    return spec;
  }
};

class DatagenReader final : public stream::SplitReader {
 public:
  DatagenReader(const DatagenSettings& settings, SplitSpec spec, int64_t rows_done, Clock* clock)
      : settings_(settings),
        spec_(spec),
        rows_done_(rows_done),
        rows_at_start_(rows_done),
        rows_per_second_(std::max(
            1.0, static_cast<double>(settings.rows_per_second) / static_cast<double>(spec.step))),
        schema_(types::ToArrowSchema(settings.schema)),
        clock_(clock),
        start_us_(clock->MonotonicMicros()) {}

  Result<stream::PollResult> Poll() override {
    stream::PollResult result;
    const int64_t left = RowsLeft();
    if (left == 0) {
      result.kind = stream::PollKind::kSplitEnd;
      return result;
    }
    const int64_t due = RowsDue();
    if (due <= 0) {
      result.kind = stream::PollKind::kIdle;
      result.wait_us =
          std::clamp<int64_t>(static_cast<int64_t>(1e6 / rows_per_second_), 1'000, 50'000);
      return result;
    }
    RowRange rows;
    rows.first = spec_.first + rows_done_ * spec_.step;
    rows.step = spec_.step;
    rows.count = std::min({due, left, stream::kBatchRowsAim});
    rows.now_us = clock_->NowMicros();
    rows.seed = spec_.seed;
    std::vector<std::shared_ptr<arrow::Array>> columns;
    columns.reserve(settings_.generators.size());
    for (const auto& generator : settings_.generators) {
      LW_ASSIGN(std::shared_ptr<arrow::Array> column, generator->Generate(rows));
      columns.push_back(std::move(column));
    }
    rows_done_ += rows.count;
    result.kind = stream::PollKind::kBatch;
    result.batch.records = arrow::RecordBatch::Make(schema_, rows.count, std::move(columns));
    return result;
  }

  std::string Position() const override { return std::to_string(rows_done_); }

 private:
  int64_t RowsLeft() const {
    if (spec_.bound < 0) {
      return std::numeric_limits<int64_t>::max();
    }
    const int64_t next = spec_.first + rows_done_ * spec_.step;
    return next >= spec_.bound ? 0 : (spec_.bound - next + spec_.step - 1) / spec_.step;
  }

  /// How many rows the rate allows by now; a tenth of a second ahead, so that slow rates start at
  /// once.
  int64_t RowsDue() const {
    const double seconds = static_cast<double>(clock_->MonotonicMicros() - start_us_) * 1e-6;
    const double allowed = rows_per_second_ * (seconds + 0.1) + 1;
    return static_cast<int64_t>(std::min(allowed, 9e18)) - (rows_done_ - rows_at_start_);
  }

  const DatagenSettings& settings_;
  SplitSpec spec_;
  int64_t rows_done_;
  int64_t rows_at_start_;
  double rows_per_second_;
  std::shared_ptr<arrow::Schema> schema_;
  Clock* clock_;
  int64_t start_us_;
};

class DatagenSource final : public stream::Source {
 public:
  DatagenSource(DatagenSettings settings, Random* random)
      : settings_(std::move(settings)), random_(random) {}

  bool bounded() const override { return settings_.row_count.has_value(); }

  Result<std::vector<stream::Split>> Enumerate(int parallelism) override {
    const int64_t bound = settings_.row_count.value_or(-1);
    int64_t count = std::max(1, parallelism);
    if (bound >= 0) {
      count = std::clamp<int64_t>(bound, 1, count);
    }
    const uint64_t seed = random_->NextUint64();
    std::vector<stream::Split> splits;
    for (int64_t i = 0; i < count; ++i) {
      splits.push_back({std::to_string(i), SplitSpec{seed, i, count, bound}.ToText(), ""});
    }
    return splits;
  }

  Result<std::unique_ptr<stream::SplitReader>> OpenSplit(
      const stream::Split& split, const stream::TaskContext& context) override {
    LW_ASSIGN(const SplitSpec spec, SplitSpec::Parse(split));
    int64_t rows_done = 0;
    if (!split.position.empty()) {
      LW_ASSIGN(rows_done, config::ParseInt64(split.position));
    }
    return std::make_unique<DatagenReader>(settings_, spec, rows_done, context.clock);
  }

 private:
  DatagenSettings settings_;
  Random* random_;
};

class DatagenConnector final : public SourceOnlyConnector {
 public:
  std::string_view identifier() const override { return "datagen"; }
  std::string_view doc() const override {
    return "Makes rows of random values and sequences at a given rate.";
  }
  std::vector<config::OptionInfo> options() const override {
    std::vector<config::OptionInfo> all = ColumnGeneratorOptions();
    all.push_back(RowsPerSecond().info());
    all.push_back(NumberOfRows().info());
    all.push_back(ScanParallelism().info());
    return all;
  }

  Result<std::unique_ptr<catalog::ScanNegotiation>> NegotiateScan(
      const catalog::TableContext& context) const override {
    LW_TRY(ValidateTableOptions(context, *this));
    LW_TRY(CheckFieldNames(context));
    auto settings = ReadSettings(context);
    LW_TRY(WithContext(settings.status(), "Table '" + context.path.ToString() + "'"));
    LW_ASSIGN(const int parallelism, TaskCount(context, ScanParallelism()));
    return std::make_unique<DatagenScanNegotiation>(settings.MoveValueUnsafe(), parallelism);
  }

  Result<std::unique_ptr<stream::Source>> MakeSource(
      const catalog::TableContext& context,
      const catalog::ScanNegotiation& negotiation) const override {
    return std::make_unique<DatagenSource>(
        static_cast<const DatagenScanNegotiation&>(negotiation).settings(), context.engine->random);
  }

 private:
  /// `fields.<name>.<option>` of a column that is not there would be ignored in silence.
  static Status CheckFieldNames(const catalog::TableContext& context) {
    const types::RowSchema schema = context.table->PhysicalSchema();
    for (const auto& [key, value] : context.table->options) {
      if (!key.starts_with("fields.")) {
        continue;
      }
      const std::string name = key.substr(7, key.rfind('.') - 7);
      if (!schema.FindColumn(name).has_value()) {
        return MakeError(ErrorKind::kConfig,
                         fmt::format("Table '{}': option '{}' names the column '{}', which the "
                                     "table does not have",
                                     context.path.ToString(), key, name),
                         "The columns are " + schema.ToString() + ".");
      }
    }
    return Status::OK();
  }
};

}  // namespace

std::shared_ptr<const Connector> MakeDatagenConnector() {
  return std::make_shared<DatagenConnector>();
}

}  // namespace lakeward::connector
