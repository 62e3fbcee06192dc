#include "lakeward/config/configuration_files.h"

#include <map>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "lakeward/base/local_file.h"
#include "support/status_matchers.h"
#include "support/temporary_folder.h"

namespace lakeward::config {
namespace {

using ::testing::HasSubstr;

class ConfigurationFilesTest : public ::testing::Test {
 protected:
  std::string Write(const std::string& name, const std::string& text) {
    const std::string path = folder_.path() + "/" + name;
    LW_CHECK(CreateLocalDirectories(path.substr(0, path.rfind('/'))).ok());
    auto file = CreateLocalFile(path);
    LW_CHECK(file.ok());
    LW_CHECK((*file)->Append(reinterpret_cast<const uint8_t*>(text.data()), text.size()).ok());
    LW_CHECK((*file)->Close().ok());
    return path;
  }

  /// The value of "k" and the place that it came from, or the error.
  std::string Load(const std::string& given) {
    Configuration configuration;
    const auto environment = [&](const std::string& name) -> std::optional<std::string> {
      const auto found = variables_.find(name);
      return found == variables_.end() ? std::nullopt : std::optional(found->second);
    };
    const Result<std::string> path = LoadConfigurationFiles(given, environment, &configuration);
    if (!path.ok()) {
      return Describe(path.status());
    }
    const auto setting = configuration.FindSetting("k");
    return setting.has_value() ? setting->value + " from " + setting->origin : "nothing";
  }

  test::TemporaryFolder folder_;
  std::map<std::string, std::string> variables_;
};

TEST_F(ConfigurationFilesTest, TheNearestPlaceIsRead) {
  const std::string file = Write("one.yaml", "k: file\n");
  const std::string own = Write("own/config.yaml", "k: own\n");
  const std::string flink = Write("flink/config.yaml", "k: flink\n");
  EXPECT_EQ(Load(""), "nothing");
  variables_["FLINK_CONF_DIR"] = folder_.path() + "/flink";
  EXPECT_EQ(Load(""), "flink from " + flink + " line 1");
  variables_["LAKEWARD_CONF_DIR"] = folder_.path() + "/own/";
  EXPECT_EQ(Load(""), "own from " + own + " line 1");
  EXPECT_EQ(Load(file), "file from " + file + " line 1");
  EXPECT_EQ(Load(folder_.path() + "/flink"), "flink from " + flink + " line 1");
}

// GlobalConfiguration of Flink 1.20 takes the older file when both are there.
TEST_F(ConfigurationFilesTest, TheOlderFileWinsInItsFolder) {
  Write("both/config.yaml", "k: new\n");
  const std::string older = Write("both/flink-conf.yaml", "a.b: x\nk: old\n");
  EXPECT_EQ(Load(folder_.path() + "/both"), "old from " + older + " line 2");
}

TEST_F(ConfigurationFilesTest, PlacesThatLeadNowhereAreErrors) {
  Write("empty/other.txt", "");
  EXPECT_EQ(Load(folder_.path() + "/empty"),
            "-c names '" + folder_.path() +
                "/empty', which holds neither config.yaml nor flink-conf.yaml\n"
                "Correct -c: a configuration file, or the folder that holds it.");
  variables_["FLINK_CONF_DIR"] = folder_.path() + "/missing";
  EXPECT_THAT(Load(""), HasSubstr("FLINK_CONF_DIR names '" + folder_.path() +
                                  "/missing', which cannot be read: "));
  variables_["FLINK_CONF_DIR"] = "";
  EXPECT_EQ(Load(""), "nothing");
}

}  // namespace
}  // namespace lakeward::config
