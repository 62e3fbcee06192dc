#include <type_traits>
#include <utility>

#include "lakeward/expr/aggregates/families.h"
#include "lakeward/expr/aggregates/group_columns.h"
#include "lakeward/expr/decimal_math.h"
#include "lakeward/expr/functions/physical_dispatch.h"
#include "lakeward/types/type_coercion.h"

namespace lakeward::expr {

using types::TypePtr;
using types::TypeRoot;

namespace {

/// In what a sum of T is kept: BIGINT for integers, DOUBLE for approximate numbers.
template <typename T>
using SumOf = std::conditional_t<std::is_same_v<T, Int128>, Int128,
                                 std::conditional_t<std::is_floating_point_v<T>, double, int64_t>>;

/// AVG: integers divide as integers do; a DECIMAL has at least 6 digits after the point.
template <typename T>
class AverageState final : public AggregateState {
 public:
  AverageState(TypePtr argument, TypePtr result)
      : sum_type_(SumTypeOf(*argument)),
        argument_(std::move(argument)),
        result_(std::move(result)) {}

  static TypePtr SumTypeOf(const types::LogicalType& argument) {
    if (argument.root() == TypeRoot::kDecimal) {
      return types::Decimal(types::kMaxDecimalPrecision, argument.scale(), false);
    }
    return argument.IsApproximateNumeric() ? types::Double(false) : types::BigInt(false);
  }

  Status Resize(int64_t group_count) override {
    sums_.resize(static_cast<size_t>(group_count));
    counts_.resize(static_cast<size_t>(group_count));
    return Status::OK();
  }

  Status Update(const std::vector<std::shared_ptr<arrow::Array>>& arguments,
                const int32_t* group_ids, const int8_t* weights, int64_t row_count) override {
    const T* values = arguments[0]->data()->GetValues<T>(1);
    ForEachValidRow(*arguments[0], row_count, [&](int64_t row) {
      Add(static_cast<size_t>(group_ids[row]), values[row], WeightOf(weights, row));
    });
    return Status::OK();
  }

  Result<std::shared_ptr<arrow::Array>> UpdateRunning(
      const std::vector<std::shared_ptr<arrow::Array>>& arguments, const int32_t* group_ids,
      const int8_t* weights, int64_t row_count) override {
    const arrow::Array& column = *arguments[0];
    const T* values = column.data()->GetValues<T>(1);
    std::optional<T> average;
    return MakeColumn<T>(
        *result_, row_count,
        [&](int64_t row) {
          const auto group = static_cast<size_t>(group_ids[row]);
          if (column.IsValid(row)) {
            Add(group, values[row], WeightOf(weights, row));
          }
          average = AverageOf(group);
          return average.value_or(T{});
        },
        [&](int64_t) { return average.has_value(); });
  }

  Result<std::shared_ptr<arrow::Array>> Values(const int32_t* group_ids, int64_t count) override {
    std::optional<T> average;
    return MakeColumn<T>(
        *result_, count,
        [&](int64_t i) {
          average = AverageOf(static_cast<size_t>(group_ids[i]));
          return average.value_or(T{});
        },
        [&](int64_t) { return average.has_value(); });
  }

  Result<std::vector<std::shared_ptr<arrow::Array>>> Save(const int32_t* group_ids,
                                                          int64_t count) override {
    LW_ASSIGN(std::shared_ptr<arrow::Array> sums,
              MakeColumn<SumOf<T>>(*sum_type_, count, [&](int64_t i) {
                return sums_[static_cast<size_t>(group_ids[i])];
              }));
    LW_ASSIGN(std::shared_ptr<arrow::Array> counts,
              MakeColumn<int64_t>(*types::BigInt(false), count, [&](int64_t i) {
                return counts_[static_cast<size_t>(group_ids[i])];
              }));
    return std::vector{std::move(sums), std::move(counts)};
  }

  Status Merge(const std::vector<std::shared_ptr<arrow::Array>>& saved, const int32_t* group_ids,
               int64_t count) override {
    const SumOf<T>* sums = saved[0]->data()->GetValues<SumOf<T>>(1);
    const int64_t* counts = saved[1]->data()->GetValues<int64_t>(1);
    for (int64_t i = 0; i < count; ++i) {
      const auto group = static_cast<size_t>(group_ids[i]);
      AddToSum(&sums_[group], sums[i]);
      counts_[group] += counts[i];
    }
    return Status::OK();
  }

 private:
  static void AddToSum(SumOf<T>* sum, SumOf<T> value) {
    if constexpr (std::is_same_v<T, Int128>) {
      // 38 digits leave room for a single addition; what is beyond them fails in AverageOf.
      Int128 result = 0;
      *sum = __builtin_add_overflow(*sum, value, &result) ? *sum : result;
    } else if constexpr (std::is_floating_point_v<T>) {
      *sum += value;
    } else {
      *sum = static_cast<int64_t>(static_cast<uint64_t>(*sum) + static_cast<uint64_t>(value));
    }
  }

  void Add(size_t group, T value, int64_t weight) {
    const auto wide = static_cast<SumOf<T>>(value);
    AddToSum(&sums_[group], weight < 0 ? -wide : wide);
    counts_[group] += weight;
    if (counts_[group] == 0) {
      sums_[group] = SumOf<T>{};
    }
  }

  std::optional<T> AverageOf(size_t group) const {
    if (counts_[group] == 0) {
      return std::nullopt;
    }
    if constexpr (std::is_same_v<T, Int128>) {
      return DivideDecimals(sums_[group], counts_[group],
                            {argument_->scale(), 0, result_->precision(), result_->scale()});
    } else {
      return static_cast<T>(sums_[group] / static_cast<SumOf<T>>(counts_[group]));
    }
  }

  TypePtr sum_type_;
  TypePtr argument_;
  TypePtr result_;
  std::vector<SumOf<T>> sums_;
  std::vector<int64_t> counts_;
};

std::optional<BoundSignature> BindAverage(const std::vector<TypePtr>& arguments) {
  if (arguments.size() != 1 || !arguments[0]->IsNumeric()) {
    return std::nullopt;
  }
  const types::LogicalType& type = *arguments[0];
  // Counted in BIGINT, hence divided by DECIMAL(20, 0).
  TypePtr result =
      type.root() == TypeRoot::kDecimal
          ? types::DecimalDivisionType(types::kMaxDecimalPrecision, type.scale(), 20, 0)
          : arguments[0];
  return BoundSignature{arguments, types::WithNullability(result, true)};
}

Result<std::unique_ptr<AggregateState>> MakeAverageState(const BoundSignature& signature) {
  return DispatchNumber(*signature.argument_types[0],
                        [&]<typename T>() -> std::unique_ptr<AggregateState> {
                          return std::make_unique<AverageState<T>>(signature.argument_types[0],
                                                                   signature.result_type);
                        });
}

}  // namespace

void AddAverage(FunctionRegistry* registry) {
  registry->Add(AggregateFunction{
      .name = "AVG",
      .signatures = {"AVG(number)"},
      .bind = BindAverage,
      .make_state = MakeAverageState,
      .saved_types =
          [](const BoundSignature& signature) {
            return std::vector<TypePtr>{
                AverageState<int64_t>::SumTypeOf(*signature.argument_types[0]),
                types::BigInt(false)};
          },
      .doc = "The mean of the values that are not NULL, of their type; NULL when there are none.",
      .example = "AVG(2)",
      .example_result = "2"});
}

}  // namespace lakeward::expr
