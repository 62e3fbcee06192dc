#include "lakeward/table/delta/data_skipping.h"

#include <map>

#include "arrow/scalar.h"
#include "gtest/gtest.h"
#include "lakeward/expr/function.h"
#include "lakeward/types/arrow_mapping.h"

namespace lakeward::delta {
namespace {

using expr::ExpressionPtr;

const expr::ScalarFunction* Function(const std::string& name) {
  static std::map<std::string, expr::ScalarFunction> functions;
  auto [entry, added] = functions.try_emplace(name);
  entry->second.name = name;
  return &entry->second;
}

ExpressionPtr Call(const std::string& name, std::vector<ExpressionPtr> arguments) {
  return expr::MakeCall(Function(name), std::move(arguments), types::Boolean());
}
ExpressionPtr Int(int32_t value) {
  return expr::MakeLiteral(std::make_shared<arrow::Int32Scalar>(value), types::Int());
}
ExpressionPtr Text(const std::string& value) {
  return expr::MakeLiteral(std::make_shared<arrow::StringScalar>(value), types::String());
}
ExpressionPtr Column(types::TypePtr type) { return expr::MakeColumn(0, "c", std::move(type)); }

/// Outcomes as the letters of what may be: "T", "F", "N".
std::string Judged(const ExpressionPtr& condition, const std::string& statistics,
                   const types::TypePtr& type) {
  const FileBounds bounds = FileBounds::Parse(statistics, false);
  const Outcomes outcomes =
      Judge(*condition, {[&](int) { return bounds.Column("c", *type); }, bounds.record_count()});
  return std::string(outcomes.may_be_true ? "T" : "") + (outcomes.may_be_false ? "F" : "") +
         (outcomes.may_be_null ? "N" : "");
}

const char* const kFiveToNine =
    R"({"numRecords":4,"minValues":{"c":5},"maxValues":{"c":9},"nullCount":{"c":0}})";
const char* const kSomeNulls =
    R"({"numRecords":4,"minValues":{"c":5},"maxValues":{"c":9},"nullCount":{"c":1}})";
const char* const kAllNull = R"({"numRecords":4,"nullCount":{"c":4}})";

TEST(DataSkippingTest, ComparesWithBounds) {
  const auto judge = [](const std::string& name, int32_t value) {
    return Judged(Call(name, {Column(types::Int()), Int(value)}), kFiveToNine, types::Int());
  };
  EXPECT_EQ(judge("=", 4), "F");
  EXPECT_EQ(judge("=", 5), "TF");
  EXPECT_EQ(judge("=", 10), "F");
  EXPECT_EQ(judge("<>", 10), "T");
  EXPECT_EQ(judge("<>", 7), "TF");
  EXPECT_EQ(judge("<", 5), "F");
  EXPECT_EQ(judge("<", 6), "TF");
  EXPECT_EQ(judge("<", 10), "T");
  EXPECT_EQ(judge("<=", 4), "F");
  EXPECT_EQ(judge("<=", 5), "TF");
  EXPECT_EQ(judge(">", 9), "F");
  EXPECT_EQ(judge(">", 8), "TF");
  EXPECT_EQ(judge(">=", 10), "F");
  EXPECT_EQ(judge(">=", 9), "TF");
  EXPECT_EQ(Judged(Call(">", {Int(5), Column(types::Int())}), kFiveToNine, types::Int()), "F");
}

TEST(DataSkippingTest, NullsAreKnown) {
  const ExpressionPtr is_null = Call("IS NULL", {Column(types::Int())});
  const ExpressionPtr is_not_null = Call("IS NOT NULL", {Column(types::Int())});
  EXPECT_EQ(Judged(is_null, kFiveToNine, types::Int()), "F");
  EXPECT_EQ(Judged(is_null, kSomeNulls, types::Int()), "TF");
  EXPECT_EQ(Judged(is_null, kAllNull, types::Int()), "T");
  EXPECT_EQ(Judged(is_not_null, kAllNull, types::Int()), "F");
  EXPECT_EQ(Judged(Call("=", {Column(types::Int()), Int(7)}), kAllNull, types::Int()), "N");
  EXPECT_EQ(Judged(Call("=", {Column(types::Int()), expr::MakeNullLiteral(types::Int())}),
                   kFiveToNine, types::Int()),
            "N");
}

// delta-write-09: missing statistics keep the file.
TEST(DataSkippingTest, DeltaWrite09MissingStatisticsAreUnknown) {
  const ExpressionPtr condition = Call(">=", {Column(types::Int()), Int(100)});
  for (
      const char* statistics :
      {"", R"({"numRecords":4})", R"({"numRecords":4,"minValues":{},"maxValues":{}})",
       R"({"numRecords":4,"minValues":{"c":null},"maxValues":{"c":null},"nullCount":{"c":null}})"}) {
    EXPECT_EQ(Judged(condition, statistics, types::Int()), "TFN") << statistics;
  }
}

TEST(DataSkippingTest, CombinesConditions) {
  const ExpressionPtr low = Call("<", {Column(types::Int()), Int(5)});       // F
  const ExpressionPtr maybe = Call("=", {Column(types::Int()), Int(7)});     // TF
  const ExpressionPtr certain = Call("<", {Column(types::Int()), Int(10)});  // T
  const auto judge = [&](const ExpressionPtr& condition) {
    return Judged(condition, kFiveToNine, types::Int());
  };
  EXPECT_EQ(judge(Call("AND", {maybe, low})), "F");
  EXPECT_EQ(judge(Call("AND", {maybe, certain})), "TF");
  EXPECT_EQ(judge(Call("OR", {low, low})), "F");
  EXPECT_EQ(judge(Call("OR", {low, maybe})), "TF");
  EXPECT_EQ(judge(Call("OR", {low, certain})), "T");
  EXPECT_EQ(judge(Call("NOT", {certain})), "F");
  EXPECT_EQ(judge(Call("IS TRUE", {low})), "F");
  EXPECT_EQ(judge(Call("IS NOT TRUE", {low})), "T");
  EXPECT_EQ(judge(Call("IS FALSE", {certain})), "F");
  EXPECT_EQ(judge(Call("IS UNKNOWN", {maybe})), "F");
  EXPECT_EQ(judge(Call("IN", {Column(types::Int()), Int(1), Int(2)})), "F");
  EXPECT_EQ(judge(Call("IN", {Column(types::Int()), Int(1), Int(8)})), "TF");
  EXPECT_EQ(judge(Call("NOT IN", {Column(types::Int()), Int(1)})), "T");
  EXPECT_EQ(judge(Call("BETWEEN", {Column(types::Int()), Int(10), Int(20)})), "F");
  EXPECT_EQ(judge(Call("BETWEEN", {Column(types::Int()), Int(6), Int(20)})), "TF");
  EXPECT_EQ(judge(Call("MYSTERY", {Column(types::Int())})), "TFN");
}

TEST(DataSkippingTest, CastsThatKeepTheOrderAreSeenThrough) {
  const auto wide = std::make_shared<arrow::Int64Scalar>(10);
  const ExpressionPtr condition = Call("=", {expr::MakeCast(Column(types::Int()), types::BigInt()),
                                             expr::MakeLiteral(wide, types::BigInt())});
  EXPECT_EQ(Judged(condition, kFiveToNine, types::Int()), "F");
  const ExpressionPtr narrowing =
      Call("=", {expr::MakeCast(Column(types::Int()), types::TinyInt()),
                 expr::MakeLiteral(std::make_shared<arrow::Int8Scalar>(10), types::TinyInt())});
  EXPECT_EQ(Judged(narrowing, kFiveToNine, types::Int()), "TFN");
  const ExpressionPtr rounding = Call(
      "=", {expr::MakeCast(Column(types::Int()), types::Float()),
            expr::MakeLiteral(std::make_shared<arrow::FloatScalar>(16'777'216), types::Float())});
  EXPECT_EQ(Judged(rounding,
                   R"({"numRecords":1,"minValues":{"c":16777217},"maxValues":{"c":16777217},)"
                   R"("nullCount":{"c":0}})",
                   types::Int()),
            "TFN");
  const ExpressionPtr as_text =
      Call("=", {expr::MakeCast(Column(types::Int()), types::String()), Text("10")});
  EXPECT_EQ(Judged(as_text, kFiveToNine, types::Int()), "TFN");
}

// delta-read-01: equality with the exact microsecond must find the file.
TEST(DataSkippingTest, DeltaRead01ExactMicrosecondIsKept) {
  const std::string statistics =
      R"({"numRecords":1,"minValues":{"c":"2024-01-01T00:00:00.123Z"},)"
      R"("maxValues":{"c":"2024-01-01T00:00:00.123Z"},"nullCount":{"c":0}})";
  const int64_t base = 1'704'067'200'123'000;
  for (const types::TypePtr& type : {types::TimestampLtz(6), types::Timestamp(6)}) {
    const auto judge = [&](const std::string& name, int64_t micros) {
      const auto value = std::make_shared<arrow::TimestampScalar>(micros, types::ToArrow(*type));
      return Judged(Call(name, {Column(type), expr::MakeLiteral(value, type)}), statistics, type);
    };
    EXPECT_EQ(judge("=", base + 456), "TF");
    EXPECT_EQ(judge("=", base + 999), "TF");
    EXPECT_EQ(judge("=", base + 1'000), "F");
    EXPECT_EQ(judge("=", base - 1), "F");
    EXPECT_EQ(judge(">", base + 500), "TF");
  }
}

TEST(DataSkippingTest, TextsCompareByBytesAndCutMaximaAreWide) {
  const types::TypePtr type = types::String();
  const std::string cut(32, 'b');
  const std::string statistics = R"({"numRecords":2,"minValues":{"c":"abc"},"maxValues":{"c":")" +
                                 cut + R"("},"nullCount":{"c":0}})";
  const auto judge = [&](const std::string& name, const std::string& value) {
    return Judged(Call(name, {Column(type), Text(value)}), statistics, type);
  };
  EXPECT_EQ(judge("=", "abb"), "F");
  EXPECT_EQ(judge("=", cut + "z"), "TF");
  EXPECT_EQ(judge("=", "c"), "F");
  EXPECT_EQ(judge("=", "\xC3\xBC"), "F");
}

