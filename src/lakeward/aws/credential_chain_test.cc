#include "lakeward/aws/credential_chain.h"

#include <atomic>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "lakeward/aws/credential_fixture.h"
#include "lakeward/aws/provider_names.h"
#include "lakeward/base/executor.h"
#include "support/status_matchers.h"

namespace lakeward::aws {
namespace {

using net::HttpOutcome;
using net::HttpRequest;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr int64_t kSecondUs = 1'000'000;

// Gives what the test says, and counts.
class ScriptedProvider final : public CredentialProvider {
 public:
  struct State {
    std::function<ProviderAnswer()> answer;
    std::atomic<int> asked{0};
    std::atomic<bool> has_changed{false};
  };

  explicit ScriptedProvider(State* state) : state_(state) {}
  std::string_view name() const override { return "scripted"; }
  ProviderAnswer Ask() override {
    ++state_->asked;
    state_->has_changed = false;
    return state_->answer();
  }
  bool HasChanged() const override { return state_->has_changed; }

 private:
  State* const state_;
};

class CredentialChainTest : public ::testing::Test {
 protected:
  std::shared_ptr<CredentialSource> Chain() {
    std::vector<std::unique_ptr<CredentialProvider>> providers;
    providers.push_back(std::make_unique<ScriptedProvider>(&state_));
    return MakeProviderChain(std::move(providers), &machine_.clock);
  }

  // Keys "k<n>" at the n-th time, valid for `lifetime_s`.
  void GiveKeysFor(int64_t lifetime_s) {
    state_.answer = [this, lifetime_s] {
      Credentials credentials;
      credentials.access_key_id = "k" + std::to_string(state_.asked.load());
      credentials.secret_access_key = Secret("hush");
      if (lifetime_s > 0) {
        credentials.expiration_us = machine_.clock.NowMicros() + lifetime_s * kSecondUs;
      }
      return ProviderAnswer::Found(std::move(credentials));
    };
  }

  static std::string IdOf(CredentialSource& source) {
    const Result<Credentials> credentials = source.Get();
    return credentials.ok() ? credentials->access_key_id : credentials.status().message();
  }

