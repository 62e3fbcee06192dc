#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "arrow/array.h"
#include "arrow/datum.h"
#include "lakeward/base/status.h"
#include "lakeward/expr/evaluator.h"
#include "lakeward/types/logical_type.h"

namespace lakeward::expr {

/// The types that a call of some function settles on: what each argument is cast to, and the
/// result.
struct BoundSignature {
  std::vector<types::TypePtr> argument_types;
  types::TypePtr result_type;
  /// The casts that bring the arguments to their types are TRY_CASTs: a text that is no date is not
  /// equal to any date, rather than an error.
  bool lenient_casts = false;
};

/// Given the argument types as written, finds the signature or nothing when no form of the function
/// takes them (the caller then reports the forms from `signatures`).
using SignatureBinder =
    std::function<std::optional<BoundSignature>(const std::vector<types::TypePtr>& arguments)>;

/// Given a signature and the arguments that are constants (null for the others), a more exact
/// result type: ROUND(decimal, 2) has two digits after the point.
using ResultRefiner = std::function<types::TypePtr(
    const BoundSignature& signature, const std::vector<const arrow::Scalar*>& literals)>;

enum class NullRule : uint8_t {
  kNullIfAnyNull,   ///< rows with a null argument give null; the kernel need not look
  kHandledByKernel  ///< the kernel sees nulls (COALESCE, AND, CONCAT_WS …)
};

/// Which arguments a row needs; the evaluator keeps errors of the others away from it.
enum class ArgumentRule : uint8_t {
  kAll,
  kUntilFalse,      ///< AND: the right side only where the left one is not false
  kUntilTrue,       ///< OR
  kUntilNotNull,    ///< COALESCE
  kFirstThenChosen  ///< IF: the condition, then the chosen one of two values
};

/// One call of a kernel: `arguments` are arrays of `row_count` values or scalars, of the bound
/// types.
struct KernelCall {
  const std::vector<arrow::Datum>& arguments;
  int64_t row_count;
  const types::TypePtr& result_type;
  const std::vector<types::TypePtr>& argument_types;
  const EvaluationContext& context;
  /// Under kNullIfAnyNull: one bit per row, clear where an argument is null; no bitmap when all are
  /// set. What a kernel gives for a clear bit does not matter, but it must not fail there.
  const uint8_t* validity = nullptr;
};
using ScalarKernel = Result<arrow::Datum> (*)(const KernelCall& call);

/// A scalar function as data: everything that SHOW FUNCTIONS, the documentation, the binder, the
/// evaluator and the example's test need. Defined in functions/<family>.cc, listed at that file's
/// end.
struct ScalarFunction {
  std::string name;                     ///< upper case; "+" for operators
  std::vector<std::string> signatures;  ///< for people: "SUBSTRING(string, start [, length])"
  SignatureBinder bind;
  NullRule null_rule = NullRule::kNullIfAnyNull;
  ScalarKernel kernel = nullptr;
  std::string doc;             ///< one sentence
  std::string example;         ///< an expression …
  std::string example_result;  ///< … and its printed value; runs as a test
  bool deterministic = true;
  bool internal = false;  ///< operators and the like: not in SHOW FUNCTIONS
  bool may_fail = false;  ///< some values are errors (division by zero)
  ArgumentRule argument_rule = ArgumentRule::kAll;
  ResultRefiner refine;  ///< may be empty; the binder asks it after `bind`
};

/// What an aggregate keeps per group, as columns addressed by dense group ids. Single-threaded.
class AggregateState {
 public:
  virtual ~AggregateState() = default;

  /// Makes room so that group ids below `group_count` are valid, new ones in their initial state.
  virtual Status Resize(int64_t group_count) = 0;

  /// Adds (weight +1) or retracts (weight -1) each row to its group. `weights` may be null: all +1.
  /// `arguments` are arrays of the bound types. FILTER is the caller's affair: it gives only the
  /// rows that count.
  virtual Status Update(const std::vector<std::shared_ptr<arrow::Array>>& arguments,
                        const int32_t* group_ids, const int8_t* weights, int64_t row_count) = 0;

  /// As Update with row order kept, but also writes each row's group value after that row: what
  /// row-at-a-time execution would have emitted. `weights` may be null.
  virtual Result<std::shared_ptr<arrow::Array>> UpdateRunning(
      const std::vector<std::shared_ptr<arrow::Array>>& arguments, const int32_t* group_ids,
      const int8_t* weights, int64_t row_count) = 0;

  /// The current values of the named groups.
  virtual Result<std::shared_ptr<arrow::Array>> Values(const int32_t* group_ids, int64_t count) = 0;

  /// The state of the named groups as columns, and back: for checkpoints and pre-aggregation.
  virtual Result<std::vector<std::shared_ptr<arrow::Array>>> Save(const int32_t* group_ids,
                                                                  int64_t count) = 0;
  /// Merges saved columns into groups (into fresh groups: restores them).
  virtual Status Merge(const std::vector<std::shared_ptr<arrow::Array>>& saved,
                       const int32_t* group_ids, int64_t count) = 0;
};

/// An aggregate function as data; see ScalarFunction.
struct AggregateFunction {
  std::string name;
  std::vector<std::string> signatures;
  SignatureBinder bind;
  /// Arguments' and result's bound types are given; called once per operator and call.
  std::function<Result<std::unique_ptr<AggregateState>>(const BoundSignature& signature)>
      make_state;
  /// Types of the columns that Save() gives.
  std::function<std::vector<types::TypePtr>(const BoundSignature& signature)> saved_types;
  bool retractable = true;
  std::string doc;
  std::string example;
  std::string example_result;
};

/// Functions by name. Built once at start (Builtin), with an optional parent scope for temporary
/// ones. Lookup is thread-safe when nobody adds.
class FunctionRegistry {
 public:
  explicit FunctionRegistry(const FunctionRegistry* parent = nullptr) : parent_(parent) {}

  void Add(ScalarFunction function);
  void Add(AggregateFunction function);

  /// Letters of either case; null when there is none.
  const ScalarFunction* FindScalar(std::string_view name) const;
  const AggregateFunction* FindAggregate(std::string_view name) const;

  /// All, sorted by name, the parent's too.
  std::vector<const ScalarFunction*> Scalars() const;
  std::vector<const AggregateFunction*> Aggregates() const;

  /// Every function that comes with the program; lives as long as the process.
  static const FunctionRegistry* Builtin();

 private:
  const FunctionRegistry* parent_;
  std::vector<std::unique_ptr<ScalarFunction>> scalars_;
  std::vector<std::unique_ptr<AggregateFunction>> aggregates_;
};

}  // namespace lakeward::expr
