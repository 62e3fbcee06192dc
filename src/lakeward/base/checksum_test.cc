#include <string>

#include "gtest/gtest.h"
#include "lakeward/base/crc32c.h"
#include "lakeward/base/hash.h"
#include "lakeward/base/metrics.h"

namespace lakeward {
namespace {

TEST(Crc32cTest, GivesThePublishedValues) {
  // RFC 3720 appendix B.4, and the check value of the catalogue of CRC algorithms.
  std::string rising;
  std::string falling;
  for (int i = 0; i < 32; ++i) {
    rising += static_cast<char>(i);
    falling += static_cast<char>(31 - i);
  }
  EXPECT_EQ(Crc32c(std::string(32, '\0')), 0x8A9136AAU);
  EXPECT_EQ(Crc32c(std::string(32, '\xFF')), 0x62A8AB43U);
  EXPECT_EQ(Crc32c(rising), 0x46DD794EU);
  EXPECT_EQ(Crc32c(falling), 0x113FDB5CU);
  EXPECT_EQ(Crc32c("123456789"), 0xE3069283U);
  EXPECT_EQ(Crc32c(""), 0U);
}

TEST(Crc32cTest, ContinuesOverPieces) {
  const std::string text = "The quick brown fox jumps over the lazy dog";
  for (size_t cut = 0; cut <= text.size(); ++cut) {
    EXPECT_EQ(Crc32c(text.substr(cut), Crc32c(text.substr(0, cut))), Crc32c(text));
  }
}

TEST(HashTest, GivesThePublishedValues) {
  // The self-test of xxHash: lengths 0 and 1, seeds 0 and PRIME64.
  EXPECT_EQ(HashBytes(""), 0x2D06800538D394C2ULL);
  EXPECT_EQ(HashBytes("", 0x9E3779B185EBCA8DULL), 0xA8A6B918B2F0364AULL);
  EXPECT_EQ(HashBytes(std::string(1, '\0')), 0xC44BDFF4074EECDBULL);
  // The first outputs of splitmix64 for the seeds 0 and 1234567.
  EXPECT_EQ(HashInt64(0), 0xE220A8397B1DCDAFULL);
  EXPECT_EQ(HashInt64(1'234'567), 6'457'827'717'110'365'317ULL);
}

TEST(HashTest, CombiningMindsTheOrder) {
  EXPECT_NE(CombineHashes(1, 2), CombineHashes(2, 1));
  EXPECT_NE(CombineHashes(0, 0), 0U);
}

TEST(MetricsTest, ASnapshotNamesEverything) {
  MetricGroup job;
  MetricGroup* source = job.GetGroup("source");
  source->GetCounter("numRecordsIn")->Add(5);
  source->GetCounter("numRecordsIn")->Add(2);
  job.GetGauge("tasks")->Set(3);
  job.GetGauge("tasks")->Add(-1);
  const std::vector<MetricValue> values = job.Snapshot();
  ASSERT_EQ(values.size(), 2U);
  EXPECT_EQ(values[0].name, "tasks");
  EXPECT_EQ(values[0].kind, MetricValue::Kind::kGauge);
  EXPECT_EQ(values[0].value, 2);
  EXPECT_EQ(values[1].name, "source.numRecordsIn");
  EXPECT_EQ(values[1].kind, MetricValue::Kind::kCounter);
  EXPECT_EQ(values[1].value, 7);
}

}  // namespace
}  // namespace lakeward
