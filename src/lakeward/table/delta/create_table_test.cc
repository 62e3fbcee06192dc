#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "lakeward/table/delta/log_entry_fixture.h"

namespace lakeward::delta {
namespace {

using ::testing::HasSubstr;

class CreateTableTest : public LogEntryFixture {
 protected:
  static CreateTableSpec SpecOf(std::vector<types::Column> columns) {
    CreateTableSpec spec;
    spec.schema.columns = std::move(columns);
    return spec;
  }

  Status CreateStatus(const CreateTableSpec& spec) { return Table()->CreateOrCheck(spec).status(); }
};

TEST_F(CreateTableTest, CreatesEntryZeroAsTheFlinkConnectorDoes) {
  ASSERT_ASSIGN(const SnapshotPtr snapshot,
                Table()->CreateOrCheck(SpecOf({{"c1", types::VarChar(1)}, {"c2", types::Int()}})));
  EXPECT_EQ(snapshot->version(), 0);
  const std::vector<json::Json> lines = Lines(0);
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(lines[0]["commitInfo"]["operation"], "CREATE TABLE");
  EXPECT_EQ(json::Write(lines[1]), R"({"protocol":{"minReaderVersion":1,"minWriterVersion":2}})");
  const json::Json& metadata = lines[2]["metaData"];
  EXPECT_EQ(metadata["schemaString"],
            R"({"type":"struct","fields":[{"name":"c1","type":"string","nullable":true,)"
            R"("metadata":{}},{"name":"c2","type":"integer","nullable":true,"metadata":{}}]})");
  EXPECT_EQ(json::Write(metadata["format"]), R"({"provider":"parquet","options":{}})");
  EXPECT_EQ(json::Write(metadata["partitionColumns"]), "[]");
  EXPECT_EQ(json::Write(metadata["configuration"]), "{}");
  EXPECT_EQ(metadata["createdTime"], clock_.NowMillis());
}

TEST_F(CreateTableTest, TimestampNtzRaisesTheProtocol) {
  CreateTableSpec spec = SpecOf({{"t", types::Timestamp(6)}, {"n", types::Int(false)}});
  spec.configuration = {{"delta.feature.timestampNtz", "supported"}, {"delta.appendOnly", "true"}};
  ASSERT_ASSIGN(const SnapshotPtr snapshot, Table()->CreateOrCheck(spec));
  EXPECT_EQ(json::Write(Lines(0)[1]),
            R"({"protocol":{"minReaderVersion":3,"minWriterVersion":7,"readerFeatures":)"
            R"(["timestampNtz"],"writerFeatures":["appendOnly","timestampNtz"]}})");
  EXPECT_EQ(snapshot->schema().ToString(), "[t: TIMESTAMP(6), n: INT NOT NULL]");
  EXPECT_EQ(snapshot->metadata().configuration,
            (std::map<std::string, std::string>{{"delta.appendOnly", "true"}}));
  EXPECT_STATUS_OK(CreateStatus(spec));
}

TEST_F(CreateTableTest, RefusesTablesThatCannotBe) {
  EXPECT_EQ(KindOf(CreateStatus(SpecOf({}))), ErrorKind::kValidation);
  EXPECT_THAT(CreateStatus(SpecOf({{"t", types::Time()}})).message(), HasSubstr("`t`"));
  EXPECT_THAT(CreateStatus(SpecOf({{"a b", types::Int()}})).message(), HasSubstr("columnMapping"));
  EXPECT_EQ(KindOf(CreateStatus(SpecOf({{"a", types::Int()}, {"A", types::Int()}}))),
            ErrorKind::kValidation);
  CreateTableSpec spec = SpecOf({{"a", types::Int()}, {"r", types::Array(types::Int())}});
  spec.partition_columns = {"nope"};
  EXPECT_THAT(CreateStatus(spec).message(), HasSubstr("`nope`"));
  spec.partition_columns = {"r"};
  EXPECT_EQ(KindOf(CreateStatus(spec)), ErrorKind::kUnsupported);
  spec.partition_columns = {"a", "r"};
  EXPECT_FALSE(CreateStatus(spec).ok());
  spec.partition_columns = {};
  spec.configuration = {{"delta.enableDeletionVectors", "true"}};
  EXPECT_THAT(CreateStatus(spec).message(), HasSubstr("deletionVectors"));
  spec.configuration = {{"delta.feature.rowTracking", "supported"}};
  EXPECT_THAT(CreateStatus(spec).message(), HasSubstr("rowTracking"));
  EXPECT_FALSE(HasFile(EntryName(0)));
}

TEST_F(CreateTableTest, ComparesWithATableThatIsThere) {
  CreateTableSpec spec = SpecOf({{"a", types::Int()}, {"p", types::String()}});
  spec.partition_columns = {"p"};
  spec.configuration = {{"delta.checkpointInterval", "5"}};
  ASSERT_STATUS_OK(CreateStatus(spec));
  EXPECT_STATUS_OK(CreateStatus(spec));
  EXPECT_STATUS_OK(CreateStatus(CreateTableSpec{}));
  const auto difference = [&](const std::function<void(CreateTableSpec*)>& change) {
    CreateTableSpec other = spec;
    change(&other);
    const Status status = CreateStatus(other);
    EXPECT_EQ(KindOf(status), ErrorKind::kValidation);
    return status.message();
  };
  EXPECT_THAT(difference([](auto* s) { s->schema.columns[0].type = types::BigInt(); }),
              HasSubstr("its column `a` has the type INT, not BIGINT"));
  EXPECT_THAT(difference([](auto* s) { s->schema.columns[0].name = "b"; }),
              HasSubstr("its column 1 is `a`, not `b`"));
  EXPECT_THAT(difference([](auto* s) { s->schema.columns[0].type = types::Int(false); }),
              HasSubstr("its column `a` is nullable, not NOT NULL"));
  EXPECT_THAT(difference([](auto* s) {
                s->schema.columns.push_back({"x", types::Int()});
              }),
              HasSubstr("it has no column `x`"));
  EXPECT_THAT(difference([](auto* s) { s->schema.columns.pop_back(); }),
              HasSubstr("it has a further column `p` STRING"));
  EXPECT_THAT(difference([](auto* s) { s->partition_columns = {}; }),
              HasSubstr("it is partitioned by (p), not by ()"));
  EXPECT_THAT(difference([](auto* s) { s->configuration["delta.checkpointInterval"] = "6"; }),
              HasSubstr("'delta.checkpointInterval' is '5', not '6'"));
  EXPECT_THAT(difference([](auto* s) { s->configuration["delta.appendOnly"] = "true"; }),
              HasSubstr("'delta.appendOnly' is not set"));
}

TEST_F(CreateTableTest, ConcurrentCreatorsAgree) {
  const CreateTableSpec spec = SpecOf({{"a", types::Int()}});
  // Another creator wins between the look and the put.
  faults_->Add({fs::Operation::kList, "_delta_log", 1, 1, fs::Fault::kShortList, 1'000});
  ASSERT_STATUS_OK(CreateStatus(spec));
  const std::string first = ReadFile(EntryName(0));
  faults_->Add({fs::Operation::kList, "_delta_log", 1, 1, fs::Fault::kShortList, 1'000});
  EXPECT_STATUS_OK(CreateStatus(spec));
  EXPECT_EQ(ReadFile(EntryName(0)), first);
}

TEST_F(CreateTableTest, AFolderOfOtherFilesIsRefused) {
  const CreateTableSpec spec = SpecOf({{"a", types::Int()}});
  ASSERT_STATUS_OK(memory_->Put("/t/_SUCCESS", "", {}));
  ASSERT_STATUS_OK(memory_->Put("/t/report.parquet", "x", {}));
  const Status status = CreateStatus(spec);
  EXPECT_EQ(KindOf(status), ErrorKind::kAlreadyExists);
  EXPECT_THAT(status.message(), HasSubstr("memory://test/t is no Delta table"));
  EXPECT_THAT(status.message(), HasSubstr("'report.parquet'"));
  EXPECT_FALSE(HasFile(EntryName(0)));
}

TEST_F(CreateTableTest, HiddenFilesAreNoOtherFiles) {
  ASSERT_STATUS_OK(memory_->Put("/t/_SUCCESS", "", {}));
  ASSERT_STATUS_OK(memory_->Put("/t/.DS_Store", "x", {}));
  EXPECT_STATUS_OK(CreateStatus(SpecOf({{"a", types::Int()}})));
}

TEST_F(CreateTableTest, AnotherCreatorsFirstFilesAreNoOtherFiles) {
  const CreateTableSpec spec = SpecOf({{"a", types::Int()}});
  ASSERT_STATUS_OK(CreateStatus(spec));
  ASSERT_STATUS_OK(memory_->Put("/t/part-0.parquet", "x", {}));
  // The look that decides whether there is a table still misses it.
  faults_->Add({fs::Operation::kList, "_delta_log", 1, 1, fs::Fault::kShortList, 1'000});
  EXPECT_STATUS_OK(CreateStatus(spec));
}

}  // namespace
}  // namespace lakeward::delta