TEST(DataSkippingTest, NanIsNeverAssumedAway) {
  const types::TypePtr type = types::Double();
  const auto number = [&](double value) {
    return expr::MakeLiteral(std::make_shared<arrow::DoubleScalar>(value), type);
  };
  const std::string five =
      R"({"numRecords":2,"minValues":{"c":5.0},"maxValues":{"c":5.0},"nullCount":{"c":0}})";
  EXPECT_EQ(Judged(Call("<>", {Column(type), number(5)}), five, type), "TF");
  EXPECT_EQ(Judged(Call("NOT", {Call("<", {Column(type), number(6)})}), five, type), "TF");
  EXPECT_EQ(Judged(Call(">", {Column(type), number(6)}), five, type), "F");
  const std::string nan = R"({"minValues":{"c":5.0},"maxValues":{"c":"NaN"},"nullCount":{"c":0}})";
  EXPECT_EQ(Judged(Call(">", {Column(type), number(6)}), nan, type), "TF");
}

TEST(DataSkippingTest, DecimalsAreJudgedDespiteRounding) {
  const types::TypePtr type = types::Decimal(20, 2);
  const auto decimal = [&](const std::string& text) {
    return expr::MakeLiteral(std::make_shared<arrow::Decimal128Scalar>(
                                 *arrow::Decimal128::FromString(text), arrow::decimal128(20, 2)),
                             type);
  };
  const std::string statistics =
      R"({"numRecords":2,"minValues":{"c":1.10},"maxValues":{"c":123456789012345678.25},)"
      R"("nullCount":{"c":0}})";
  const auto judge = [&](const std::string& name, const std::string& text) {
    return Judged(Call(name, {Column(type), decimal(text)}), statistics, type);
  };
  EXPECT_EQ(judge("=", "1.10"), "TF");
  EXPECT_EQ(judge("=", "1.09"), "F");
  EXPECT_EQ(judge("=", "123456789012345678.25"), "TF");
  EXPECT_EQ(judge("=", "123456789012345999.00"), "F");
}

}  // namespace
}  // namespace lakeward::delta
