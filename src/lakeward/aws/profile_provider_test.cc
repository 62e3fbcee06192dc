#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "lakeward/aws/credential_fixture.h"
#include "lakeward/aws/credential_provider.h"
#include "lakeward/aws/profile_file.h"

namespace lakeward::aws {
namespace {

using net::HttpOutcome;
using net::HttpRequest;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using Outcome = ProviderAnswer::Outcome;

TEST(ProfileFileTest, ReadsSections) {
  const Profiles profiles = ParseProfiles(R"(# all
aws_access_key_id = nobody
[default]
Region=eu-west-1   ; near
[profile  dev]
role_arn = arn:aws:iam::1:role/r#1
s3 =
  addressing_style = path
; note
source_profile = default # comment
[sso-session x]
sso_region = us-east-1
[unnamed]
region = no
)",
                                          ProfileFileKind::kConfig);
  EXPECT_EQ(profiles.size(), 2U);
  EXPECT_EQ(profiles.at("default"), (Profile{{"region", "eu-west-1"}}));
  EXPECT_EQ(profiles.at("dev"), (Profile{{"role_arn", "arn:aws:iam::1:role/r#1"},
                                         {"s3", ""},
                                         {"source_profile", "default"}}));
  EXPECT_TRUE(ParseProfiles("[dev]\na=1", ProfileFileKind::kCredentials).contains("dev"));
}

class ProfileProviderTest : public ::testing::Test {
 protected:
  ProfileProviderTest() { machine_.variables["HOME"] = "/home/me"; }

  ProviderAnswer Ask(const std::string& profile = "") {
    return MakeProfileProvider(machine_.surroundings, profile, "")->Ask();
  }

  std::string& credentials_file() { return machine_.files["/home/me/.aws/credentials"]; }
  std::string& config_file() { return machine_.files["/home/me/.aws/config"]; }

  FakeMachine machine_;
};

TEST_F(ProfileProviderTest, TakesTheProfileThatIsNamed) {
  EXPECT_EQ(Ask().outcome, Outcome::kAbsent) << "no file at all";
  credentials_file() =
      "[default]\naws_access_key_id=A\naws_secret_access_key=hush\n"
      "[dev]\naws_access_key_id=B\naws_secret_access_key=hush\naws_session_token=t\n"
      "[half]\naws_access_key_id=C\n";
  EXPECT_EQ(Ask().credentials.access_key_id, "A");
  EXPECT_EQ(Ask("dev").credentials.session_token.Reveal(), "t");
  machine_.variables["AWS_PROFILE"] = "dev";
  EXPECT_EQ(Ask().credentials.access_key_id, "B");
  machine_.variables["AWS_PROFILE"] = "missing";
  const ProviderAnswer missing = Ask();
  EXPECT_EQ(missing.outcome, Outcome::kFailed);
  EXPECT_THAT(missing.said, HasSubstr("no profile 'missing' in '/home/me/.aws/credentials'"));
  EXPECT_EQ(Ask("half").said, "profile 'half' has aws_access_key_id but no aws_secret_access_key");
  machine_.variables["AWS_SHARED_CREDENTIALS_FILE"] = "~/other";
  machine_.files["/home/me/other"] = "[dev]\naws_access_key_id=D\naws_secret_access_key=hush\n";
  EXPECT_EQ(Ask("dev").credentials.access_key_id, "D");
}

TEST_F(ProfileProviderTest, NoticesAChange) {
  credentials_file() = "[default]\naws_access_key_id=A\naws_secret_access_key=hush\n";
  const auto provider = MakeProfileProvider(machine_.surroundings, "", "");
  provider->Ask();
  EXPECT_FALSE(provider->HasChanged());
  credentials_file() = "[default]\naws_access_key_id=B\naws_secret_access_key=hush\n";
  EXPECT_TRUE(provider->HasChanged());
  EXPECT_EQ(provider->Ask().credentials.access_key_id, "B");
  EXPECT_FALSE(provider->HasChanged());
}

TEST_F(ProfileProviderTest, RunsTheProcess) {
  config_file() = "[default]\ncredential_process = /bin/keys --for me\n";
  machine_.commands["/bin/keys --for me"] =
      R"({"Version": 1, "AccessKeyId": "P", "SecretAccessKey": "hush", "SessionToken": "t"})";
  const ProviderAnswer found = Ask();
  ASSERT_EQ(found.outcome, Outcome::kFound) << found.said;
  EXPECT_EQ(found.credentials.access_key_id, "P");
  EXPECT_EQ(found.credentials.session_token.Reveal(), "t");
  machine_.commands.clear();
  const ProviderAnswer failed = Ask();
  EXPECT_EQ(failed.outcome, Outcome::kFailed);
  EXPECT_EQ(failed.said,
            "credential_process of profile 'default': The command ended with code 127");
}

TEST_F(ProfileProviderTest, AssumesARoleByItsSource) {
  config_file() =
      "[profile work]\nrole_arn=arn:r\nsource_profile=keys\nexternal_id=x\nregion=eu-west-1\n"
      "role_session_name=me\nduration_seconds=900\n"
      "[profile a]\nrole_arn=arn:a\nsource_profile=b\n[profile "
      "b]\nrole_arn=arn:b\nsource_profile=a\n"
      "[profile env]\nrole_arn=arn:e\ncredential_source=Environment\n"
      "[profile lonely]\nrole_arn=arn:l\n[profile mfa]\nrole_arn=arn:m\nmfa_serial=1\n";
  credentials_file() = "[keys]\naws_access_key_id=A\naws_secret_access_key=hush\n";
  std::string body;
  std::string authorization;
  machine_.server = [&](const HttpRequest& request) {
    body = request.body;
    authorization = request.headers.Get("Authorization");
    return HttpOutcome::Of(200, StsAnswer("AssumeRole", "R", "2026-01-01T00:15:00Z"));
  };
  const ProviderAnswer found = Ask("work");
  ASSERT_EQ(found.outcome, Outcome::kFound) << found.said;
  EXPECT_EQ(found.credentials.access_key_id, "R");
  EXPECT_EQ(machine_.Seen().back(), "POST https://sts.eu-west-1.amazonaws.com/");
  EXPECT_EQ(body,
            "Action=AssumeRole&Version=2011-06-15&RoleArn=arn%3Ar&RoleSessionName=me&"
            "DurationSeconds=900&ExternalId=x");
  EXPECT_THAT(authorization, HasSubstr("Credential=A/20260101/eu-west-1/sts/aws4_request"));

  EXPECT_THAT(Ask("a").said, HasSubstr("is its own source"));
  EXPECT_THAT(Ask("env").said, HasSubstr("takes its keys from Environment"));
  EXPECT_THAT(Ask("lonely").said, HasSubstr("neither source_profile nor credential_source"));
  EXPECT_THAT(Ask("mfa").said, HasSubstr("mfa_serial"));
}

TEST_F(ProfileProviderTest, NamesSingleSignOn) {
  config_file() = "[default]\nsso_session = corp\nsso_account_id = 1\n";
  const ProviderAnswer answer = Ask();
  EXPECT_EQ(answer.outcome, Outcome::kFailed);
  EXPECT_THAT(answer.said, HasSubstr("uses single sign-on (sso_session), which is not supported"));
  EXPECT_THAT(answer.said, HasSubstr("aws configure export-credentials"));
  EXPECT_THAT(machine_.Seen(), IsEmpty());
}

}  // namespace
}  // namespace lakeward::aws
