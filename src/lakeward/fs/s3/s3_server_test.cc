#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "lakeward/base/clock.h"
#include "lakeward/base/ids.h"
#include "lakeward/fs/file_system_contract.h"
#include "lakeward/fs/s3/s3_file_system.h"

// The same contract on a real server, and what it answers to wrong settings. Runs where one is:
// `eval "$(./dev up s3)"` sets the variables.

namespace lakeward::fs {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string Variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

const std::string& Bucket() {
  static const std::string bucket = Variable("LAKEWARD_TEST_S3_BUCKET");
  return bucket;
}

// Only what the test sets; nothing of this process' environment.
class ServerSettings {
 public:
  ServerSettings() {
    Set("s3.endpoint", Variable("LAKEWARD_TEST_S3"));
    Set("s3.access-key", "admin");
    Set("s3.secret-key", "password");
  }

  ServerSettings& Set(const std::string& key, const std::string& value) {
    configuration_.Set(key, value, config::Level::kFile, "config.yaml, " + key);
    return *this;
  }

  std::shared_ptr<FileSystem> Make(const std::string& bucket = Bucket()) const {
    S3FileSystems made({.make_http = net::MakeHttpClient,
                        .make_surroundings =
                            [](std::shared_ptr<net::HttpClient> http) {
                              aws::Surroundings surroundings =
                                  aws::RealSurroundings(std::move(http));
                              surroundings.environment =
                                  [](const std::string& name) -> std::optional<std::string> {
                                return name == "AWS_EC2_METADATA_DISABLED"
                                           ? std::optional<std::string>("true")
                                           : std::nullopt;
                              };
                              return surroundings;
                            },
                        .random = SystemRandom()});
    Result<std::shared_ptr<FileSystem>> file_system = made.Get(configuration_, bucket);
    EXPECT_TRUE(file_system.ok()) << file_system.status().ToString();
    return file_system.ValueOr(nullptr);
  }

 private:
  config::Configuration configuration_;
};

std::vector<FileSystemKind> Servers() {
  if (Variable("LAKEWARD_TEST_S3").empty()) {
    return {};
  }
  return {{"S3Server", [] { return ServerSettings().Make(); }, Bucket().c_str(), 2}};
}

INSTANTIATE_TEST_SUITE_P(Server, FileSystemContractTest, ::testing::ValuesIn(Servers()),
                         [](const auto& parameter) { return std::string(parameter.param.name); });

class S3ServerTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (Variable("LAKEWARD_TEST_S3").empty()) {
      GTEST_SKIP() << "LAKEWARD_TEST_S3 names no server; ./dev up s3 starts one";
    }
  }

  std::string Path(const std::string& name) const { return Bucket() + "/" + folder_ + "/" + name; }

  const std::string folder_ = "test-" + MakeUuid(SystemRandom());
};

TEST_F(S3ServerTest, LargeFilesUpAndDown) {
  const auto file_system = ServerSettings().Make();
  std::string text;
  for (int i = 0; text.size() < (40U << 20) + 11; ++i) {
    text += std::to_string(i) + ",";
  }
  ASSERT_ASSIGN(const auto file, file_system->OpenOutput(Path("large"), {.if_absent = true}));
  ASSERT_STATUS_OK(file->Write(text));
  ASSERT_STATUS_OK(file->Close());
  ASSERT_ASSIGN(const auto loser, file_system->OpenOutput(Path("large"), {.if_absent = true}));
  ASSERT_STATUS_OK(loser->Write(text));
  EXPECT_EQ(KindOf(loser->Close()), ErrorKind::kAlreadyExists);
  ASSERT_ASSIGN(const auto input, file_system->OpenInput(Path("large")));
  std::string read(text.size(), '\0');
  ASSERT_STATUS_OK(input->ReadAt(0, std::ssize(read), read.data()).status());
  EXPECT_TRUE(read == text);
  read.clear();
  while (true) {
    ASSERT_ASSIGN(const auto piece, input->Read(1'000'003));
    if (piece->size() == 0) {
      break;
    }
    read += piece->ToString();
  }
  EXPECT_TRUE(read == text);
  ASSERT_ASSIGN(const int64_t pending, file_system->AbortPendingWrites(Bucket() + "/" + folder_));
  EXPECT_EQ(pending, 0);
  EXPECT_STATUS_OK(file_system->Remove(Path("large")));
}

