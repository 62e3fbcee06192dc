#include "lakeward/fs/partition_path.h"

#include "gtest/gtest.h"

namespace lakeward::fs {
namespace {

// The escapes are those of Hive's FileUtils.escapePathName, which Spark and Flink share.
TEST(PartitionPath, EscapesWhatHiveEscapes) {
  EXPECT_EQ(EscapePartitionPart("2024-01-01 00:00:00"), "2024-01-01 00%3A00%3A00");
  EXPECT_EQ(EscapePartitionPart("a/b=c"), "a%2Fb%3Dc");
  EXPECT_EQ(EscapePartitionPart("100%"), "100%25");
  EXPECT_EQ(EscapePartitionPart("Zürich"), "Zürich");
  EXPECT_EQ(EscapePartitionPart("\x01"), "%01");
}

TEST(PartitionPath, UnescapingIsTheReverse) {
  for (const char* text : {"", "plain", "a/b=c", "100%", "%41", "tab\tnewline\n", "q\"'*?[]^"}) {
    EXPECT_EQ(UnescapePartitionPart(EscapePartitionPart(text)), text);
  }
  EXPECT_EQ(UnescapePartitionPart("50%"), "50%");
  EXPECT_EQ(UnescapePartitionPart("%4"), "%4");
  EXPECT_EQ(UnescapePartitionPart("%zz"), "%zz");
}

TEST(PartitionPath, ReadsFoldersAndNotTheFile) {
  const auto parts = ParsePartitionPath("dt=2024-01-01/other/h=1%3A2/part=0.json");
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_EQ(parts.at("dt"), "2024-01-01");
  EXPECT_EQ(parts.at("h"), "1:2");
}

}  // namespace
}  // namespace lakeward::fs
