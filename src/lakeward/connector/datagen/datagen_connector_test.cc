#include "lakeward/connector/datagen/datagen_connector.h"

#include <algorithm>
#include <set>

#include "arrow/array/array_binary.h"
#include "arrow/array/array_primitive.h"
#include "gmock/gmock.h"
#include "lakeward/connector/connector_fixture.h"

namespace lakeward::connector {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;

class DatagenTest : public ConnectorFixture {
 protected:
  const std::shared_ptr<const Connector> connector_ = MakeDatagenConnector();

  /// The refusal of a table with a column `n` of type `type`.
  std::string Refusal(types::TypePtr type, config::OptionMap options) {
    return ErrorOf(connector_->NegotiateScan(Table({{"n", std::move(type)}}, std::move(options))));
  }

  /// One batch of `count` rows of one column `n`.
  std::shared_ptr<arrow::RecordBatch> Generate(types::TypePtr type, int64_t count,
                                               config::OptionMap options = {}) {
    options["number-of-rows"] = std::to_string(count);
    options["rows-per-second"] = "1000000";
    const catalog::TableContext table = Table({{"n", std::move(type)}}, std::move(options));
    auto source = SourceOf(*connector_, table);
    EXPECT_TRUE(source.ok()) << source.status().ToString();
    auto reader = (*source)->OpenSplit((*source)->Enumerate(1).ValueOrDie()[0], Task());
    const stream::PollResult polled = (*reader)->Poll().ValueOrDie();
    EXPECT_EQ(polled.batch.records->num_rows(), count);
    return polled.batch.records;
  }
};

TEST_F(DatagenTest, SequencesAreSplitOverTheReadersWithoutGapOrRepetition) {
  const catalog::TableContext table =
      Table({{"n", types::BigInt()}},
            {{"fields.n.kind", "sequence"}, {"fields.n.start", "5"}, {"fields.n.end", "14"}});
  ASSERT_ASSIGN(const auto negotiation, connector_->NegotiateScan(table));
  EXPECT_TRUE(negotiation->bounded());
  EXPECT_EQ(negotiation->EstimatedRowCount(), 10);
  ASSERT_ASSIGN(const auto source, connector_->MakeSource(table, *negotiation));
  ASSERT_ASSIGN(const auto splits, source->Enumerate(3));
  EXPECT_EQ(splits.size(), 3u);
  ASSERT_ASSIGN(std::vector<std::string> lines, ReadAll(source.get(), 3));
  std::sort(lines.begin(), lines.end(),
            [](const std::string& a, const std::string& b) { return std::stoi(a) < std::stoi(b); });
  EXPECT_THAT(lines, ElementsAre("5", "6", "7", "8", "9", "10", "11", "12", "13", "14"));
}

TEST_F(DatagenTest, TheShortestSequenceEndsTheTable) {
  const catalog::TableContext table =
      Table({{"a", types::Int()}, {"b", types::String()}}, {{"number-of-rows", "7"},
                                                            {"fields.a.kind", "sequence"},
                                                            {"fields.a.start", "1"},
                                                            {"fields.a.end", "100"},
                                                            {"fields.b.kind", "sequence"},
                                                            {"fields.b.start", "8"},
                                                            {"fields.b.end", "10"}});
  ASSERT_ASSIGN(const auto source, SourceOf(*connector_, table));
  ASSERT_ASSIGN(const auto lines, ReadAll(source.get()));
  EXPECT_THAT(lines, ElementsAre("1, 8", "2, 9", "3, 10"));
}

TEST_F(DatagenTest, WithoutNumberOfRowsThereIsNoEnd) {
  ASSERT_ASSIGN(const auto negotiation,
                connector_->NegotiateScan(Table({{"n", types::Int()}}, {})));
  EXPECT_FALSE(negotiation->bounded());
  EXPECT_EQ(negotiation->EstimatedRowCount(), std::nullopt);
}

TEST_F(DatagenTest, GoesOnAtTheRestoredPositionWithTheSameRows) {
  const catalog::TableContext table =
      Table({{"n", types::BigInt()}, {"s", types::String()}},
            {{"number-of-rows", "40000"}, {"rows-per-second", "1000000000"}});
  ASSERT_ASSIGN(const auto source, SourceOf(*connector_, table));
  ASSERT_ASSIGN(const auto splits, source->Enumerate(2));
  stream::Split split = splits[1];
  ASSERT_ASSIGN(const auto whole, source->OpenSplit(split, Task()));
  std::vector<std::string> first;
  ASSERT_ASSIGN(const auto polled, whole->Poll());
  AppendLines(*polled.batch.records, &first);
  split.position = whole->Position();
  ASSERT_ASSIGN(const auto rest, ReadToEnd(whole.get()));

  // Another process: nothing but the split is kept.
  ASSERT_ASSIGN(const auto other, SourceOf(*MakeDatagenConnector(), table));
  ASSERT_ASSIGN(const auto resumed, other->OpenSplit(split, Task()));
  ASSERT_ASSIGN(const auto again, ReadToEnd(resumed.get()));
  EXPECT_EQ(again, rest);
  EXPECT_EQ(first.size() + rest.size(), 20'000u);
}

TEST_F(DatagenTest, RefusesAPositionThatIsNoNumber) {
  ASSERT_ASSIGN(const auto source,
                SourceOf(*connector_, Table({{"n", types::Int()}}, {{"number-of-rows", "1"}})));
  ASSERT_ASSIGN(auto splits, source->Enumerate(1));
  splits[0].position = "half";
  EXPECT_FALSE(source->OpenSplit(splits[0], Task()).ok());
  splits[0].spec = "{";
  EXPECT_EQ(KindOf(source->OpenSplit(splits[0], Task()).status()), ErrorKind::kCorruptData);
}

TEST_F(DatagenTest, KeepsTheRate) {
  const catalog::TableContext table =
      Table({{"n", types::Int()}}, {{"rows-per-second", "100"}, {"number-of-rows", "1000"}});
  ASSERT_ASSIGN(const auto source, SourceOf(*connector_, table));
  ASSERT_ASSIGN(const auto splits, source->Enumerate(1));
  ASSERT_ASSIGN(const auto reader, source->OpenSplit(splits[0], Task()));
  int64_t rows = 0;
  const auto drain = [&] {
    while (true) {
      stream::PollResult polled = reader->Poll().ValueOrDie();
      if (polled.kind != stream::PollKind::kBatch) {
        return polled;
      }
      rows += polled.batch.records->num_rows();
    }
  };
  EXPECT_EQ(drain().kind, stream::PollKind::kIdle);
  EXPECT_LE(rows, 12);  // a tenth of a second ahead
  clock_.Advance(2'000'000);
  const stream::PollResult idle = drain();
  EXPECT_EQ(idle.kind, stream::PollKind::kIdle);
  EXPECT_GT(idle.wait_us, 0);
  EXPECT_GE(rows, 200);
  EXPECT_LE(rows, 212);
  clock_.Advance(60'000'000);
  EXPECT_EQ(drain().kind, stream::PollKind::kSplitEnd);
  EXPECT_EQ(rows, 1'000);
}

TEST_F(DatagenTest, MakesOnlyTheColumnsAskedForAndTheSameValues) {
  const catalog::TableContext table =
      Table({{"a", types::BigInt()}, {"b", types::BigInt()}}, {{"number-of-rows", "5"}});
  ASSERT_ASSIGN(const auto both, SourceOf(*connector_, table));
  ASSERT_ASSIGN(const auto only_b, SourceOf(*connector_, table, {1}));
  ASSERT_ASSIGN(const auto splits, both->Enumerate(1));
  ASSERT_ASSIGN(const auto wide, both->OpenSplit(splits[0], Task()));
  ASSERT_ASSIGN(const auto narrow, only_b->OpenSplit(splits[0], Task()));
  ASSERT_ASSIGN(const auto wide_rows, wide->Poll());
  ASSERT_ASSIGN(const auto narrow_rows, narrow->Poll());
  EXPECT_EQ(narrow_rows.batch.records->num_columns(), 1);
  EXPECT_TRUE(narrow_rows.batch.records->column(0)->Equals(*wide_rows.batch.records->column(1)));
}

TEST_F(DatagenTest, RandomNumbersReachBothBounds) {
  const auto column = std::static_pointer_cast<arrow::Int32Array>(
      Generate(types::Int(), 1'000, {{"fields.n.min", "-2"}, {"fields.n.max", "2"}})->column(0));
  std::set<int32_t> seen;
  for (int64_t i = 0; i < column->length(); ++i) {
    seen.insert(column->Value(i));
  }
  EXPECT_THAT(seen, ElementsAre(-2, -1, 0, 1, 2));
  // The whole range of a type is no overflow.
  const auto all = Generate(types::BigInt(), 100);
  EXPECT_EQ(all->column(0)->null_count(), 0);
}

TEST_F(DatagenTest, StringsHaveTheLengthOfTheirTypeOrOption) {
  const auto lengths = [](const std::shared_ptr<arrow::RecordBatch>& records) {
    std::set<int64_t> seen;
    const auto column = std::static_pointer_cast<arrow::StringArray>(records->column(0));
    for (int64_t i = 0; i < column->length(); ++i) {
      seen.insert(column->value_length(i));
    }
    return seen;
  };
  EXPECT_THAT(lengths(Generate(types::String(), 50)), ElementsAre(100));  // as in Flink
  EXPECT_THAT(lengths(Generate(types::Char(7), 50)), ElementsAre(7));
  EXPECT_THAT(lengths(Generate(types::VarChar(9), 50)), ElementsAre(9));
  EXPECT_THAT(lengths(Generate(types::String(), 50, {{"fields.n.length", "3"}})), ElementsAre(3));
  EXPECT_THAT(lengths(Generate(types::String(), 500,
                               {{"fields.n.length", "3"}, {"fields.n.var-len", "true"}})),
              ElementsAre(1, 2, 3));
}

TEST_F(DatagenTest, NullRateIsAShareOfTheRows) {
  const auto records = Generate(types::BigInt(), 10'000, {{"fields.n.null-rate", "0.25"}});
  EXPECT_NEAR(static_cast<double>(records->column(0)->null_count()), 2'500, 250);
  EXPECT_EQ(Generate(types::BigInt(), 100, {{"fields.n.null-rate", "1"}})->column(0)->null_count(),
            100);
}

TEST_F(DatagenTest, TimesAreNowOrAsFarBackAsAllowed) {
  const auto times = [&](const config::OptionMap& options) {
    const auto records = Generate(types::Timestamp(6), 200, options);
    const auto column = std::static_pointer_cast<arrow::TimestampArray>(records->column(0));
    std::vector<int64_t> back;
    for (int64_t i = 0; i < column->length(); ++i) {
      back.push_back(clock_.NowMicros() - column->Value(i));
    }
    return back;
  };
  EXPECT_THAT(times({}), Each(testing::AllOf(testing::Ge(0), testing::Lt(1'000))));
  const auto back = times({{"fields.n.max-past", "10 s"}});
  EXPECT_THAT(back, Each(testing::AllOf(testing::Ge(0), testing::Le(10'001'000))));
  EXPECT_GT(*std::max_element(back.begin(), back.end()), 5'000'000);
}

TEST_F(DatagenTest, RefusesWhatItCannotMake) {
  EXPECT_EQ(Refusal(types::Int(), {{"fields.m.kind", "random"}}),
            "Table 'c.d.t': option 'fields.m.kind' names the column 'm', which the table does not "
            "have\nThe columns are [n: INT].");
  EXPECT_EQ(Refusal(types::Int(), {{"fields.n.kind", "prime"}}),
            "Table 'c.d.t': Column 'n': 'fields.n.kind' = 'prime' is unknown\n"
            "Use 'random' or 'sequence'.");
  EXPECT_EQ(Refusal(types::Int(), {{"fields.n.kind", "sequence"}, {"fields.n.start", "1"}}),
            "Table 'c.d.t': Column 'n': a sequence needs 'fields.n.end'\n"
            "Give both 'fields.n.start' and 'fields.n.end'.");
  EXPECT_EQ(
      Refusal(types::Int(),
              {{"fields.n.kind", "sequence"}, {"fields.n.start", "2"}, {"fields.n.end", "1"}}),
      "Table 'c.d.t': Column 'n': 'start' 2 is after 'end' 1\nSwap them.");
  EXPECT_EQ(Refusal(types::Int(), {{"fields.n.null-rate", "1.5"}}),
            "Table 'c.d.t': Column 'n': 'null-rate' must lie between 0 and 1\n"
            "0.1 makes a tenth null.");
  EXPECT_EQ(
      Refusal(types::Int(false), {{"fields.n.null-rate", "0.5"}}),
      "Table 'c.d.t': Column 'n': 'null-rate' does not go with NOT NULL\nRemove one of them.");
  EXPECT_EQ(Refusal(types::Char(3), {{"fields.n.length", "4"}}),
            "Table 'c.d.t': Column 'n': a length cannot be chosen for CHAR(3)\n"
            "Remove 'fields.n.length' or declare STRING.");
  EXPECT_EQ(Refusal(types::VarChar(3), {{"fields.n.length", "4"}}),
            "Table 'c.d.t': Column 'n': 'length' 4 is beyond VARCHAR(3)\n"
            "Give a length from 0 to that of the type, at most 16777216.");
  EXPECT_EQ(Refusal(types::Array(types::Int()), {}),
            "Table 'c.d.t': not supported yet: random values of type ARRAY<INT>\n"
            "Generate the parts as columns and build the value in the query.");
  EXPECT_EQ(Refusal(types::Int(), {{"rows-per-second", "0"}}),
            "Table 'c.d.t': 'rows-per-second' must be positive and 'number-of-rows' not negative\n"
            "Correct the WITH clause of 'c.d.t'.");
  EXPECT_EQ(Refusal(types::Int(), {{"scan.parallelism", "0"}}),
            "Table 'c.d.t': 'scan.parallelism' = '0' is out of range\n"
            "Give a number from 1 to 1024.");
}

}  // namespace
}  // namespace lakeward::connector
