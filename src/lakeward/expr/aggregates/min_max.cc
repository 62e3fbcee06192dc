#include <string>
#include <utility>

#include "arrow/array/builder_binary.h"
#include "arrow/util/checked_cast.h"
#include "lakeward/expr/aggregates/families.h"
#include "lakeward/expr/aggregates/group_columns.h"
#include "lakeward/expr/int128.h"
#include "lakeward/types/arrow_mapping.h"

namespace lakeward::expr {

using types::LogicalType;
using types::TypePtr;
using types::TypeRoot;

namespace {

Status CannotRetract() {
  return MakeError(ErrorKind::kUnsupported,
                   "MIN and MAX cannot take back a value: their input is a changelog with updates "
                   "or deletions",
                   "Aggregate an append-only input, or run the query in batch mode.");
}

bool HasRetraction(const int8_t* weights, int64_t row_count) {
  for (int64_t row = 0; weights != nullptr && row < row_count; ++row) {
    if (weights[row] < 0) {
      return true;
    }
  }
  return false;
}

/// The least (greatest) value of each group, of physical type T.
template <typename T, bool kIsMax>
class FixedExtremeState final : public AggregateState {
 public:
  explicit FixedExtremeState(TypePtr type) : type_(std::move(type)) {}

  Status Resize(int64_t group_count) override {
    values_.resize(static_cast<size_t>(group_count));
    has_value_.resize(static_cast<size_t>(group_count));
    return Status::OK();
  }

  Status Update(const std::vector<std::shared_ptr<arrow::Array>>& arguments,
                const int32_t* group_ids, const int8_t* weights, int64_t row_count) override {
    if (HasRetraction(weights, row_count)) {
      return CannotRetract();
    }
    const T* values = arguments[0]->data()->GetValues<T>(1);
    ForEachValidRow(*arguments[0], row_count,
                    [&](int64_t row) { Offer(static_cast<size_t>(group_ids[row]), values[row]); });
    return Status::OK();
  }

  Result<std::shared_ptr<arrow::Array>> UpdateRunning(
      const std::vector<std::shared_ptr<arrow::Array>>& arguments, const int32_t* group_ids,
      const int8_t* weights, int64_t row_count) override {
    if (HasRetraction(weights, row_count)) {
      return CannotRetract();
    }
    const arrow::Array& column = *arguments[0];
    const T* values = column.data()->GetValues<T>(1);
    return MakeColumn<T>(
        *type_, row_count,
        [&](int64_t row) {
          const auto group = static_cast<size_t>(group_ids[row]);
          if (column.IsValid(row)) {
            Offer(group, values[row]);
          }
          return values_[group];
        },
        [&](int64_t row) { return has_value_[static_cast<size_t>(group_ids[row])] != 0; });
  }

  Result<std::shared_ptr<arrow::Array>> Values(const int32_t* group_ids, int64_t count) override {
    return MakeColumn<T>(
        *type_, count, [&](int64_t i) { return values_[static_cast<size_t>(group_ids[i])]; },
        [&](int64_t i) { return has_value_[static_cast<size_t>(group_ids[i])] != 0; });
  }

  Result<std::vector<std::shared_ptr<arrow::Array>>> Save(const int32_t* group_ids,
                                                          int64_t count) override {
    LW_ASSIGN(std::shared_ptr<arrow::Array> values, Values(group_ids, count));
    return std::vector{std::move(values)};
  }

  Status Merge(const std::vector<std::shared_ptr<arrow::Array>>& saved, const int32_t* group_ids,
               int64_t count) override {
    return Update(saved, group_ids, nullptr, count);
  }

 private:
  void Offer(size_t group, T value) {
    const bool is_better = kIsMax ? value > values_[group] : value < values_[group];
    if (!has_value_[group] || is_better) {
      values_[group] = value;
      has_value_[group] = 1;
    }
  }

  TypePtr type_;
  std::vector<T> values_;
  std::vector<uint8_t> has_value_;
};

/// The same for text and bytes, compared byte by byte.
template <bool kIsMax>
class TextExtremeState final : public AggregateState {
 public:
  explicit TextExtremeState(TypePtr type) : type_(std::move(type)) {}

  Status Resize(int64_t group_count) override {
    values_.resize(static_cast<size_t>(group_count));
    return Status::OK();
  }

  Status Update(const std::vector<std::shared_ptr<arrow::Array>>& arguments,
                const int32_t* group_ids, const int8_t* weights, int64_t row_count) override {
    if (HasRetraction(weights, row_count)) {
      return CannotRetract();
    }
    const auto& column = arrow::internal::checked_cast<const arrow::BinaryArray&>(*arguments[0]);
    ForEachValidRow(column, row_count, [&](int64_t row) {
      Offer(static_cast<size_t>(group_ids[row]), column.GetView(row));
    });
    return Status::OK();
  }

