#include "lakeward/config/option.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "support/status_matchers.h"

namespace lakeward::config {
namespace {

using ::testing::HasSubstr;

const Option<Duration> kInterval{"execution.checkpointing.interval", Duration{10'000},
                                 "How often the job takes a checkpoint."};
const Option<std::string> kPath = Option<std::string>::Required("path", "Folder of the table.");
const Option<std::string> kMode =
    Option<std::string>("scan.mode", "latest", "Where to begin.").Allowed({"earliest", "latest"});
const Option<int64_t> kKind{"fields.#.length", "Length of the text of one column."};
const Option<MemorySize> kSize =
    Option<MemorySize>("sink.rolling-policy.file-size", MemorySize{128 << 20}, "Size of a file.")
        .Also({"file-size"});

// Labels of Flink 1.20's TimeUtils.
TEST(OptionTextTest, ReadsDurationsAsFlinkDoes) {
  const std::pair<const char*, int64_t> kCases[] = {{"10 s", 10'000},
                                                    {"10s", 10'000},
                                                    {" 7 ", 7},
                                                    {"100ms", 100},
                                                    {"1 min", 60'000},
                                                    {"2 m", 120'000},
                                                    {"3 minutes", 180'000},
                                                    {"1 H", 3'600'000},
                                                    {"2 hours", 7'200'000},
                                                    {"1 d", 86'400'000},
                                                    {"2 days", 172'800'000},
                                                    {"5 SECONDS", 5'000},
                                                    {"3000 micros", 3},
                                                    {"2000 µs", 2},
                                                    {"5000000 ns", 5},
                                                    {"0", 0},
                                                    {"PT10S", 10'000},
                                                    {"PT1M30S", 90'000},
                                                    {"P1DT2H", 93'600'000},
                                                    {"pt0.25s", 250},
                                                    {"P2D", 172'800'000},
                                                    {"PT1H", 3'600'000},
                                                    {"9223372036854775807", INT64_MAX}};
  for (const auto& [text, millis] : kCases) {
    ASSERT_ASSIGN(const Duration duration, ParseDuration(text));
    EXPECT_EQ(duration.millis, millis) << text;
  }
  for (const char* text :
       {"", " ", "s", "10 parsecs", "-1 s", "1.5 s", "99999999999999999999", "PT", "P", "P1H",
        "PT1D", "PT1S1M", "PT1.5M", "PT-1S", "PT1", "9223372036854775807 d", "1500 micros"}) {
    EXPECT_EQ(KindOf(ParseDuration(text).status()), ErrorKind::kConfig) << text;
  }
}

TEST(OptionTextTest, WritesDurationsInTheLargestUnit) {
  EXPECT_EQ(ToText(Duration{0}), "0 ms");
  EXPECT_EQ(ToText(Duration{1'500}), "1500 ms");
  EXPECT_EQ(ToText(Duration{10'000}), "10 s");
  EXPECT_EQ(ToText(Duration{60'000}), "1 min");
  EXPECT_EQ(ToText(Duration{7'200'000}), "2 h");
  EXPECT_EQ(ToText(Duration{172'800'000}), "2 d");
}

// Units of Flink's MemorySize.
TEST(OptionTextTest, ReadsMemorySizesAsFlinkDoes) {
  const std::pair<const char*, int64_t> kCases[] = {
      {"1234", 1234},           {"1234b", 1234},
      {"1 bytes", 1},           {"667766k", 683792384},
      {"2 kb", 2048},           {"1 kibibytes", 1024},
      {"76 M", 79691776},       {"128 mb", 134217728},
      {"1 mebibytes", 1048576}, {"7 g", 7516192768},
      {"2GB", 2147483648},      {"1 gibibytes", 1073741824},
      {"1 t", 1099511627776},   {"1 tebibytes", 1099511627776}};
  for (const auto& [text, bytes] : kCases) {
    ASSERT_ASSIGN(const MemorySize size, ParseMemorySize(text));
    EXPECT_EQ(size.bytes, bytes) << text;
  }
  for (const char* text :
       {"", "mb", "-5 mb", "16 gjah", "16 16 17 18 bytes", "1.5 gb", "100000000000000 tb"}) {
    EXPECT_EQ(KindOf(ParseMemorySize(text).status()), ErrorKind::kConfig) << text;
  }
  EXPECT_EQ(ToText(MemorySize{134217728}), "128 mb");
  EXPECT_EQ(ToText(MemorySize{1536}), "1536 bytes");
  EXPECT_EQ(ToText(MemorySize{0}), "0 bytes");
}

TEST(OptionTextTest, ReadsNumbersAndBooleans) {
  ASSERT_ASSIGN(const bool yes, ParseBool("TRUE"));
  ASSERT_ASSIGN(const int64_t number, ParseInt64(" -42 "));
  ASSERT_ASSIGN(const int64_t plus, ParseInt64("+7"));
  ASSERT_ASSIGN(const double real, ParseDouble("1.5e3"));
  EXPECT_TRUE(yes);
  EXPECT_EQ(number, -42);
  EXPECT_EQ(plus, 7);
  EXPECT_EQ(real, 1'500.0);
  EXPECT_EQ(ParseBool("yes").status().message(), "'yes' is not 'true' or 'false'");
  EXPECT_EQ(ParseInt64("4 2").status().message(), "'4 2' is not a whole number");
  EXPECT_FALSE(ParseInt64("+-1").ok());
  EXPECT_FALSE(ParseInt64("9223372036854775808").ok());
  EXPECT_FALSE(ParseDouble("inf").ok());
  EXPECT_FALSE(ParseDouble("1,5").ok());
  EXPECT_EQ(ToText(2.0), "2.0");
  EXPECT_EQ(ToText(0.1), "0.1");
  EXPECT_EQ(ToText(int64_t{-3}), "-3");
  EXPECT_EQ(ToText(false), "false");
}

TEST(OptionTest, DeclaresItself) {
  const OptionInfo& info = kInterval.info();
  EXPECT_EQ(info.type, "Duration");
  EXPECT_TRUE(info.has_default);
  EXPECT_EQ(info.default_text, "10 s");
  EXPECT_EQ(kMode.info().type, "Enum");
  EXPECT_TRUE(kPath.info().required);
  EXPECT_FALSE(kPath.info().has_default);
}

TEST(OptionTest, GivesValueDefaultOrAnError) {
  ASSERT_ASSIGN(const Duration given, Get({{kInterval.key(), "1 min"}}, kInterval));
  ASSERT_ASSIGN(const Duration by_default, Get({}, kInterval));
  EXPECT_EQ(given, Duration{60'000});
  EXPECT_EQ(by_default, Duration{10'000});
  ASSERT_ASSIGN(const auto absent, Find({}, kPath));
  EXPECT_EQ(absent, std::nullopt);
  const Status missing = Get({}, kPath).status();
  EXPECT_EQ(KindOf(missing), ErrorKind::kConfig);
  // What Flink prints.
  EXPECT_EQ(missing.message(),
            "One or more required options are missing.\n\nMissing required options are:\n\npath");
  EXPECT_EQ(HintOf(missing), "Set 'path': Folder of the table.");
}

TEST(OptionTest, NamesKeyValueAndWhatIsAllowed) {
  EXPECT_EQ(
      Get({{"execution.checkpointing.interval", "often"}}, kInterval).status().message(),
      "Invalid value for option 'execution.checkpointing.interval': 'often' is not a duration "
      "such as '10 s', '500 ms', '1 min', '2 h', '1 d' or 'PT10S'");
  EXPECT_EQ(Get({{"scan.mode", "middle"}}, kMode).status().message(),
            "Invalid value for option 'scan.mode': 'middle' is not one of earliest, latest");
  ASSERT_ASSIGN(const std::string word, Get({{"scan.mode", "EARLIEST"}}, kMode));
  EXPECT_EQ(word, "earliest");
}

TEST(OptionTest, NeverShowsASecret) {
  const Option<int64_t> kSecret{"my.secret.number", "A secret."};
  const Status status = Get({{"my.secret.number", "hush"}}, kSecret).status();
  EXPECT_FALSE(status.ok());
  EXPECT_THAT(status.message(), ::testing::Not(HasSubstr("hush")));
}

TEST(OptionTest, OtherNamesMustAgree) {
  ASSERT_ASSIGN(const MemorySize other, Get({{"file-size", "1 kb"}}, kSize));
  EXPECT_EQ(other.bytes, 1'024);
  EXPECT_STATUS_OK(
      Get({{"file-size", "1 kb"}, {"sink.rolling-policy.file-size", "1 kb"}}, kSize).status());
  EXPECT_EQ(Get({{"file-size", "1 kb"}, {"sink.rolling-policy.file-size", "2 kb"}}, kSize)
                .status()
                .message(),
            "Options 'sink.rolling-policy.file-size' and 'file-size' mean the same but differ");
}

class ValidateOptionsTest : public ::testing::Test {
 protected:
  static Status Validate(const OptionMap& options) {
    return ValidateOptions(options, {kPath.info(), kMode.info(), kKind.info(), kSize.info()},
                           "'filesystem'", {"json."});
  }
};

TEST_F(ValidateOptionsTest, AcceptsWhatIsDeclared) {
  EXPECT_STATUS_OK(Validate({{"path", "/t"}}));
  EXPECT_STATUS_OK(Validate({{"path", "/t"},
                             {"scan.mode", "latest"},
                             {"fields.a.b.length", "3"},
                             {"file-size", "1 mb"},
                             {"json.ignore-parse-errors", "true"}}));
}

TEST_F(ValidateOptionsTest, ListsUnknownAndSupportedKeysAsFlinkDoes) {
  const Status status = Validate({{"path", "/t"}, {"scan.mod", "latest"}, {"zzz", "1"}});
  EXPECT_EQ(KindOf(status), ErrorKind::kConfig);
  EXPECT_EQ(
      status.message(),
      "Unsupported options found for 'filesystem'.\n\n"
      "Unsupported options:\n\nscan.mod\nzzz\n\n"
      "Supported options:\n\nfields.#.length\npath\nscan.mode\nsink.rolling-policy.file-size");
  EXPECT_EQ(HintOf(status), "'scan.mod' is not an option. Did you mean 'scan.mode'?");
}

TEST_F(ValidateOptionsTest, AHashStandsForSomething) {
  EXPECT_FALSE(Validate({{"path", "/t"}, {"fields..length", "1"}}).ok());
  EXPECT_FALSE(Validate({{"path", "/t"}, {"fields.length", "1"}}).ok());
}

TEST_F(ValidateOptionsTest, ListsMissingKeysAndTheMisspeltOne) {
  const Status status = Validate({{"pth", "/t"}});
  EXPECT_EQ(status.message(),
            "One or more required options are missing.\n\nMissing required options are:\n\npath");
  EXPECT_EQ(HintOf(status), "'pth' is not an option. Did you mean 'path'?");
}

TEST_F(ValidateOptionsTest, ChecksValues) {
  EXPECT_EQ(Validate({{"path", "/t"}, {"fields.name.length", "long"}}).message(),
            "Invalid value for option 'fields.name.length': 'long' is not a whole number");
  EXPECT_FALSE(Validate({{"path", "/t"}, {"file-size", "big"}}).ok());
  EXPECT_FALSE(Validate({{"path", "/t"}, {"scan.mode", "middle"}}).ok());
}

}  // namespace
}  // namespace lakeward::config