  FakeMachine machine_;
  ScriptedProvider::State state_;
};

TEST_F(CredentialChainTest, RefreshesBeforeTheyExpire) {
  GiveKeysFor(3'600);
  const auto chain = Chain();
  EXPECT_EQ(IdOf(*chain), "k1");
  machine_.clock.Advance(3'299 * kSecondUs);
  EXPECT_EQ(IdOf(*chain), "k1");
  machine_.clock.Advance(2 * kSecondUs);  // less than five minutes are left
  EXPECT_EQ(IdOf(*chain), "k2");
  EXPECT_EQ(IdOf(*chain), "k2");
}

TEST_F(CredentialChainTest, LivesWithAMinuteOfLife) {
  GiveKeysFor(60);
  const auto chain = Chain();
  for (int second = 0; second < 600; ++second) {
    const Result<Credentials> credentials = chain->Get();
    ASSERT_TRUE(credentials.ok());
    EXPECT_GT(*credentials->expiration_us, machine_.clock.NowMicros());
    machine_.clock.Advance(kSecondUs);
  }
  EXPECT_EQ(state_.asked, 14);  // each 45 s
}

TEST_F(CredentialChainTest, OldOnesServeWhileARefreshFails) {
  GiveKeysFor(3'600);
  const auto chain = Chain();
  EXPECT_EQ(IdOf(*chain), "k1");
  machine_.clock.Advance(3'400 * kSecondUs);
  state_.answer = [] { return ProviderAnswer::Failed("out of order"); };
  EXPECT_EQ(IdOf(*chain), "k1");
  EXPECT_EQ(IdOf(*chain), "k1");
  EXPECT_EQ(state_.asked, 2) << "the next try comes after 30 s";
  machine_.clock.Advance(31 * kSecondUs);
  EXPECT_EQ(IdOf(*chain), "k1");
  EXPECT_EQ(state_.asked, 3);
  machine_.clock.Advance(200 * kSecondUs);
  EXPECT_EQ(IdOf(*chain), "AWS credentials could not be got from scripted: out of order");
  GiveKeysFor(3'600);
  EXPECT_EQ(IdOf(*chain), "k5");
}

TEST_F(CredentialChainTest, RejectedOnesAreFetchedAgainOnce) {
  GiveKeysFor(0);
  const auto chain = Chain();
  ASSERT_ASSIGN(const Credentials first, chain->Get());
  chain->Reject(first);
  EXPECT_EQ(IdOf(*chain), "k2");
  chain->Reject(first);  // another thread's late report
  EXPECT_EQ(IdOf(*chain), "k2");
}

TEST_F(CredentialChainTest, AChangedSourceIsReadAgain) {
  GiveKeysFor(0);
  const auto chain = Chain();
  EXPECT_EQ(IdOf(*chain), "k1");
  state_.has_changed = true;
  EXPECT_EQ(IdOf(*chain), "k1") << "looked at every 5 s only";
  machine_.clock.Advance(5 * kSecondUs);
  EXPECT_EQ(IdOf(*chain), "k2");
}

TEST_F(CredentialChainTest, OneFetchesForAll) {
  Mutex mutex;
  CondVar changed;
  bool is_open = false;
  state_.answer = [&] {
    MutexLock lock(&mutex);
    while (!is_open) {
      changed.Wait(&mutex);
    }
    return ProviderAnswer::Failed("closed");
  };
  const auto chain = Chain();
  std::atomic<int> failed{0};
  std::vector<Thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back("asker", [&] { failed += chain->Get().ok() ? 0 : 1; });
  }
  while (state_.asked == 0) {
    SystemClock()->SleepForMicros(100);
  }
  {
    MutexLock lock(&mutex);
    is_open = true;
    changed.NotifyAll();
  }
  threads.clear();
  EXPECT_EQ(failed, 8);
  EXPECT_LE(state_.asked, 8);
  const int asked = state_.asked;
  GiveKeysFor(3'600);
  EXPECT_EQ(IdOf(*chain), "k" + std::to_string(asked + 1));
}

CredentialSettings NoSettings() {
  CredentialSettings settings;
  settings.keys_missing = "fs.s3a.access.key is not set";
  return settings;
}

TEST_F(CredentialChainTest, SaysWhatEachProviderSaid) {
  machine_.variables["HOME"] = "/home/me";
  ASSERT_ASSIGN(const auto chain, MakeCredentialChain(NoSettings(), machine_.surroundings));
  const Status status = chain->Get().status();
  EXPECT_EQ(KindOf(status), ErrorKind::kConfig);
  for (const char* part :
       {"configuration: fs.s3a.access.key is not set",
        "environment: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are not set",
        "web identity: AWS_WEB_IDENTITY_TOKEN_FILE is not set",
        "profile: no profile 'default' in '/home/me/.aws/credentials'",
        "container: AWS_CONTAINER_CREDENTIALS_RELATIVE_URI and _FULL_URI are not set",
        "instance metadata: PUT http://169.254.169.254/latest/api/token"}) {
    EXPECT_THAT(status.message(), HasSubstr(part));
  }
}

TEST_F(CredentialChainTest, TheOrderIsThatOfTheSdks) {
  machine_.variables = {{"AWS_ACCESS_KEY_ID", "E"}, {"AWS_SECRET_ACCESS_KEY", "hush"}};
  CredentialSettings settings = NoSettings();
  ASSERT_ASSIGN(auto chain, MakeCredentialChain(settings, machine_.surroundings));
  EXPECT_EQ(IdOf(*chain), "E");
  settings.keys.emplace();
  settings.keys->access_key_id = "C";
  settings.keys->secret_access_key = Secret("hush");
  ASSERT_ASSIGN(chain, MakeCredentialChain(settings, machine_.surroundings));
  EXPECT_EQ(IdOf(*chain), "C");
  EXPECT_THAT(machine_.Seen(), IsEmpty());
}

// A pod must never fall back to the role of the machine that it runs on.
TEST_F(CredentialChainTest, AFailingWebIdentityEndsTheSearch) {
  machine_.variables = {{"AWS_WEB_IDENTITY_TOKEN_FILE", "/gone"}, {"AWS_ROLE_ARN", "arn:r"}};
  ASSERT_ASSIGN(const auto chain, MakeCredentialChain(NoSettings(), machine_.surroundings));
  const Status status = chain->Get().status();
  EXPECT_THAT(status.message(), HasSubstr("could not be got from web identity"));
  EXPECT_THAT(status.message(), HasSubstr("/gone"));
  EXPECT_THAT(machine_.Seen(), IsEmpty()) << "the metadata service was asked";
}

TEST_F(CredentialChainTest, ARoleIsAssumedByWhatTheOthersFind) {
  CredentialSettings settings = NoSettings();
  settings.role = AssumedRole{.arn = "arn:r", .origin = "config.yaml line 3"};
  settings.sts_endpoint = "http://sts.test:5000";
  settings.sts_region = "eu-west-1";
  machine_.variables = {{"AWS_ACCESS_KEY_ID", "E1"}, {"AWS_SECRET_ACCESS_KEY", "hush"}};
  int refusals = 1;
  machine_.server = [&](const HttpRequest& request) {
    EXPECT_EQ(request.url, "http://sts.test:5000/");
    if (refusals-- > 0) {
      machine_.variables["AWS_ACCESS_KEY_ID"] = "E2";
      return HttpOutcome::Of(
          400, "<ErrorResponse><Error><Code>ExpiredToken</Code></Error></ErrorResponse>");
    }
    EXPECT_THAT(request.headers.Get("Authorization"), HasSubstr("Credential=E2/"));
    return HttpOutcome::Of(200, StsAnswer("AssumeRole", "R", "2026-01-01T01:00:00Z"));
  };
  ASSERT_ASSIGN(const auto chain, MakeCredentialChain(settings, machine_.surroundings));
  EXPECT_EQ(IdOf(*chain), "R");

  machine_.server = [](const HttpRequest&) {
    return HttpOutcome::Of(403,
                           "<ErrorResponse><Error><Code>AccessDenied</Code>"
                           "<Message>no</Message></Error></ErrorResponse>");
  };
  ASSERT_ASSIGN(const auto refused, MakeCredentialChain(settings, machine_.surroundings));
  EXPECT_EQ(IdOf(*refused),
            "AWS credentials could not be got from assumed role: AssumeRole at "
            "http://sts.test:5000 was refused: AccessDenied: no (role from config.yaml line 3)");
}

TEST(ProviderNamesTest, KnowsHadoopsAndAmazons) {
  using enum ProviderKind;
  ASSERT_ASSIGN(const auto kinds,
                ParseProviderNames({"org.apache.hadoop.fs.s3a.TemporaryAWSCredentialsProvider",
                                    "org.apache.hadoop.fs.s3a.SimpleAWSCredentialsProvider",
                                    "software.amazon.awssdk.auth.credentials."
                                    "EnvironmentVariableCredentialsProvider",
                                    "com.amazonaws.auth.EnvironmentVariableCredentialsProvider",
                                    "org.apache.hadoop.fs.s3a.auth.IAMInstanceCredentialsProvider",
                                    "AnonymousCredentialsProvider"},
                                   "f"));
  EXPECT_THAT(kinds, ElementsAre(kConfigurationTemporary, kConfigurationSimple, kEnvironment,
                                 kContainer, kInstance, kAnonymous));
  const Status unknown =
      ParseProviderNames({"org.apache.hadoop.fs.s3a.SimpelAWSCredentialsProvider"},
                         "config.yaml line 2")
          .status();
  EXPECT_EQ(KindOf(unknown), ErrorKind::kConfig);
  EXPECT_THAT(Describe(unknown), HasSubstr("config.yaml line 2"));
  EXPECT_THAT(Describe(unknown), HasSubstr("SimpleAWSCredentialsProvider"));
  EXPECT_EQ(KindOf(ParseProviderNames({"x.SystemPropertiesCredentialsProvider"}, "f").status()),
            ErrorKind::kConfig);
}

TEST_F(CredentialChainTest, AnonymousAccessNeedsNoKeys) {
  CredentialSettings settings = NoSettings();
  settings.provider_names = {"org.apache.hadoop.fs.s3a.AnonymousAWSCredentialsProvider"};
  ASSERT_ASSIGN(const auto chain, MakeCredentialChain(settings, machine_.surroundings));
  ASSERT_ASSIGN(const Credentials credentials, chain->Get());
  EXPECT_TRUE(credentials.is_anonymous());
  settings.provider_names = {"AssumedRoleCredentialProvider"};
  EXPECT_EQ(KindOf(MakeCredentialChain(settings, machine_.surroundings).status()),
            ErrorKind::kConfig);
}

}  // namespace
}  // namespace lakeward::aws
