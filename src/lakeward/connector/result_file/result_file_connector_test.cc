#include "lakeward/connector/result_file/result_file_connector.h"

#include "arrow/array/array_primitive.h"
#include "gmock/gmock.h"
#include "lakeward/connector/connector_fixture.h"

namespace lakeward::connector {
namespace {

class ResultFileTest : public ConnectorFixture {
 protected:
  const std::shared_ptr<const Connector> connector_ = MakeResultFileConnector();
  const catalog::TableContext table_ =
      Table({{"k", types::String()}, {"n", types::BigInt()}},
            {{"connector", "result-file"}, {"path", "memory://s/result.json"}});

  stream::Batch Changes(const std::string& keys, const std::string& numbers,
                        const std::string& kinds) {
    stream::Batch batch = Rows(table_, {keys, numbers});
    batch.row_kinds = std::static_pointer_cast<arrow::Int8Array>(
        arrow::json::ArrayFromJSONString(arrow::int8(), kinds).ValueOrDie());
    return batch;
  }

  std::string Content() { return files_->ReadAll("s/result.json").ValueOr("none"); }
};

TEST_F(ResultFileTest, HoldsTheAppliedChangelogOnceCommitted) {
  ASSERT_ASSIGN(const auto sink, SinkOf(*connector_, table_));
  ASSERT_ASSIGN(const auto writer, sink->MakeWriter(WriterFor()));
  ASSERT_ASSIGN(const auto committer, sink->MakeCommitter());
  // +I a 1, -U a 1, +U a 2, +I b 1, -D b 1
  ASSERT_STATUS_OK(
      writer->Write(Changes(R"(["a", "a", "a", "b", "b"])", "[1, 1, 2, 1, 1]", "[0, 1, 2, 0, 3]")));
  ASSERT_ASSIGN(auto committables, writer->PrepareCommit(1));
  EXPECT_EQ(Content(), "none");
  ASSERT_ASSIGN(int64_t committed, committer->CommittedCheckpoint("sink1"));
  EXPECT_EQ(committed, 0);

  ASSERT_STATUS_OK(committer->Commit({"sink1", 1, committables}));
  const std::string content =
      "{\"sink_id\":\"sink1\",\"checkpoint\":1,\"rows\":[{\"k\":\"a\",\"n\":2}]}\n";
  EXPECT_EQ(Content(), content);
  ASSERT_ASSIGN(committed, committer->CommittedCheckpoint("sink1"));
  EXPECT_EQ(committed, 1);
  ASSERT_ASSIGN(committed, committer->CommittedCheckpoint("another"));
  EXPECT_EQ(committed, 0);
  // A commit whose outcome nobody learnt is asked for again.
  ASSERT_STATUS_OK(committer->Commit({"sink1", 1, committables}));
  EXPECT_EQ(Content(), content);
}

TEST_F(ResultFileTest, GoesOnFromItsState) {
  ASSERT_ASSIGN(const auto sink, SinkOf(*connector_, table_));
  ASSERT_ASSIGN(const auto writer, sink->MakeWriter(WriterFor()));
  ASSERT_STATUS_OK(writer->Write(Changes(R"(["a", "b"])", "[1, 5]", "[0, 0]")));
  ASSERT_STATUS_OK(writer->PrepareCommit(1).status());
  ASSERT_ASSIGN(const state::OperatorState state, writer->Snapshot());

  ASSERT_ASSIGN(const auto restored, sink->MakeWriter(WriterFor()));
  ASSERT_STATUS_OK(restored->Restore(state));
  ASSERT_STATUS_OK(restored->Write(Changes(R"(["a", "a"])", "[1, 2]", "[1, 2]")));
  ASSERT_ASSIGN(const auto committables, restored->PrepareCommit(2));
  ASSERT_ASSIGN(const auto committer, sink->MakeCommitter());
  ASSERT_STATUS_OK(committer->Commit({"sink1", 2, committables}));
  EXPECT_EQ(Content(),
            "{\"sink_id\":\"sink1\",\"checkpoint\":2,\"rows\":[{\"k\":\"a\",\"n\":2},{\"k\":\"b\","
            "\"n\":5}]}\n");
}

TEST_F(ResultFileTest, OnlyTheNewestPartOfEachTaskCounts) {
  ASSERT_ASSIGN(const auto sink, SinkOf(*connector_, table_));
  ASSERT_ASSIGN(const auto first, sink->MakeWriter(WriterFor(0, 2)));
  ASSERT_ASSIGN(const auto second, sink->MakeWriter(WriterFor(1, 2)));
  ASSERT_STATUS_OK(first->Write(Changes(R"(["a"])", "[1]", "[0]")));
  // Checkpoint 1 never became durable: its committables join those of checkpoint 2.
  ASSERT_ASSIGN(auto all, first->PrepareCommit(1));
  ASSERT_STATUS_OK(first->Write(Changes(R"(["a"])", "[1]", "[0]")));
  ASSERT_STATUS_OK(second->Write(Changes(R"(["c"])", "[null]", "[0]")));
  for (const auto& writer : {first.get(), second.get()}) {
    ASSERT_ASSIGN(const auto more, writer->PrepareCommit(2));
    all.insert(all.end(), more.begin(), more.end());
  }
  ASSERT_ASSIGN(const auto committer, sink->MakeCommitter());
  ASSERT_STATUS_OK(committer->Commit({"sink1", 2, all}));
  EXPECT_EQ(Content(),
            "{\"sink_id\":\"sink1\",\"checkpoint\":2,\"rows\":[{\"k\":\"a\",\"n\":1},{\"k\":\"a\","
            "\"n\":1},"
            "{\"k\":\"c\",\"n\":null}]}\n");
}

TEST_F(ResultFileTest, TellsOfRowsTakenBackTooOften) {
  ASSERT_ASSIGN(const auto sink, SinkOf(*connector_, table_));
  ASSERT_ASSIGN(const auto writer, sink->MakeWriter(WriterFor()));
  ASSERT_STATUS_OK(writer->Write(Changes(R"(["a"])", "[1]", "[3]")));
  ASSERT_ASSIGN(const auto committables, writer->PrepareCommit(1));
  ASSERT_ASSIGN(const auto committer, sink->MakeCommitter());
  EXPECT_EQ(ErrorOf(committer->Commit({"sink1", 1, committables})),
            "Table 'c.d.t': row {\"k\":\"a\",\"n\":1} was taken back more often than it was given");
  EXPECT_EQ(Content(), "none");
}

TEST_F(ResultFileTest, RefusesDamagedStateAndMissingPath) {
  ASSERT_ASSIGN(const auto sink, SinkOf(*connector_, table_));
  ASSERT_ASSIGN(const auto writer, sink->MakeWriter(WriterFor()));
  state::OperatorState state;
  state.items.emplace_back("[1]");
  EXPECT_EQ(ErrorOf(writer->Restore(state)), "the state of a result-file sink is malformed");
  EXPECT_EQ(ErrorOf(connector_->NegotiateSink(
                Table({{"n", types::Int()}}, {{"connector", "result-file"}}))),
            "Table 'c.d.t': One or more required options are missing.\n\n"
            "Missing required options are:\n\npath");
}

}  // namespace
}  // namespace lakeward::connector
