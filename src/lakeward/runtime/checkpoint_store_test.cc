#include "lakeward/runtime/checkpoint_store.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "lakeward/fs/memory.h"
#include "lakeward/runtime/job_fixture.h"
#include "support/status_matchers.h"

namespace lakeward::runtime {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class CheckpointStoreTest : public ::testing::Test {
 protected:
  std::unique_ptr<CheckpointStore> Open(const char* attempt_id) {
    auto store =
        CheckpointStore::Open("memory://s/c", *engine_.context()->file_systems, {}, attempt_id);
    EXPECT_TRUE(store.ok()) << store.status().ToString();
    return std::move(*store);
  }

  static CheckpointMetadata Example(int64_t checkpoint_id) {
    CheckpointMetadata metadata;
    metadata.checkpoint_id = checkpoint_id;
    metadata.attempt_id = "first";
    metadata.commit = true;
    metadata.sources = {
        {"s", {{"p0", "spec \"0\"", ""}, {"p1", "", ""}}, {"p0"}, {{"p1", "", "17"}}}};
    metadata.finished_operators = {"calc"};
    metadata.states = {{"a", 1, "chk-1/state-a-1-first", 12, 0xFFFFFFFFU}};
    metadata.sinks = {{"w", {"sink-id", checkpoint_id, {{"{\"path\":\"ü\"}"}, {""}}}}};
    return metadata;
  }

