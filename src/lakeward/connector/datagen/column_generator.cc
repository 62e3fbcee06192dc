#include "lakeward/connector/datagen/column_generator.h"

#include <algorithm>
#include <limits>
#include <string_view>
#include <utility>

#include "arrow/array/builder_binary.h"
#include "arrow/array/builder_decimal.h"
#include "arrow/array/builder_primitive.h"
#include "arrow/array/builder_time.h"
#include "arrow/type.h"
#include "arrow/util/decimal.h"
#include "lakeward/types/arrow_mapping.h"

namespace lakeward::connector {
namespace {

using types::TypeRoot;

constexpr int64_t kMicrosPerDay = 86'400'000'000;
constexpr int64_t kDefaultLength = 100;  // Flink's RANDOM_STRING_LENGTH_DEFAULT

/// 128 bits, to scale random numbers to a range without a division.
__extension__ using Uint128 = unsigned __int128;

/// splitmix64's finaliser: a bijection that scatters consecutive numbers.
uint64_t Scatter(uint64_t value) {
  value += 0x9E3779B97F4A7C15ULL;
  value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9ULL;
  value = (value ^ (value >> 27)) * 0x94D049BB133111EBULL;
  return value ^ (value >> 31);
}

/// The random numbers of one column: a function of seed, column and row.
class RowRandom {
 public:
  RowRandom(uint64_t seed, uint64_t salt) : base_(Scatter(seed ^ Scatter(salt))) {}
  uint64_t At(int64_t row, uint64_t draw = 0) const {
    return Scatter(base_ + static_cast<uint64_t>(row) * 0x632BE59BD9B4E019ULL + draw);
  }

 private:
  uint64_t base_;
};

double UnitInterval(uint64_t bits) { return static_cast<double>(bits >> 11) * 0x1.0p-53; }

/// What all random columns share.
struct Shape {
  uint64_t salt = 0;
  double null_rate = 0;

  RowRandom Values(const RowRange& rows) const { return {rows.seed, salt}; }
  /// Null or not comes from a stream of its own, so that the rate does not change the values.
  bool IsNull(const RowRange& rows, int64_t row) const {
    return null_rate > 0 &&
           UnitInterval(RowRandom(rows.seed, salt ^ 0x5EEDULL).At(row)) < null_rate;
  }
};

/// A row number's place in the shared sequence.
int64_t RowAt(const RowRange& rows, int64_t i) { return rows.first + i * rows.step; }

template <typename Builder, typename Append>
Result<std::shared_ptr<arrow::Array>> Fill(Builder* builder, const Shape& shape,
                                           const RowRange& rows, Append append) {
  LW_TRY(builder->Reserve(rows.count));
  const RowRandom random = shape.Values(rows);
  for (int64_t i = 0; i < rows.count; ++i) {
    const int64_t row = RowAt(rows, i);
    if (shape.IsNull(rows, row)) {
      builder->UnsafeAppendNull();
    } else {
      append(builder, random, row);
    }
  }
  return builder->Finish();
}

template <typename ArrowType>
class RandomIntegers final : public ColumnGenerator {
 public:
  using Value = typename ArrowType::c_type;
  RandomIntegers(Shape shape, Value minimum, Value maximum)
      : shape_(shape),
        minimum_(minimum),
        span_(static_cast<uint64_t>(maximum) - static_cast<uint64_t>(minimum)) {}

  Result<std::shared_ptr<arrow::Array>> Generate(const RowRange& rows) const override {
    arrow::NumericBuilder<ArrowType> builder;
    return Fill(&builder, shape_, rows, [this](auto* target, const RowRandom& random, int64_t row) {
      const uint64_t bits = random.At(row);
      const uint64_t offset =
          span_ == std::numeric_limits<uint64_t>::max()
              ? bits
              : static_cast<uint64_t>((static_cast<Uint128>(bits) * (span_ + 1)) >> 64);
      target->UnsafeAppend(static_cast<Value>(static_cast<uint64_t>(minimum_) + offset));
    });
  }

 private:
  Shape shape_;
  Value minimum_;
  uint64_t span_;
};

template <typename ArrowType>
class RandomReals final : public ColumnGenerator {
 public:
  using Value = typename ArrowType::c_type;
  RandomReals(Shape shape, double minimum, double maximum)
      : shape_(shape), minimum_(minimum), maximum_(maximum) {}

  Result<std::shared_ptr<arrow::Array>> Generate(const RowRange& rows) const override {
    arrow::NumericBuilder<ArrowType> builder;
    return Fill(&builder, shape_, rows, [this](auto* target, const RowRandom& random, int64_t row) {
      const double unit = UnitInterval(random.At(row));
      target->UnsafeAppend(static_cast<Value>(minimum_ * (1 - unit) + maximum_ * unit));
    });
  }

