#include "lakeward/base/request_journal.h"

#include "gtest/gtest.h"
#include "lakeward/base/executor.h"

namespace lakeward {
namespace {

RequestRecord Record(std::string place, bool is_answered, bool may_have_begun) {
  return {.place = std::move(place),
          .line = {1, "line"},
          .is_answered = is_answered,
          .may_have_begun = may_have_begun};
}

TEST(RequestJournalTest, KeepsTheLastLines) {
  RequestJournal journal;
  EXPECT_TRUE(journal.LastLines().empty());
  for (int i = 0; i < 25; ++i) {
    journal.Add({.place = "b", .line = {i, std::to_string(i)}});
  }
  const std::vector<RequestLine> lines = journal.LastLines();
  ASSERT_EQ(lines.size(), RequestJournal::kLinesMax);
  EXPECT_EQ(lines.front().text, "15");
  EXPECT_EQ(lines.back().text, "24");
}

TEST(RequestJournalTest, APlaceThatWasNotAskedMayHoldAnything) {
  RequestJournal journal;
  EXPECT_TRUE(journal.MayHoldAnything("b"));
  journal.Add(Record("other", true, false));
  EXPECT_TRUE(journal.MayHoldAnything("b"));
  EXPECT_FALSE(journal.MayHoldAnything("other"));
}

// A lost answer may have been to something that began; only a store that answers can tell.
TEST(RequestJournalTest, AStoreThatNeverAnsweredIsNotWorthAsking) {
  RequestJournal journal;
  journal.Add(Record("b", false, true));
  EXPECT_FALSE(journal.MayHoldAnything("b"));
  journal.Add(Record("b", true, false));
  EXPECT_TRUE(journal.MayHoldAnything("b"));
}

TEST(RequestJournalTest, ThreadsMayShareIt) {
  RequestJournal journal;
  {
    const auto pool = MakeThreadPool("pool", 4);
    for (int i = 0; i < 1'000; ++i) {
      pool->Submit([&journal] {
        journal.Add(Record("b", true, true));
        (void)journal.LastLines();
      });
    }
  }
  EXPECT_EQ(journal.LastLines().size(), RequestJournal::kLinesMax);
  EXPECT_TRUE(journal.MayHoldAnything("b"));
}

}  // namespace
}  // namespace lakeward
