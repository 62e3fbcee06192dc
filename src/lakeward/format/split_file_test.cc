#include "gtest/gtest.h"
#include "lakeward/format/format_testing.h"

namespace lakeward::format {
namespace {

std::vector<FileRange> Split(const char* format, int64_t size, int parts_max, int64_t bytes_min) {
  return SplitFile(*FindFormat(format), {nullptr, "/a", "/a"}, size, parts_max, bytes_min);
}

TEST(SplitFile, CoversTheFileWithoutGaps) {
  for (const int64_t size : {1, 10, 100, 1001, 1 << 20}) {
    const std::vector<FileRange> ranges = Split("json", size, 7, 10);
    int64_t end = 0;
    for (const FileRange& range : ranges) {
      EXPECT_EQ(range.offset, end);
      EXPECT_TRUE(range.length >= 10 || ranges.size() == 1);
      EXPECT_EQ(range.file_size_bytes, size);
      end += range.length;
    }
    EXPECT_EQ(end, size);
    EXPECT_LE(ranges.size(), 7);
  }
}

TEST(SplitFile, MakesAtLeastOneRange) {
  EXPECT_EQ(Split("json", 0, 4, 10).size(), 1);
  EXPECT_EQ(Split("parquet", 5, 4, 10).size(), 1);
  EXPECT_EQ(Split("parquet", 50, 4, 10).size(), 4);
}

TEST(Formats, AreFoundByName) {
  ASSERT_NE(FindFormat("json"), nullptr);
  EXPECT_EQ(FindFormat("json")->splitting, Splitting::kNewline);
  ASSERT_NE(FindFormat("parquet"), nullptr);
  EXPECT_EQ(FindFormat("orc"), nullptr);
  for (const Format& format : BuiltinFormats()) {
    for (const config::OptionInfo& option : format.options) {
      EXPECT_TRUE(option.key.starts_with(format.name + ".")) << option.key;
      EXPECT_FALSE(option.doc.empty()) << option.key;
    }
  }
}

}  // namespace
}  // namespace lakeward::format