 private:
  Shape shape_;
  double minimum_;
  double maximum_;
};

class RandomDecimals final : public ColumnGenerator {
 public:
  RandomDecimals(Shape shape, std::shared_ptr<arrow::DataType> type, arrow::Decimal128 minimum,
                 arrow::Decimal128 maximum)
      : shape_(shape), type_(std::move(type)), minimum_(minimum), maximum_(maximum) {}

  Result<std::shared_ptr<arrow::Array>> Generate(const RowRange& rows) const override {
    arrow::Decimal128Builder builder(type_);
    const arrow::Decimal128 span = maximum_ - minimum_ + arrow::Decimal128(1);
    return Fill(&builder, shape_, rows, [&](auto* target, const RowRandom& random, int64_t row) {
      const auto high = static_cast<int64_t>(random.At(row) >> 1);
      const arrow::Decimal128 bits(high, random.At(row, 1));
      target->UnsafeAppend(minimum_ + bits % span);
    });
  }

 private:
  Shape shape_;
  std::shared_ptr<arrow::DataType> type_;
  arrow::Decimal128 minimum_;
  arrow::Decimal128 maximum_;
};

class RandomBooleans final : public ColumnGenerator {
 public:
  explicit RandomBooleans(Shape shape) : shape_(shape) {}
  Result<std::shared_ptr<arrow::Array>> Generate(const RowRange& rows) const override {
    arrow::BooleanBuilder builder;
    return Fill(&builder, shape_, rows, [](auto* target, const RowRandom& random, int64_t row) {
      target->UnsafeAppend((random.At(row) >> 63) != 0);
    });
  }

 private:
  Shape shape_;
};

/// Hexadecimal text, or any bytes for binary types.
template <typename Builder>
class RandomStrings final : public ColumnGenerator {
 public:
  RandomStrings(Shape shape, int64_t length, bool variable)
      : shape_(shape), length_(length), variable_(variable) {}

  Result<std::shared_ptr<arrow::Array>> Generate(const RowRange& rows) const override {
    Builder builder;
    LW_TRY(builder.ReserveData(rows.count * length_));
    std::string text(static_cast<size_t>(length_), '\0');
    return Fill(&builder, shape_, rows, [&](auto* target, const RowRandom& random, int64_t row) {
      int64_t length = length_;
      if (variable_ && length_ > 0) {
        length =
            1 + static_cast<int64_t>(random.At(row, 1ULL << 40) % static_cast<uint64_t>(length_));
      }
      FillText(random, row, length, text.data());
      target->UnsafeAppend(text.data(), static_cast<int32_t>(length));
    });
  }

 private:
  static constexpr bool kHexadecimal = std::is_same_v<Builder, arrow::StringBuilder>;
  static constexpr int64_t kBitsPerByte = kHexadecimal ? 4 : 8;

  static void FillText(const RowRandom& random, int64_t row, int64_t length, char* text) {
    constexpr char kDigits[] = "0123456789abcdef";
    constexpr int64_t kPerDraw = 64 / kBitsPerByte;
    for (int64_t begin = 0; begin < length; begin += kPerDraw) {
      uint64_t bits = random.At(row, static_cast<uint64_t>(begin / kPerDraw) + 2);
      const int64_t end = std::min(length, begin + kPerDraw);
      for (int64_t i = begin; i < end; ++i) {
        text[i] = kHexadecimal ? kDigits[bits & 15] : static_cast<char>(bits);
        bits >>= kBitsPerByte;
      }
    }
  }

  Shape shape_;
  int64_t length_;
  bool variable_;
};

/// The time now, or up to `max_past` before it.
class RecentTimes final : public ColumnGenerator {
 public:
  RecentTimes(Shape shape, TypeRoot root, std::shared_ptr<arrow::DataType> type,
              int64_t max_past_ms)
      : shape_(shape), root_(root), type_(std::move(type)), max_past_ms_(max_past_ms) {}

  Result<std::shared_ptr<arrow::Array>> Generate(const RowRange& rows) const override {
    switch (root_) {
      case TypeRoot::kDate: {
        arrow::Date32Builder builder;
        return Fill(&builder, shape_, rows, [&](auto* target, const RowRandom&, int64_t) {
          target->UnsafeAppend(static_cast<int32_t>(rows.now_us / kMicrosPerDay));
        });
      }
      case TypeRoot::kTime: {
        arrow::Time64Builder builder(type_, arrow::default_memory_pool());
        return Fill(&builder, shape_, rows, [&](auto* target, const RowRandom&, int64_t) {
          target->UnsafeAppend(rows.now_us % kMicrosPerDay / 1'000 * 1'000);
        });
      }
      default:
        return Timestamps(rows);
    }
  }

