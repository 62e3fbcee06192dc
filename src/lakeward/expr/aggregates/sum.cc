#include <type_traits>
#include <utility>

#include "lakeward/expr/aggregates/families.h"
#include "lakeward/expr/aggregates/group_columns.h"
#include "lakeward/expr/decimal_math.h"
#include "lakeward/expr/functions/physical_dispatch.h"

namespace lakeward::expr {

using types::TypePtr;
using types::TypeRoot;

namespace {

/// SUM: integers wrap around as in Java; a DECIMAL sum of more than 38 digits is null. Null while
/// no value that is not null has been added (or all have been retracted).
template <typename T>
class SumState final : public AggregateState {
 public:
  explicit SumState(TypePtr type) : type_(std::move(type)) {}

  Status Resize(int64_t group_count) override {
    sums_.resize(static_cast<size_t>(group_count));
    counts_.resize(static_cast<size_t>(group_count));
    return Status::OK();
  }

  Status Update(const std::vector<std::shared_ptr<arrow::Array>>& arguments,
                const int32_t* group_ids, const int8_t* weights, int64_t row_count) override {
    const T* values = arguments[0]->data()->GetValues<T>(1);
    if (weights == nullptr) {
      ForEachValidRow(*arguments[0], row_count, [&](int64_t row) {
        Add(static_cast<size_t>(group_ids[row]), values[row], 1);
      });
    } else {
      ForEachValidRow(*arguments[0], row_count, [&](int64_t row) {
        Add(static_cast<size_t>(group_ids[row]), Weighted(values[row], weights[row]), weights[row]);
      });
    }
    return Status::OK();
  }

  Result<std::shared_ptr<arrow::Array>> UpdateRunning(
      const std::vector<std::shared_ptr<arrow::Array>>& arguments, const int32_t* group_ids,
      const int8_t* weights, int64_t row_count) override {
    const arrow::Array& column = *arguments[0];
    const T* values = column.data()->GetValues<T>(1);
    size_t group = 0;
    return MakeColumn<T>(
        *type_, row_count,
        [&](int64_t row) {
          group = static_cast<size_t>(group_ids[row]);
          if (column.IsValid(row)) {
            const int64_t weight = WeightOf(weights, row);
            Add(group, Weighted(values[row], weight), weight);
          }
          return sums_[group];
        },
        [&](int64_t) { return HasValue(group); });
  }

  Result<std::shared_ptr<arrow::Array>> Values(const int32_t* group_ids, int64_t count) override {
    return MakeColumn<T>(
        *type_, count, [&](int64_t i) { return sums_[static_cast<size_t>(group_ids[i])]; },
        [&](int64_t i) { return HasValue(static_cast<size_t>(group_ids[i])); });
  }

  Result<std::vector<std::shared_ptr<arrow::Array>>> Save(const int32_t* group_ids,
                                                          int64_t count) override {
    LW_ASSIGN(std::shared_ptr<arrow::Array> sums, Values(group_ids, count));
    LW_ASSIGN(std::shared_ptr<arrow::Array> counts,
              MakeColumn<int64_t>(*types::BigInt(false), count, [&](int64_t i) {
                return counts_[static_cast<size_t>(group_ids[i])];
              }));
    return std::vector{std::move(sums), std::move(counts)};
  }

  Status Merge(const std::vector<std::shared_ptr<arrow::Array>>& saved, const int32_t* group_ids,
               int64_t count) override {
    const T* sums = saved[0]->data()->GetValues<T>(1);
    const int64_t* counts = saved[1]->data()->GetValues<int64_t>(1);
    for (int64_t i = 0; i < count; ++i) {
      if (saved[0]->IsValid(i)) {
        Add(static_cast<size_t>(group_ids[i]), sums[i], counts[i]);
      } else {
        MergeNull(static_cast<size_t>(group_ids[i]), counts[i]);
      }
    }
    return Status::OK();
  }

 private:
  /// Stands for a DECIMAL sum that has too many digits; it stays.
  static constexpr bool kIsDecimal = std::is_same_v<T, Int128>;
  static T Overflowed() { return static_cast<T>(PowerOfTen(types::kMaxDecimalPrecision)); }

  bool HasValue(size_t group) const {
    if constexpr (kIsDecimal) {
      if (sums_[group] == Overflowed()) {
        return false;
      }
    }
    return counts_[group] != 0;
  }

  static T Weighted(T value, int64_t weight) {
    if constexpr (std::is_integral_v<T> && !kIsDecimal) {
      return weight < 0 ? static_cast<T>(-static_cast<std::make_unsigned_t<T>>(value)) : value;
    } else {
      return weight < 0 ? -value : value;
    }
  }

  void Add(size_t group, T value, int64_t count) {
    counts_[group] += count;
    T& sum = sums_[group];
    if constexpr (kIsDecimal) {
      if (sum != Overflowed()) {
        sum = RescaleDecimal(sum + value, 0, types::kMaxDecimalPrecision, 0).value_or(Overflowed());
      }
    } else if constexpr (std::is_floating_point_v<T>) {
      sum += value;
    } else {
      using Unsigned = std::make_unsigned_t<T>;
      sum = static_cast<T>(static_cast<Unsigned>(sum) + static_cast<Unsigned>(value));
    }
    // A float's rounding must not survive the retraction of the last value.
    if (counts_[group] == 0) {
      sum = T{};
    }
  }

  /// A saved sum is null for want of values, or because it had too many digits.
  void MergeNull(size_t group, int64_t count) {
    counts_[group] += count;
    if constexpr (kIsDecimal) {
      if (count != 0) {
        sums_[group] = Overflowed();
      }
    }
  }

  TypePtr type_;
  std::vector<T> sums_;
  std::vector<int64_t> counts_;
};

/// SUM(INT) is INT; a DECIMAL gets all 38 digits.
std::optional<BoundSignature> BindSum(const std::vector<TypePtr>& arguments) {
  if (arguments.size() != 1 || !arguments[0]->IsNumeric()) {
    return std::nullopt;
  }
  const types::LogicalType& type = *arguments[0];
  TypePtr result = type.root() == TypeRoot::kDecimal
                       ? types::Decimal(types::kMaxDecimalPrecision, type.scale())
                       : types::WithNullability(arguments[0], true);
  return BoundSignature{arguments, std::move(result)};
}

Result<std::unique_ptr<AggregateState>> MakeSumState(const BoundSignature& signature) {
  return DispatchNumber(*signature.result_type,
                        [&]<typename T>() -> std::unique_ptr<AggregateState> {
                          return std::make_unique<SumState<T>>(signature.result_type);
                        });
}

}  // namespace

void AddSum(FunctionRegistry* registry) {
  registry->Add(AggregateFunction{
      .name = "SUM",
      .signatures = {"SUM(number)"},
      .bind = BindSum,
      .make_state = MakeSumState,
      .saved_types =
          [](const BoundSignature& signature) {
            return std::vector<TypePtr>{signature.result_type, types::BigInt(false)};
          },
      .doc = "The sum of the values that are not NULL; NULL when there are none.",
      .example = "SUM(2)",
      .example_result = "2"});
}

}  // namespace lakeward::expr
