// Every function's documentation holds an example and its result: here each is parsed, bound and
// computed.

#include "arrow/array.h"
#include "lakeward/base/clock.h"
#include "lakeward/base/random.h"
#include "lakeward/expr/evaluator.h"
#include "lakeward/plan/bind_context.h"
#include "lakeward/plan/expression_binder.h"
#include "lakeward/plan/planner_fixture.h"
#include "lakeward/types/printed_form.h"
#include "support/status_matchers.h"

namespace lakeward::plan {
namespace {

class FunctionExamplesTest : public PlannerFixture {
 protected:
  Result<std::string> Compute(const std::string& text) {
    LW_ASSIGN(const sql::ExpressionPtr parsed, sql::ParseExpression(text));
    LW_ASSIGN(BindContext context, BindContext::Make(context_));
    context.evaluation.clock = SystemClock();
    context.evaluation.random = SystemRandom();
    const Scope no_columns;
    ExpressionBinder binder(context, no_columns, "SELECT");
    LW_ASSIGN(const expr::ExpressionPtr bound, binder.Bind(*parsed));
    const auto one_row = arrow::RecordBatch::Make(arrow::schema(arrow::FieldVector{}), 1,
                                                  std::vector<std::shared_ptr<arrow::Array>>{});
    LW_ASSIGN(const std::shared_ptr<arrow::Array> result,
              expr::EvaluateToArray(*bound, *one_row, context.evaluation));
    return types::PrintedForm(*result, 0, *bound->type(), types::TimeZone());
  }
};

TEST_F(FunctionExamplesTest, ScalarFunctionsGiveWhatTheirExamplesSay) {
  for (const expr::ScalarFunction* function : expr::FunctionRegistry::Builtin()->Scalars()) {
    if (function->example.empty() || !function->deterministic) {
      continue;
    }
    const Result<std::string> value = Compute(function->example);
    EXPECT_TRUE(value.ok()) << function->name << ": " << function->example << ": "
                            << value.status().ToString();
    if (value.ok()) {
      EXPECT_EQ(*value, function->example_result) << function->name << ": " << function->example;
    }
  }
}

}  // namespace
}  // namespace lakeward::plan