TEST_F(S3ServerTest, ManyPages) {
  const auto file_system = ServerSettings().Set("fs.s3a.paging.maximum", "7").Make();
  std::vector<std::string> paths;
  for (int i = 0; i < 30; ++i) {
    paths.push_back(Path("a b/" + std::to_string(i / 6) + "+/" + std::to_string(i)));
    ASSERT_STATUS_OK(file_system->Put(paths.back(), "x", {}));
    paths.push_back(Path("a b/" + std::to_string(i)));
    ASSERT_STATUS_OK(file_system->Put(paths.back(), "x", {}));
  }
  ASSERT_ASSIGN(const auto all, file_system->List(Path("a b")));
  EXPECT_EQ(all.size(), 60U);
  ASSERT_ASSIGN(const auto direct, file_system->ListDirectly(Path("a b"), Path("a b/2")));
  EXPECT_EQ(direct.size(), 17U);  // 20 to 29, 3 to 9
  ASSERT_STATUS_OK(file_system->RemoveAll(paths));
  ASSERT_ASSIGN(const auto none, file_system->List(Path("")));
  EXPECT_TRUE(none.empty());
}

// What each wrong setting is answered with.
TEST_F(S3ServerTest, WrongSettingsAreTold) {
  struct Wrong {
    ServerSettings settings;
    std::string bucket;
    ErrorKind kind;
    const char* said;
    const char* remedy;
  };
  const std::string port = Variable("LAKEWARD_TEST_S3").substr(17);
  for (const Wrong& wrong : {
           Wrong{ServerSettings().Set("s3.secret-key", "wrong"), Bucket(), ErrorKind::kPermission,
                 "(credentials from config.yaml, s3.access-key)", "fs.s3a.secret.key"},
           Wrong{ServerSettings().Set("s3.access-key", "nobody"), Bucket(), ErrorKind::kPermission,
                 "does not know the access key", "fs.s3a.access.key"},
           Wrong{ServerSettings(), "no-such-bucket", ErrorKind::kConfig,
                 "has no bucket 'no-such-bucket'", "Create the bucket"},
           Wrong{ServerSettings().Set("s3.endpoint", "http://127.0.0.1:1"), Bucket(),
                 ErrorKind::kConfig,
                 "nobody listens at http://127.0.0.1:1 ('fs.s3a.endpoint' comes from config.yaml, "
                 "s3.endpoint)",
                 "Start the store"},
           Wrong{ServerSettings().Set("s3.endpoint", "http://s3.test.invalid"), Bucket(),
                 ErrorKind::kConfig, "the host of http://s3.test.invalid is unknown",
                 "fs.s3a.endpoint"},
           Wrong{ServerSettings().Set("s3.endpoint", "https://127.0.0.1:" + port), Bucket(),
                 ErrorKind::kConfig, "does not speak TLS", "http://"},
           Wrong{ServerSettings()
                     .Set("s3.endpoint", "http://localhost:" + port)
                     .Set("s3.path-style-access", "false"),
                 Bucket(), ErrorKind::kConfig, "Cannot list s3://warehouse",
                 "Path style is off (config.yaml, s3.path-style-access)"},
           Wrong{ServerSettings().Set("s3.access-key", "").Set("s3.secret-key", ""), Bucket(),
                 ErrorKind::kConfig, "No AWS credentials were found", "fs.s3a.access.key"},
       }) {
    SCOPED_TRACE(wrong.said);
    const auto file_system = wrong.settings.Make(wrong.bucket);
    ASSERT_NE(file_system, nullptr);
    const int64_t start_us = SystemClock()->MonotonicMicros();
    const Status status = file_system->List(wrong.bucket + "/" + folder_).status();
    EXPECT_LT(SystemClock()->MonotonicMicros() - start_us, 10'000'000);
    EXPECT_EQ(KindOf(status), wrong.kind) << status.ToString();
    EXPECT_THAT(status.message(), HasSubstr(wrong.said));
    EXPECT_THAT(HintOf(status), HasSubstr(wrong.remedy));
    EXPECT_THAT(Describe(status), Not(HasSubstr("password")));
  }
}

TEST_F(S3ServerTest, AMissingRightIsTold) {
  const auto file_system = ServerSettings().Set("s3.access-key", "reader").Make();
  ASSERT_STATUS_OK(file_system->List(Bucket() + "/" + folder_).status());
  const Status status = file_system->Put(Path("f"), "x", {});
  EXPECT_EQ(KindOf(status), ErrorKind::kPermission);
  EXPECT_THAT(status.message(), HasSubstr("AccessDenied"));
  EXPECT_THAT(HintOf(status), HasSubstr("granted"));
}

}  // namespace
}  // namespace lakeward::fs
