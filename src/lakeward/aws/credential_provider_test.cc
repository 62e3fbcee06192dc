#include "lakeward/aws/credential_provider.h"

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "lakeward/aws/credential_fixture.h"
#include "support/status_matchers.h"

namespace lakeward::aws {
namespace {

using net::HttpOutcome;
using net::HttpRequest;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using Outcome = ProviderAnswer::Outcome;

constexpr const char* kKeysJson =
    R"({"Code": "Success", "AccessKeyId": "AKIA1", "SecretAccessKey": "hush", "Token": "t",
        "Expiration": "2026-01-01T06:00:00Z"})";

TEST(EnvironmentProviderTest, TakesAllOrSaysWhatIsMissing) {
  FakeMachine machine;
  const auto provider = MakeEnvironmentProvider(machine.surroundings);
  EXPECT_EQ(provider->Ask().outcome, Outcome::kAbsent);
  machine.variables["AWS_ACCESS_KEY_ID"] = "AKIA1";
  ProviderAnswer answer = provider->Ask();
  EXPECT_EQ(answer.outcome, Outcome::kFailed);
  EXPECT_EQ(answer.said, "AWS_ACCESS_KEY_ID is set, AWS_SECRET_ACCESS_KEY is not");
  machine.variables["AWS_SECRET_ACCESS_KEY"] = "hush";
  answer = provider->Ask();
  ASSERT_EQ(answer.outcome, Outcome::kFound);
  EXPECT_EQ(answer.credentials.access_key_id, "AKIA1");
  EXPECT_EQ(answer.credentials.secret_access_key.Reveal(), "hush");
  EXPECT_TRUE(answer.credentials.session_token.empty());
  machine.variables["AWS_SESSION_TOKEN"] = "t";
  EXPECT_EQ(provider->Ask().credentials.session_token.Reveal(), "t");
}