  Result<std::shared_ptr<arrow::Array>> UpdateRunning(
      const std::vector<std::shared_ptr<arrow::Array>>& arguments, const int32_t* group_ids,
      const int8_t* weights, int64_t row_count) override {
    if (HasRetraction(weights, row_count)) {
      return CannotRetract();
    }
    const auto& column = arrow::internal::checked_cast<const arrow::BinaryArray&>(*arguments[0]);
    return WriteTexts(row_count, [&](int64_t row) -> const std::optional<std::string>& {
      const auto group = static_cast<size_t>(group_ids[row]);
      if (column.IsValid(row)) {
        Offer(group, column.GetView(row));
      }
      return values_[group];
    });
  }

  Result<std::shared_ptr<arrow::Array>> Values(const int32_t* group_ids, int64_t count) override {
    return WriteTexts(count, [&](int64_t i) -> const std::optional<std::string>& {
      return values_[static_cast<size_t>(group_ids[i])];
    });
  }

  Result<std::vector<std::shared_ptr<arrow::Array>>> Save(const int32_t* group_ids,
                                                          int64_t count) override {
    LW_ASSIGN(std::shared_ptr<arrow::Array> values, Values(group_ids, count));
    return std::vector{std::move(values)};
  }

  Status Merge(const std::vector<std::shared_ptr<arrow::Array>>& saved, const int32_t* group_ids,
               int64_t count) override {
    return Update(saved, group_ids, nullptr, count);
  }

 private:
  void Offer(size_t group, std::string_view value) {
    std::optional<std::string>& best = values_[group];
    if (!best || (kIsMax ? value > *best : value < *best)) {
      best = value;
    }
  }

  template <typename ValueAt>
  Result<std::shared_ptr<arrow::Array>> WriteTexts(int64_t count, ValueAt value_at) {
    LW_ASSIGN(StringOutput output, StringOutput::Make(count, EvaluationContext()));
    for (int64_t i = 0; i < count; ++i) {
      const std::optional<std::string>& value = value_at(i);
      if (value) {
        output.Append(*value);
      } else {
        output.EndNull();
      }
    }
    LW_ASSIGN(const arrow::Datum result, std::move(output).Finish(*type_));
    return result.make_array();
  }

  TypePtr type_;
  std::vector<std::optional<std::string>> values_;
};

bool HasOrder(const LogicalType& type) {
  return type.root() != TypeRoot::kNull && type.root() != TypeRoot::kBoolean &&
         type.root() < TypeRoot::kArray;
}

std::optional<BoundSignature> BindExtreme(const std::vector<TypePtr>& arguments) {
  if (arguments.size() != 1 || !HasOrder(*arguments[0])) {
    return std::nullopt;
  }
  return BoundSignature{arguments, types::WithNullability(arguments[0], true)};
}

template <bool kIsMax>
Result<std::unique_ptr<AggregateState>> MakeExtremeState(const BoundSignature& signature) {
  const TypePtr& type = signature.result_type;
  switch (arrow::bit_width(types::ToArrow(*type)->id())) {
    case 8:
      return std::make_unique<FixedExtremeState<int8_t, kIsMax>>(type);
    case 16:
      return std::make_unique<FixedExtremeState<int16_t, kIsMax>>(type);
    default:
      break;
  }
  switch (type->root()) {
    case TypeRoot::kFloat:
      return std::make_unique<FixedExtremeState<float, kIsMax>>(type);
    case TypeRoot::kDouble:
      return std::make_unique<FixedExtremeState<double, kIsMax>>(type);
    case TypeRoot::kDecimal:
      return std::make_unique<FixedExtremeState<Int128, kIsMax>>(type);
    case TypeRoot::kChar:
    case TypeRoot::kVarChar:
    case TypeRoot::kBinary:
    case TypeRoot::kVarBinary:
      return std::make_unique<TextExtremeState<kIsMax>>(type);
    case TypeRoot::kInteger:
    case TypeRoot::kDate:
    case TypeRoot::kIntervalYearMonth:
      return std::make_unique<FixedExtremeState<int32_t, kIsMax>>(type);
    default:
      return std::make_unique<FixedExtremeState<int64_t, kIsMax>>(type);
  }
}

template <bool kIsMax>
AggregateFunction Extreme(std::string name, std::string doc) {
  return {.name = name,
          .signatures = {name + "(value)"},
          .bind = BindExtreme,
          .make_state = MakeExtremeState<kIsMax>,
          .saved_types =
              [](const BoundSignature& signature) {
                return std::vector<TypePtr>{signature.result_type};
              },
          .retractable = false,
          .doc = std::move(doc),
          .example = name + "(2)",
          .example_result = "2"};
}

}  // namespace

void AddMinMax(FunctionRegistry* registry) {
  registry->Add(Extreme<false>("MIN", "The least value that is not NULL; NULL without one."));
  registry->Add(Extreme<true>("MAX", "The greatest value that is not NULL; NULL without one."));
}

}  // namespace lakeward::expr