 private:
  Result<std::shared_ptr<arrow::Array>> Timestamps(const RowRange& rows) const {
    arrow::TimestampBuilder builder(type_, arrow::default_memory_pool());
    const bool nanoseconds =
        static_cast<const arrow::TimestampType&>(*type_).unit() == arrow::TimeUnit::NANO;
    return Fill(&builder, shape_, rows, [&](auto* target, const RowRandom& random, int64_t row) {
      // Flink's generator has millisecond precision.
      int64_t millis = rows.now_us / 1'000;
      if (max_past_ms_ > 0) {
        millis -= static_cast<int64_t>(random.At(row) % static_cast<uint64_t>(max_past_ms_));
      }
      target->UnsafeAppend(nanoseconds ? millis * 1'000'000 : millis * 1'000);
    });
  }

  Shape shape_;
  TypeRoot root_;
  std::shared_ptr<arrow::DataType> type_;
  int64_t max_past_ms_;
};

/// start, start + 1, …, end over all splits together.
template <typename Builder>
class Sequence final : public ColumnGenerator {
 public:
  Sequence(int64_t start, int64_t end) : start_(start), end_(end) {}
  std::optional<int64_t> row_bound() const override { return end_ - start_ + 1; }

  Result<std::shared_ptr<arrow::Array>> Generate(const RowRange& rows) const override {
    Builder builder;
    LW_TRY(builder.Reserve(rows.count));
    for (int64_t i = 0; i < rows.count; ++i) {
      const int64_t value = start_ + RowAt(rows, i);
      if constexpr (std::is_same_v<Builder, arrow::StringBuilder>) {
        LW_TRY(builder.Append(std::to_string(value)));
      } else {
        builder.UnsafeAppend(static_cast<typename Builder::value_type>(value));
      }
    }
    return builder.Finish();
  }

 private:
  int64_t start_;
  int64_t end_;
};

/// The options of one column, by the last part of their keys.
class FieldOptions {
 public:
  FieldOptions(const config::OptionMap& options, const types::Column& column)
      : options_(options), column_(column) {}

  std::string Key(std::string_view name) const {
    return "fields." + column_.name + "." + std::string(name);
  }
  template <typename T>
  Result<std::optional<T>> Find(std::string_view name) const {
    return config::Find(options_, config::Option<T>(Key(name), ""));
  }
  template <typename T>
  Result<T> Get(std::string_view name, T default_value) const {
    return config::Get(options_, config::Option<T>(Key(name), std::move(default_value), ""));
  }
  Status Refuse(const std::string& what, std::string hint) const {
    return MakeError(ErrorKind::kConfig, "Column '" + column_.name + "': " + what, std::move(hint));
  }

