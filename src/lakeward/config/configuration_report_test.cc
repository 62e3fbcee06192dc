#include "lakeward/config/configuration_report.h"

#include "fmt/format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace lakeward::config {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class ConfigurationReportTest : public ::testing::Test {
 protected:
  /// "key = value | origin | shadowed, … | doc", a line for each.
  std::vector<std::string> Report(std::string_view prefix = "") const {
    std::vector<std::string> lines;
    for (const ReportedSetting& setting : ReportConfiguration(configuration_, declared_, prefix)) {
      lines.push_back(fmt::format("{} = {} | {} | {} | {}", setting.key, setting.value,
                                  setting.origin, fmt::join(setting.shadowed, ", "), setting.doc));
    }
    return lines;
  }

  std::vector<OptionInfo> declared_{
      Option<int64_t>{"parallelism.default", int64_t{4}, "Tasks."}.info(),
      Option<std::string>("fs.region", "Region.").Also({"s3.region", "client.region"}).info(),
      Option<std::string>("fs.secret.key", "Secret.").Also({"s3.secret-key"}).info(),
      Option<std::string>("fs.bucket.#.region", "Region of a bucket.").info(),
  };
  Configuration configuration_;
};

TEST_F(ConfigurationReportTest, DefaultsAreShownAndTheUnsetIsNot) {
  EXPECT_THAT(Report(), ElementsAre("parallelism.default = 4 | default |  | Tasks."));
}

TEST_F(ConfigurationReportTest, TheNearestCountsAndShadowsTheOthers) {
  configuration_.Set("client.region", "environment", Level::kEnvironment, "AWS_REGION");
  configuration_.Set("fs.region", "file", Level::kFile, "conf/config.yaml line 3");
  configuration_.Set("s3.region", "here", Level::kSession, "SET");
  configuration_.Set("parallelism.default", "2", Level::kFile, "conf/config.yaml line 1");
  EXPECT_THAT(Report(),
              ElementsAre("fs.region = here | 's3.region' from SET | 'fs.region' = 'file' from "
                          "conf/config.yaml line 3, 'client.region' = 'environment' from "
                          "AWS_REGION | Region.",
                          "parallelism.default = 2 | conf/config.yaml line 1 |  | Tasks."));
}

TEST_F(ConfigurationReportTest, APrefixOfAnyNameSelects) {
  configuration_.Set("fs.region", "x", Level::kFile, "file");
  EXPECT_THAT(Report("s3."), ElementsAre("fs.region = x | file |  | Region."));
  EXPECT_THAT(Report("par"), ElementsAre("parallelism.default = 4 | default |  | Tasks."));
  EXPECT_THAT(Report("other"), IsEmpty());
}

TEST_F(ConfigurationReportTest, SecretsAreHiddenUnderEveryName) {
  configuration_.Set("fs.secret.key", "hush", Level::kFile, "file");
  configuration_.Set("s3.secret-key", "hush", Level::kSession, "SET");
  EXPECT_THAT(Report("fs.s"), ElementsAre("fs.secret.key = ****** | 's3.secret-key' from SET | "
                                          "'fs.secret.key' = '******' from file | Secret."));
}

TEST_F(ConfigurationReportTest, KeysOfNoOptionSayWhatBecomesOfThem) {
  configuration_.Set("paralelism.default", "2", Level::kFile, "file");
  configuration_.Set("jobmanager.rpc.port", "6123", Level::kFile, "file");
  configuration_.Set("fs.bucket.a.b.region", "r", Level::kFile, "file");
  EXPECT_THAT(
      Report(),
      ElementsAre("fs.bucket.a.b.region = r | file |  | Region of a bucket.",
                  "jobmanager.rpc.port = 6123 | file |  | Not known here: it has no effect.",
                  "paralelism.default = 2 | file |  | Not known here. Did you mean "
                  "'parallelism.default'?",
                  "parallelism.default = 4 | default |  | Tasks."));
}

TEST_F(ConfigurationReportTest, OnlyTypingErrorsAreTakenForOptions) {
  EXPECT_EQ(MeantOption("s3.regoin", declared_), "s3.region");
  EXPECT_EQ(MeantOption("s3.region", declared_), "");
  EXPECT_EQ(MeantOption("s3.endpoint", declared_), "");
  EXPECT_EQ(MeantOption("fs.bucket.x.region", declared_), "");
}

}  // namespace
}  // namespace lakeward::config