  std::shared_ptr<fs::FileSystem> memory_ = fs::MakeMemoryFileSystem();
  TestEngine engine_{memory_};
};

TEST_F(CheckpointStoreTest, MetadataComesBackAsItWas) {
  ASSERT_ASSIGN(const std::string text, WriteMetadata(Example(3)));
  ASSERT_ASSIGN(const CheckpointMetadata read, ReadMetadata(text, "x"));
  ASSERT_ASSIGN(const std::string again, WriteMetadata(read));
  EXPECT_EQ(again, text);
  EXPECT_EQ(read.states[0].crc, 0xFFFFFFFFU);
  EXPECT_EQ(read.sinks[0].request.committables[0].payload, "{\"path\":\"ü\"}");
}

TEST_F(CheckpointStoreTest, AChangedCharacterIsNoticed) {
  ASSERT_ASSIGN(std::string text, WriteMetadata(Example(3)));
  text[text.find("17")] = '2';
  const auto read = ReadMetadata(text, "chk-3/_metadata");
  ASSERT_FALSE(read.ok());
  EXPECT_EQ(KindOf(read.status()), ErrorKind::kCorruptData);
  EXPECT_THAT(read.status().message(), HasSubstr("chk-3/_metadata: the checksum"));
}

TEST_F(CheckpointStoreTest, TextThatJsonCannotHoldIsRefused) {
  CheckpointMetadata metadata = Example(1);
  metadata.sinks[0].request.committables[0].payload = "\xFF";
  EXPECT_FALSE(WriteMetadata(metadata).ok());
}

TEST_F(CheckpointStoreTest, ANumberIsTakenOnce) {
  const auto first = Open("first");
  const auto second = Open("second");
  ASSERT_STATUS_OK(first->PutMetadata(Example(1)));
  // The same bytes again are the same put, whose first answer got lost.
  ASSERT_STATUS_OK(first->PutMetadata(Example(1)));
  CheckpointMetadata rival = Example(1);
  rival.attempt_id = "second";
  EXPECT_EQ(KindOf(second->PutMetadata(rival)), ErrorKind::kAlreadyExists);
  ASSERT_ASSIGN(const bool sealed, second->Seal(1));
  EXPECT_FALSE(sealed);
  ASSERT_ASSIGN(const bool sealed_next, second->Seal(2));
  EXPECT_TRUE(sealed_next);
  ASSERT_ASSIGN(const bool sealed_again, first->Seal(2));
  EXPECT_TRUE(sealed_again);
  EXPECT_EQ(KindOf(first->PutMetadata(Example(2))), ErrorKind::kAlreadyExists);
}

TEST_F(CheckpointStoreTest, TheFirstIdentityStays) {
  ASSERT_ASSIGN(const JobIdentity mine, Open("first")->ClaimIdentity({"job", {{"w", "id-1"}}}));
  ASSERT_ASSIGN(const JobIdentity other, Open("second")->ClaimIdentity({"job", {{"w", "id-2"}}}));
  EXPECT_EQ(mine.sink_ids.at("w"), "id-1");
  EXPECT_EQ(other.sink_ids.at("w"), "id-1");
}

TEST_F(CheckpointStoreTest, StateFilesAreChecked) {
  const auto store = Open("first");
  ASSERT_ASSIGN(const StateHandle handle, store->PutState(4, "a/b c", 1, "bytes"));
  ASSERT_ASSIGN(const std::string bytes, store->ReadState(handle));
  EXPECT_EQ(bytes, "bytes");
  StateHandle wrong = handle;
  wrong.crc ^= 1;
  EXPECT_EQ(KindOf(store->ReadState(wrong).status()), ErrorKind::kCorruptData);
}

TEST_F(CheckpointStoreTest, ListingKnowsNumbersThatNeverBecameDurable) {
  const auto store = Open("first");
  ASSERT_STATUS_OK(store->PutMetadata(Example(2)));
  ASSERT_STATUS_OK(store->PutMetadata(Example(10)));
  ASSERT_STATUS_OK(store->PutIntent(11, "task0", 0, {"w", "folder", "prefix"}));
  ASSERT_ASSIGN(const CheckpointListing listing, store->List());
  EXPECT_THAT(listing.with_metadata, ElementsAre(2, 10));
  EXPECT_EQ(listing.newest_number, 11);
}

TEST_F(CheckpointStoreTest, IntentsAreFoundByNumber) {
  const auto store = Open("first");
  for (int64_t n = 1; n <= 4; ++n) {
    ASSERT_STATUS_OK(store->PutIntent(n, "task0", 0, {"w", "folder", std::to_string(n)}));
  }
  ASSERT_ASSIGN(const auto intents, store->IntentsBetween(1, 3));
  ASSERT_EQ(intents.size(), 2U);
  EXPECT_EQ(intents[0].file_prefix, "2");
  EXPECT_EQ(intents[1].file_prefix, "3");
  EXPECT_EQ(intents[0].operator_id, "w");
}

TEST_F(CheckpointStoreTest, ARivalIsKnownByWhatItLeaves) {
  const auto own = Open("first");
  ASSERT_STATUS_OK(own->PutIntent(3, "task0", 0, {"w", "folder", "prefix"}));
  ASSERT_STATUS_OK(own->PutMetadata(Example(3)));
  ASSERT_ASSIGN(auto rival, own->FindRival(1));
  EXPECT_EQ(rival, std::nullopt);
  const auto other = Open("second");
  ASSERT_STATUS_OK(other->PutIntent(4, "task0", 0, {"w", "folder", "prefix"}));
  ASSERT_ASSIGN(rival, own->FindRival(3));
  EXPECT_EQ(rival, 4);
  ASSERT_ASSIGN(rival, own->FindRival(5));
  EXPECT_EQ(rival, std::nullopt);
  ASSERT_STATUS_OK(other->Seal(5).status());
  ASSERT_ASSIGN(rival, own->FindRival(5));
  EXPECT_EQ(rival, 5);
}

TEST_F(CheckpointStoreTest, RemovingKeepsNewerNumbers) {
  const auto store = Open("first");
  for (const int64_t n : {9, 10, 11}) {
    ASSERT_STATUS_OK(store->PutMetadata(Example(n)));
    ASSERT_STATUS_OK(store->PutState(n, "a", 0, "x").status());
  }
  ASSERT_STATUS_OK(store->RemoveBefore(11));
  ASSERT_ASSIGN(const auto files, memory_->List("s/c"));
  ASSERT_EQ(files.size(), 2U);
  EXPECT_EQ(files[0].path, "s/c/chk-11/_metadata");
}

}  // namespace
}  // namespace lakeward::runtime
