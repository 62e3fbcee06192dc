#include "lakeward/config/configuration.h"

#include <fstream>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "lakeward/config/config_file.h"
#include "support/status_matchers.h"
#include "support/temporary_folder.h"

namespace lakeward::config {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

const Option<int64_t> kParallelism{"parallelism.default", int64_t{1}, "Tasks per operator."};
const Option<std::string> kEndpoint =
    Option<std::string>("fs.s3a.endpoint", "Address of the store.").Also({"s3.endpoint"});

TEST(ConfigurationTest, TheNearestLevelWins) {
  Configuration configuration;
  ASSERT_ASSIGN(int64_t value, configuration.Get(kParallelism));
  EXPECT_EQ(value, 1);
  EXPECT_FALSE(configuration.Has(kParallelism));
  configuration.Set("parallelism.default", "4", Level::kSession, "SET in a.sql line 1");
  configuration.Set("parallelism.default", "2", Level::kFile, "config.yaml line 3");
  configuration.Set("parallelism.default", "3", Level::kCommandLine, "-D on the command line");
  ASSERT_ASSIGN(value, configuration.Get(kParallelism));
  EXPECT_EQ(value, 4);
  EXPECT_EQ(configuration.FindSetting("parallelism.default")->origin, "SET in a.sql line 1");
  configuration.Reset("parallelism.default");
  ASSERT_ASSIGN(value, configuration.Get(kParallelism));
  EXPECT_EQ(value, 3);
  EXPECT_TRUE(configuration.Has(kParallelism));
}

TEST(ConfigurationTest, ResetAllKeepsLowerLevels) {
  Configuration configuration;
  configuration.Set("a", "1", Level::kSession, "s");
  configuration.Set("b", "1", Level::kSession, "s");
  configuration.Set("b", "2", Level::kEnvironment, "e");
  configuration.ResetAll();
  configuration.Reset("never.set");
  EXPECT_EQ(configuration.FindSetting("a"), std::nullopt);
  EXPECT_EQ(configuration.FindSetting("b")->value, "2");
}

TEST(ConfigurationTest, AnErrorNamesTheOrigin) {
  Configuration configuration;
  configuration.Set("parallelism.default", "many", Level::kFile, "conf/config.yaml line 12");
  const Status status = configuration.Get(kParallelism).status();
  EXPECT_EQ(KindOf(status), ErrorKind::kConfig);
  EXPECT_EQ(status.message(),
            "Invalid value for option 'parallelism.default': 'many' is not a whole number (from "
            "conf/config.yaml line 12)");
}

TEST(ConfigurationTest, OtherNamesCountPerLevel) {
  Configuration configuration;
  configuration.Set("fs.s3a.endpoint", "far", Level::kFile, "config.yaml line 1");
  configuration.Set("s3.endpoint", "near", Level::kSession, "SET");
  ASSERT_ASSIGN(const std::string nearer, configuration.Get(kEndpoint));
  EXPECT_EQ(nearer, "near");

  configuration.Set("fs.s3a.endpoint", "own", Level::kSession, "SET in b.sql line 2");
  EXPECT_EQ(configuration.FindSetting(kEndpoint.info())->value, "own");
  const Status status = configuration.Get(kEndpoint).status();
  EXPECT_EQ(status.message(),
            "Two names for option 'fs.s3a.endpoint' have different values: one from SET in b.sql "
            "line 2, 's3.endpoint' from SET");
  configuration.Set("s3.endpoint", "own", Level::kSession, "SET");
  EXPECT_STATUS_OK(configuration.Get(kEndpoint).status());
}

TEST(ConfigurationTest, OneLevelCanBeAsked) {
  Configuration configuration;
  configuration.Set("s3.endpoint", "far", Level::kFile, "config.yaml line 1");
  configuration.Set("fs.s3a.endpoint", "near", Level::kTable, "WITH of t");
  ASSERT_ASSIGN(auto setting, configuration.FindAt(kEndpoint.info(), Level::kFile));
  EXPECT_EQ(setting->value, "far");
  ASSERT_ASSIGN(setting, configuration.FindAt(kEndpoint.info(), Level::kSession));
  EXPECT_FALSE(setting.has_value());
  ASSERT_ASSIGN(const std::string effective, configuration.Get(kEndpoint));
  EXPECT_EQ(effective, "near");
  configuration.Set("fs.s3a.endpoint", "other", Level::kFile, "config.yaml line 2");
  EXPECT_EQ(KindOf(configuration.FindAt(kEndpoint.info(), Level::kFile).status()),
            ErrorKind::kConfig);
}

TEST(ConfigurationTest, SecretsAreNotShown) {
  Configuration configuration;
  configuration.Set("fs.s3a.secret.key", "hush", Level::kFile, "f");
  configuration.Set("parallelism.default", "2", Level::kFile, "f");
  const auto shown = configuration.EffectiveForDisplay();
  EXPECT_EQ(shown.at("fs.s3a.secret.key").value, "******");
  EXPECT_EQ(shown.at("parallelism.default").value, "2");
  EXPECT_EQ(configuration.FindSetting("fs.s3a.secret.key")->value, "hush");
}

TEST(ConfigurationTest, LoadsAFileWithItsLines) {
  const test::TemporaryFolder folder;
  const std::string path = folder.path() + "/config.yaml";
  std::ofstream(path) << "# settings\nparallelism:\n  default: 7\n";
  Configuration configuration;
  ASSERT_STATUS_OK(configuration.LoadFile(path));
  EXPECT_EQ(configuration.FindSetting("parallelism.default")->origin, path + " line 3");
  ASSERT_ASSIGN(const int64_t value, configuration.Get(kParallelism));
  EXPECT_EQ(value, 7);
  EXPECT_EQ(KindOf(configuration.LoadFile(folder.path() + "/none.yaml")), ErrorKind::kNotFound);
}

std::string Join(const Result<std::vector<ConfigFileEntry>>& entries) {
  if (!entries.ok()) {
    return Describe(entries.status());
  }
  std::string text;
  for (const ConfigFileEntry& entry : *entries) {
    text += std::to_string(entry.line) + "|" + entry.key + "|" + entry.value + "\n";
  }
  return text;
}

TEST(ConfigFileTest, ReadsNestedYaml) {
  EXPECT_EQ(Join(ParseConfigFile("execution:\n"
                                 "  checkpointing:\n"
                                 "    interval: 3min  # often\n"
                                 "    storage: \"a # b\"\n"
                                 "s3.path.style.access: yes\n"
                                 "quoted: 'yes'\n"
                                 "empty: ''\n"
                                 "nothing:\n"
                                 "list: [a, b]\n"
                                 "fs.s3a.endpoint: http://localhost:9000\n",
                                 "config.yaml")),
            "3|execution.checkpointing.interval|3min\n"
            "4|execution.checkpointing.storage|a # b\n"
            "5|s3.path.style.access|true\n"
            "6|quoted|yes\n"
            "7|empty|\n"
            "9|list|a;b\n"
            "10|fs.s3a.endpoint|http://localhost:9000\n");
  EXPECT_EQ(Join(ParseConfigFile("", "config.yaml")), "");
  EXPECT_EQ(Join(ParseConfigFile("# only a remark\n\n", "config.yaml")), "");
}

TEST(ConfigFileTest, ReadsFlatFilesLiterally) {
  const char* text =
      "# flink-conf.yaml\n"
      "jobmanager.rpc.address: localhost   # the host\n"
      "env.java.opts.all: -Da=b: c #d\r\n"
      "fs.s3a.secret.key: ab#cd\n"
      "\n"
      "security.jaas: \"x\"\n"
      "jobmanager.rpc.address: other\n";
  EXPECT_EQ(Join(ParseConfigFile(text, "conf/flink-conf.yaml")),
            "7|jobmanager.rpc.address|other\n"
            "3|env.java.opts.all|-Da=b: c\n"
            "4|fs.s3a.secret.key|ab#cd\n"
            "6|security.jaas|\"x\"\n");
  // No YAML (a value with ": "), but flat: read as such under any name.
  EXPECT_EQ(Join(ParseConfigFile("a: b: c\n", "settings")), "1|a|b: c\n");
  // Nested in spite of the name.
  EXPECT_EQ(Join(ParseConfigFile("a:\n  b: c\n", "flink-conf.yaml")), "2|a.b|c\n");
}

TEST(ConfigFileTest, RefusesWhatIsAmbiguous) {
  EXPECT_EQ(Join(ParseConfigFile("a.b: 1\na:\n  b: 2\n", "c.yaml")),
            "c.yaml line 3: 'a.b' was already given in line 1\nRemove one of the two.");
  EXPECT_EQ(Join(ParseConfigFile("a: [{b: 1}]\n", "c.yaml")),
            "c.yaml line 1: the list 'a' may hold only plain values\n"
            "Write one 'key: value' a line, or nested YAML.");
  EXPECT_THAT(Join(ParseConfigFile("just words\n", "c.yaml")), HasSubstr("a value without a key"));
  EXPECT_THAT(Join(ParseConfigFile("? [a]\n: b\n", "c.yaml")), HasSubstr("a key must be a plain"));
}

TEST(ConfigFileTest, ErrorsNameTheLineAndNoValue) {
  const std::string text = Join(ParseConfigFile("a: 1\n  secret: 'hush\nb\n", "c.yaml"));
  EXPECT_THAT(text, HasSubstr("c.yaml line "));
  EXPECT_THAT(text, Not(HasSubstr("hush")));
}

TEST(ConfigFileTest, BoundsWhatItReads) {
  EXPECT_FALSE(ParseConfigFile(std::string(2 << 20, '#'), "c.yaml").ok());
  std::string deep;
  for (int i = 0; i < 60; ++i) {
    deep += std::string(static_cast<size_t>(i), ' ') + "a:\n";
  }
  deep += std::string(60, ' ') + "a: 1\n";
  EXPECT_THAT(Join(ParseConfigFile(deep, "c.yaml")), HasSubstr("nested deeper than 50 levels"));
  // Each alias doubles what stands behind it.
  std::string doubled = "a0: &a0 {x: 1, y: 2}\n";
  for (int i = 1; i < 30; ++i) {
    const std::string number = std::to_string(i);
    const std::string last = std::to_string(i - 1);
    doubled += "a" + number + ": &a" + number + " {x: *a" + last + ", y: *a" + last + "}\n";
  }
  EXPECT_THAT(Join(ParseConfigFile(doubled, "c.yaml")), HasSubstr("more than 10000 settings"));
}

}  // namespace
}  // namespace lakeward::config