 private:
  const config::OptionMap& options_;
  const types::Column& column_;
};

template <typename ArrowType>
Result<std::unique_ptr<ColumnGenerator>> MakeIntegers(const FieldOptions& options, Shape shape) {
  using Value = typename ArrowType::c_type;
  constexpr int64_t kMinimum = std::numeric_limits<Value>::min();
  constexpr int64_t kMaximum = std::numeric_limits<Value>::max();
  LW_ASSIGN(const int64_t minimum, options.Get<int64_t>("min", kMinimum));
  LW_ASSIGN(const int64_t maximum, options.Get<int64_t>("max", kMaximum));
  if (minimum < kMinimum || maximum > kMaximum || minimum > maximum) {
    return options.Refuse("the range from 'min' " + std::to_string(minimum) + " to 'max' " +
                              std::to_string(maximum) + " is empty or beyond the type",
                          "Set '" + options.Key("min") + "' and '" + options.Key("max") +
                              "' to a range of the column's type.");
  }
  return std::make_unique<RandomIntegers<ArrowType>>(shape, static_cast<Value>(minimum),
                                                     static_cast<Value>(maximum));
}

template <typename ArrowType>
Result<std::unique_ptr<ColumnGenerator>> MakeReals(const FieldOptions& options, Shape shape) {
  using Value = typename ArrowType::c_type;
  LW_ASSIGN(const double minimum, options.Get<double>("min", std::numeric_limits<Value>::lowest()));
  LW_ASSIGN(const double maximum, options.Get<double>("max", std::numeric_limits<Value>::max()));
  if (!(minimum <= maximum)) {
    return options.Refuse("'min' is above 'max'", "Swap them.");
  }
  return std::make_unique<RandomReals<ArrowType>>(shape, minimum, maximum);
}

Result<std::unique_ptr<ColumnGenerator>> MakeDecimals(const FieldOptions& options, Shape shape,
                                                      const types::LogicalType& type) {
  const int32_t scale = type.scale();
  arrow::Decimal128 maximum = arrow::Decimal128::GetMaxValue(type.precision());
  arrow::Decimal128 minimum = -maximum;
  for (const auto& [name, bound] : {std::pair{"min", &minimum}, std::pair{"max", &maximum}}) {
    LW_ASSIGN(const std::optional<std::string> text, options.Find<std::string>(name));
    if (!text.has_value()) {
      continue;
    }
    int32_t found_precision = 0;
    int32_t found_scale = 0;
    arrow::Decimal128 value;
    if (!arrow::Decimal128::FromString(*text, &value, &found_precision, &found_scale).ok()) {
      return options.Refuse("'" + std::string(name) + "' = '" + *text + "' is not a number",
                            "Give a decimal number.");
    }
    auto rescaled = value.Rescale(found_scale, scale);
    if (!rescaled.ok() || !rescaled->FitsInPrecision(type.precision())) {
      return options.Refuse(
          "'" + std::string(name) + "' = '" + *text + "' does not fit into " + type.ToString(),
          "Give a bound of the column's precision and scale.");
    }
    *bound = *rescaled;
  }
  if (minimum > maximum) {
    return options.Refuse("'min' is above 'max'", "Swap them.");
  }
  return std::make_unique<RandomDecimals>(shape, types::ToArrow(type), minimum, maximum);
}

template <typename Builder>
Result<std::unique_ptr<ColumnGenerator>> MakeStrings(const FieldOptions& options, Shape shape,
                                                     const types::LogicalType& type) {
  const bool fixed = type.root() == TypeRoot::kChar || type.root() == TypeRoot::kBinary;
  const bool bounded = type.length() != types::kMaxLength;
  const int64_t default_length = fixed ? type.length() : (bounded ? type.length() : kDefaultLength);
  LW_ASSIGN(const int64_t length, options.Get<int64_t>("length", default_length));
  if (fixed && length != type.length()) {
    return options.Refuse("a length cannot be chosen for " + type.ToString(),
                          "Remove '" + options.Key("length") + "' or declare STRING.");
  }
  if (length < 0 || length > type.length() || length > (1 << 24)) {
    return options.Refuse("'length' " + std::to_string(length) + " is beyond " + type.ToString(),
                          "Give a length from 0 to that of the type, at most 16777216.");
  }
  LW_ASSIGN(const bool variable, options.Get<bool>("var-len", false));
  if (variable && fixed) {
    return options.Refuse("'var-len' does not go with " + type.ToString(),
                          "Declare VARCHAR, STRING, VARBINARY or BYTES.");
  }
  return std::make_unique<RandomStrings<Builder>>(shape, length, variable);
}

Result<std::unique_ptr<ColumnGenerator>> MakeRandom(const types::LogicalType& type,
                                                    const FieldOptions& options, Shape shape) {
  switch (type.root()) {
    case TypeRoot::kBoolean:
      return std::make_unique<RandomBooleans>(shape);
    case TypeRoot::kTinyInt:
      return MakeIntegers<arrow::Int8Type>(options, shape);
    case TypeRoot::kSmallInt:
      return MakeIntegers<arrow::Int16Type>(options, shape);
    case TypeRoot::kInteger:
      return MakeIntegers<arrow::Int32Type>(options, shape);
    case TypeRoot::kBigInt:
      return MakeIntegers<arrow::Int64Type>(options, shape);
    case TypeRoot::kFloat:
      return MakeReals<arrow::FloatType>(options, shape);
    case TypeRoot::kDouble:
      return MakeReals<arrow::DoubleType>(options, shape);
    case TypeRoot::kDecimal:
      return MakeDecimals(options, shape, type);
    case TypeRoot::kChar:
    case TypeRoot::kVarChar:
      return MakeStrings<arrow::StringBuilder>(options, shape, type);
    case TypeRoot::kBinary:
    case TypeRoot::kVarBinary:
      return MakeStrings<arrow::BinaryBuilder>(options, shape, type);
    case TypeRoot::kDate:
    case TypeRoot::kTime:
    case TypeRoot::kTimestamp:
    case TypeRoot::kTimestampLtz: {
      LW_ASSIGN(const config::Duration max_past, options.Get<config::Duration>("max-past", {}));
      return std::make_unique<RecentTimes>(shape, type.root(), types::ToArrow(type),
                                           max_past.millis);
    }
    default:
      return MakeError(ErrorKind::kUnsupported,
                       "not supported yet: random values of type " + type.ToString(),
                       "Generate the parts as columns and build the value in the query.");
  }
}

Result<std::unique_ptr<ColumnGenerator>> MakeSequence(const types::LogicalType& type,
                                                      const FieldOptions& options) {
  LW_ASSIGN(const std::optional<int64_t> start, options.Find<int64_t>("start"));
  LW_ASSIGN(const std::optional<int64_t> end, options.Find<int64_t>("end"));
  if (!start.has_value() || !end.has_value()) {
    const std::string missing = options.Key(start.has_value() ? "end" : "start");
    return options.Refuse(
        "a sequence needs '" + missing + "'",
        "Give both '" + options.Key("start") + "' and '" + options.Key("end") + "'.");
  }
  if (*start > *end) {
    return options.Refuse(
        "'start' " + std::to_string(*start) + " is after 'end' " + std::to_string(*end),
        "Swap them.");
  }
  switch (type.root()) {
    case TypeRoot::kTinyInt:
      return std::make_unique<Sequence<arrow::Int8Builder>>(*start, *end);
    case TypeRoot::kSmallInt:
      return std::make_unique<Sequence<arrow::Int16Builder>>(*start, *end);
    case TypeRoot::kInteger:
      return std::make_unique<Sequence<arrow::Int32Builder>>(*start, *end);
    case TypeRoot::kBigInt:
      return std::make_unique<Sequence<arrow::Int64Builder>>(*start, *end);
    case TypeRoot::kFloat:
      return std::make_unique<Sequence<arrow::FloatBuilder>>(*start, *end);
    case TypeRoot::kDouble:
      return std::make_unique<Sequence<arrow::DoubleBuilder>>(*start, *end);
    case TypeRoot::kChar:
    case TypeRoot::kVarChar:
      return std::make_unique<Sequence<arrow::StringBuilder>>(*start, *end);
    default:
      return MakeError(ErrorKind::kUnsupported,
                       "not supported yet: a sequence of type " + type.ToString(),
                       "Declare the column BIGINT and CAST in the query.");
  }
}

}  // namespace

Result<std::unique_ptr<ColumnGenerator>> MakeColumnGenerator(const types::Column& column,
                                                             int column_number,
                                                             const config::OptionMap& options) {
  const FieldOptions field(options, column);
  LW_ASSIGN(const std::string kind, field.Get<std::string>("kind", "random"));
  if (kind == "sequence") {
    return MakeSequence(*column.type, field);
  }
  if (kind != "random") {
    return field.Refuse("'" + field.Key("kind") + "' = '" + kind + "' is unknown",
                        "Use 'random' or 'sequence'.");
  }
  Shape shape;
  shape.salt = static_cast<uint64_t>(column_number) + 1;
  LW_ASSIGN(shape.null_rate, field.Get<double>("null-rate", 0.0));
  if (!(shape.null_rate >= 0 && shape.null_rate <= 1)) {
    return field.Refuse("'null-rate' must lie between 0 and 1", "0.1 makes a tenth null.");
  }
  if (shape.null_rate > 0 && !column.type->nullable()) {
    return field.Refuse("'null-rate' does not go with NOT NULL", "Remove one of them.");
  }
  return MakeRandom(*column.type, field, shape);
}

std::vector<config::OptionInfo> ColumnGeneratorOptions() {
  using Text = config::Option<std::string>;
  return {
      Text("fields.#.kind", "random", "How the column is made: random or sequence.").info(),
      Text("fields.#.min", "The smallest random number; default: the type's.").info(),
      Text("fields.#.max", "The largest random number; default: the type's.").info(),
      config::Option<config::Duration>("fields.#.max-past", config::Duration{},
                                       "How far random times may lie in the past.")
          .info(),
      config::Option<int64_t>("fields.#.length", kDefaultLength,
                              "How many characters or bytes random strings have.")
          .info(),
      config::Option<bool>("fields.#.var-len", false,
                           "Whether strings have any length from 1 to 'length'.")
          .info(),
      config::Option<int64_t>("fields.#.start", "The first value of a sequence.").info(),
      config::Option<int64_t>("fields.#.end", "The last value of a sequence.").info(),
      config::Option<double>("fields.#.null-rate", 0.0, "The share of random values that is null.")
          .info(),
  };
}

}  // namespace lakeward::connector