TEST(WebIdentityProviderTest, AssumesTheRoleOfTheToken) {
  FakeMachine machine;
  const auto provider = MakeWebIdentityProvider(machine.surroundings, "");
  EXPECT_EQ(provider->Ask().outcome, Outcome::kAbsent);
  machine.variables = {{"AWS_WEB_IDENTITY_TOKEN_FILE", "/token"},
                       {"AWS_ROLE_ARN", "arn:aws:iam::1:role/r"},
                       {"AWS_REGION", "eu-west-1"}};
  EXPECT_EQ(provider->Ask().outcome, Outcome::kFailed) << "the token file is missing";
  machine.files["/token"] = "jwt+token\n";
  std::string body;
  machine.server = [&](const HttpRequest& request) {
    body = request.body;
    EXPECT_EQ(request.headers.Find("Authorization"), nullptr);
    return HttpOutcome::Of(200,
                           StsAnswer("AssumeRoleWithWebIdentity", "ASIA1", "2026-01-01T01:00:00Z"));
  };
  const ProviderAnswer answer = provider->Ask();
  ASSERT_EQ(answer.outcome, Outcome::kFound) << answer.said;
  EXPECT_EQ(answer.credentials.access_key_id, "ASIA1");
  EXPECT_EQ(answer.credentials.session_token.Reveal(), "token of ASIA1");
  EXPECT_EQ(answer.credentials.expiration_us, FakeMachine::kStartUs + 3'600'000'000);
  EXPECT_THAT(machine.Seen(), ElementsAre("POST https://sts.eu-west-1.amazonaws.com/"));
  EXPECT_EQ(body,
            "Action=AssumeRoleWithWebIdentity&Version=2011-06-15&"
            "RoleArn=arn%3Aaws%3Aiam%3A%3A1%3Arole%2Fr&RoleSessionName=lakeward&"
            "DurationSeconds=3600&WebIdentityToken=jwt%2Btoken");
}

TEST(WebIdentityProviderTest, RefusalsAreToldServerFaultsTriedAgain) {
  FakeMachine machine;
  machine.variables = {{"AWS_WEB_IDENTITY_TOKEN_FILE", "/token"}, {"AWS_ROLE_ARN", "arn:r"}};
  machine.files["/token"] = "secret-jwt";
  const auto provider = MakeWebIdentityProvider(machine.surroundings, "");
  machine.server = [](const HttpRequest&) {
    return HttpOutcome::Of(403,
                           "<ErrorResponse><Error><Code>AccessDenied</Code>"
                           "<Message>Not authorized</Message></Error></ErrorResponse>");
  };
  ProviderAnswer answer = provider->Ask();
  EXPECT_EQ(answer.outcome, Outcome::kFailed);
  EXPECT_THAT(answer.said, HasSubstr("AccessDenied: Not authorized"));
  EXPECT_THAT(answer.said, HasSubstr("https://sts.amazonaws.com"));
  EXPECT_THAT(answer.said, Not(HasSubstr("secret-jwt")));
  EXPECT_EQ(machine.Seen().size(), 1U);

  machine.server = [&](const HttpRequest&) {
    return machine.Seen().size() < 4
               ? HttpOutcome::Of(503)
               : HttpOutcome::Of(
                     200, StsAnswer("AssumeRoleWithWebIdentity", "ASIA2", "2026-01-01T01:00:00Z"));
  };
  answer = provider->Ask();
  EXPECT_EQ(answer.outcome, Outcome::kFound) << answer.said;
  EXPECT_LE(machine.clock.slept_us(), 2'000'000);
}

TEST(ContainerProviderTest, AsksTheEndpointWithItsToken) {
  FakeMachine machine;
  const auto provider = MakeContainerProvider(machine.surroundings);
  EXPECT_EQ(provider->Ask().outcome, Outcome::kAbsent);
  machine.variables["AWS_CONTAINER_CREDENTIALS_FULL_URI"] = "http://169.254.170.23/v1/credentials";
  machine.variables["AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE"] = "/pod-token";
  machine.files["/pod-token"] = "bearer\n";
  machine.server = [](const HttpRequest& request) {
    EXPECT_EQ(request.headers.Get("Authorization"), "bearer");
    return HttpOutcome::Of(200, kKeysJson);
  };
  ProviderAnswer answer = provider->Ask();
  ASSERT_EQ(answer.outcome, Outcome::kFound) << answer.said;
  EXPECT_EQ(answer.credentials.access_key_id, "AKIA1");
  EXPECT_EQ(answer.credentials.session_token.Reveal(), "t");
  EXPECT_EQ(answer.credentials.expiration_us, FakeMachine::kStartUs + 6 * 3'600'000'000LL);

  machine.variables = {{"AWS_CONTAINER_CREDENTIALS_RELATIVE_URI", "/creds?id=1"}};
  machine.server = [](const HttpRequest&) { return HttpOutcome::Of(500, "{\"secret\": 1}"); };
  answer = provider->Ask();
  EXPECT_EQ(answer.outcome, Outcome::kFailed);
  EXPECT_THAT(answer.said, HasSubstr("HTTP status 500"));
  EXPECT_EQ(machine.Seen().back(), "GET http://169.254.170.2/creds?id=1");
}

TEST(ContainerProviderTest, SendsNoTokenInClearToOthers) {
  FakeMachine machine;
  machine.variables["AWS_CONTAINER_CREDENTIALS_FULL_URI"] = "http://elsewhere.example/creds";
  const ProviderAnswer answer = MakeContainerProvider(machine.surroundings)->Ask();
  EXPECT_EQ(answer.outcome, Outcome::kFailed);
  EXPECT_THAT(answer.said, HasSubstr("elsewhere.example"));
  EXPECT_THAT(machine.Seen(), IsEmpty());
}

TEST(InstanceProviderTest, AsksWithASessionToken) {
  FakeMachine machine;
  machine.server = [](const HttpRequest& request) {
    EXPECT_EQ(request.total_timeout_ms, 1'000);
    if (request.method == net::HttpMethod::kPut) {
      EXPECT_EQ(request.headers.Get("X-aws-ec2-metadata-token-ttl-seconds"), "21600");
      return HttpOutcome::Of(200, "session");
    }
    EXPECT_EQ(request.headers.Get("X-aws-ec2-metadata-token"), "session");
    return HttpOutcome::Of(200, request.url.ends_with('/') ? "web role" : kKeysJson);
  };
  const auto provider = MakeInstanceProvider(machine.surroundings);
  const ProviderAnswer answer = provider->Ask();
  ASSERT_EQ(answer.outcome, Outcome::kFound) << answer.said;
  EXPECT_EQ(answer.credentials.access_key_id, "AKIA1");
  EXPECT_THAT(machine.Seen(),
              ElementsAre("PUT http://169.254.169.254/latest/api/token",
                          "GET http://169.254.169.254/latest/meta-data/iam/security-credentials/",
                          "GET http://169.254.169.254/latest/meta-data/iam/security-credentials/"
                          "web%20role"));
  machine.variables["AWS_EC2_METADATA_SERVICE_ENDPOINT"] = "http://127.0.0.1:1338/";
  provider->Ask();
  EXPECT_EQ(machine.Seen()[3], "PUT http://127.0.0.1:1338/latest/api/token");
}

TEST(InstanceProviderTest, IsAbsentWhereThereIsNone) {
  FakeMachine machine;
  const auto provider = MakeInstanceProvider(machine.surroundings);
  ProviderAnswer answer = provider->Ask();
  EXPECT_EQ(answer.outcome, Outcome::kAbsent);
  EXPECT_THAT(answer.said, HasSubstr("169.254.169.254"));
  EXPECT_EQ(machine.Seen().size(), 1U) << "one second is enough";
  machine.server = [](const HttpRequest& request) {
    return request.method == net::HttpMethod::kPut ? HttpOutcome::Of(200, "s")
                                                   : HttpOutcome::Of(404);
  };
  EXPECT_EQ(provider->Ask().said, "this machine has no role attached");
  machine.variables["AWS_EC2_METADATA_DISABLED"] = "true";
  answer = provider->Ask();
  EXPECT_EQ(answer.said, "switched off by AWS_EC2_METADATA_DISABLED");
  EXPECT_EQ(machine.Seen().size(), 3U);
}

TEST(CredentialsJsonTest, ErrorsQuoteNothing) {
  for (const char* text :
       {"", "hush", "[\"hush\"]", "{\"AccessKeyId\": \"a\"}",
        R"({"AccessKeyId": "a", "SecretAccessKey": ""})",
        R"({"AccessKeyId": 7, "SecretAccessKey": "hush"})",
        R"({"AccessKeyId": "a", "SecretAccessKey": "hush", "Expiration": "soon"})"}) {
    const Status status = ParseCredentialsJson(text, "The answer").status();
    EXPECT_EQ(KindOf(status), ErrorKind::kCorruptData) << text;
    EXPECT_THAT(Describe(status), Not(HasSubstr("hush"))) << text;
  }
}

}  // namespace
}  // namespace lakeward::aws
