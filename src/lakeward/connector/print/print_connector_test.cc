#include "lakeward/connector/print/print_connector.h"

#include "arrow/array/array_primitive.h"
#include "gtest/gtest.h"
#include "lakeward/connector/connector_fixture.h"
#include "lakeward/types/row_kind.h"

namespace lakeward::connector {
namespace {

class PrintTest : public ConnectorFixture {
 protected:
  const std::shared_ptr<const Connector> connector_ = MakePrintConnector();

  /// What one of the sink's writers puts on standard output.
  std::string Printed(const catalog::TableContext& table, const stream::Batch& batch,
                      int subtask = 0, int parallelism = 1) {
    auto sink = SinkOf(*connector_, table);
    EXPECT_TRUE(sink.ok()) << sink.status().ToString();
    auto writer = (*sink)->MakeWriter(WriterFor(subtask, parallelism));
    ::testing::internal::CaptureStdout();
    EXPECT_STATUS_OK((*writer)->Write(batch));
    return ::testing::internal::GetCapturedStdout();
  }
};

TEST_F(PrintTest, WritesALineARowAsFlinkDoes) {
  const catalog::TableContext table =
      Table({{"a", types::Int()}, {"b", types::String()}, {"c", types::Boolean()}}, {});
  EXPECT_EQ(Printed(table, Rows(table, {"[1, null]", R"(["x", "中文"])", "[true, false]"})),
            "+I[1, x, true]\n+I[null, 中文, false]\n");
}

TEST_F(PrintTest, ShowsTheKindOfEachChange) {
  const catalog::TableContext table = Table({{"n", types::Int()}}, {});
  stream::Batch batch = Rows(table, {"[1, 1, 2, 2, 3]"});
  batch.row_kinds = std::static_pointer_cast<arrow::Int8Array>(
      arrow::json::ArrayFromJSONString(arrow::int8(), "[0, 1, 2, 3, 0]").ValueOrDie());
  batch.selection = std::static_pointer_cast<arrow::Int32Array>(
      arrow::json::ArrayFromJSONString(arrow::int32(), "[0, 1, 2, 3]").ValueOrDie());
  EXPECT_EQ(Printed(table, batch), "+I[1]\n-U[1]\n+U[2]\n-D[2]\n");
}

// Flink's PrintSinkOutputWriter: "identifier:subtask> ", either part only where there is one.
TEST_F(PrintTest, PrefixNamesTableAndTask) {
  const auto table = [&](const std::string& identifier) {
    return Table({{"n", types::Int()}}, {{"connector", "print"}, {"print-identifier", identifier}});
  };
  const stream::Batch row = Rows(table("p"), {"[1]"});
  EXPECT_EQ(Printed(table("p"), row), "p> +I[1]\n");
  EXPECT_EQ(Printed(table("p"), row, 1, 2), "p:2> +I[1]\n");
  EXPECT_EQ(Printed(Table({{"n", types::Int()}}, {}), row, 0, 2), "1> +I[1]\n");
}

TEST_F(PrintTest, PrintsValuesInJavasForms) {
  const catalog::TableContext table =
      Table({{"d", types::Date()},
             {"t", types::Timestamp(3)},
             {"z", types::TimestampLtz(3)},
             {"l", types::Array(types::Int())},
             {"m", types::Map(types::String(), types::Int())},
             {"r", types::Row({{"x", types::Int(), {}}, {"y", types::String(), {}}})},
             {"n", types::Decimal(5, 2)}},
            {});
  EXPECT_EQ(
      Printed(table,
              Rows(table, {"[19000]", "[1700000000120000]", "[1700000000000000]", "[[1, null]]",
                           R"([[["k", 1]]])", R"([[1, "y"]])", R"(["1.50"])"})),
      "+I[2022-01-08, 2023-11-14T22:13:20.120, 2023-11-14T22:13:20Z, [1, null], {k=1}, +I[1, y], "
      "1.50]\n");
}

TEST_F(PrintTest, WritesToStandardErrorWhenAsked) {
  const catalog::TableContext table =
      Table({{"n", types::Int()}}, {{"connector", "print"}, {"standard-error", "true"}});
  ::testing::internal::CaptureStderr();
  EXPECT_EQ(Printed(table, Rows(table, {"[1]"})), "");
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "+I[1]\n");
}

TEST_F(PrintTest, RefusesOptionsThatItDoesNotHave) {
  EXPECT_EQ(ErrorOf(connector_->NegotiateSink(
                Table({{"n", types::Int()}}, {{"connector", "print"}, {"standard-error", "si"}}))),
            "Table 'c.d.t': Invalid value for option 'standard-error': 'si' is not 'true' or "
            "'false'");
  EXPECT_EQ(ErrorOf(connector_->NegotiateSink(
                Table({{"n", types::Int()}}, {{"connector", "print"}, {"logger", "true"}}))),
            "Table 'c.d.t': Unsupported options found for connector 'print'.\n\n"
            "Unsupported options:\n\nlogger\n\nSupported options:\n\nprint-identifier\n"
            "sink.parallelism\nstandard-error");
}

}  // namespace
}  // namespace lakeward::connector
