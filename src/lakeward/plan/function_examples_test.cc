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
  static std::shared_ptr<arrow::RecordBatch> OneRow() {
    return arrow::RecordBatch::Make(arrow::schema(arrow::FieldVector{}), 1,
                                    std::vector<std::shared_ptr<arrow::Array>>{});
  }

  Result<std::string> Compute(const std::string& text) {
    LW_ASSIGN(const sql::ExpressionPtr parsed, sql::ParseExpression(text));
    LW_ASSIGN(BindContext context, BindContext::Make(context_));
    context.evaluation.clock = SystemClock();
    context.evaluation.random = SystemRandom();
    const Scope no_columns;
    ExpressionBinder binder(context, no_columns, "SELECT");
    LW_ASSIGN(const expr::ExpressionPtr bound, binder.Bind(*parsed));
    LW_ASSIGN(const std::shared_ptr<arrow::Array> result,
              expr::EvaluateToArray(*bound, *OneRow(), context.evaluation));
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

TEST_F(FunctionExamplesTest, AggregateFunctionsGiveWhatTheirExamplesSay) {
  for (const expr::AggregateFunction* function : expr::FunctionRegistry::Builtin()->Aggregates()) {
    SCOPED_TRACE(function->name + ": " + function->example);
    ASSERT_ASSIGN(const PlannedStatement planned, Plan("SELECT " + function->example));
    const PhysicalNode* node = planned.plan.roots[0].get();
    while (node->kind != PhysicalKind::kGroupAggregate) {
      node = node->inputs[0].get();
    }
    const AggregateCall& call = static_cast<const GroupAggregateNode*>(node)->calls[0];
    const PhysicalNode* input = node->inputs[0]->inputs[0].get();  // below the exchange
    std::vector<std::shared_ptr<arrow::Array>> arguments;
    for (const int argument : call.arguments) {
      ASSERT_EQ(input->kind, PhysicalKind::kCalc);
      ASSERT_ASSIGN(
          std::shared_ptr<arrow::Array> values,
          expr::EvaluateToArray(*static_cast<const CalcNode*>(input)->projections[argument],
                                *OneRow(), expr::EvaluationContext()));
      arguments.push_back(std::move(values));
    }
    ASSERT_ASSIGN(const auto state, call.function->make_state(call.signature));
    const int32_t group = 0;
    ASSERT_STATUS_OK(state->Resize(1));
    ASSERT_STATUS_OK(state->Update(arguments, &group, /*weights=*/nullptr, /*row_count=*/1));
    ASSERT_ASSIGN(const auto result, state->Values(&group, 1));
    EXPECT_EQ(types::PrintedForm(*result, 0, *call.signature.result_type, types::TimeZone()),
              function->example_result);
  }
}

}  // namespace
}  // namespace lakeward::plan
