#include "lakeward/fs/s3/s3_settings.h"

#include <map>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "lakeward/fs/s3/s3_options.h"
#include "support/status_matchers.h"

namespace lakeward::fs {
namespace {

using config::Level;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class S3SettingsTest : public ::testing::Test {
 protected:
  void InFile(const std::string& key, const std::string& value) {
    configuration_.Set(key, value, Level::kFile,
                       "conf/config.yaml line " + std::to_string(++line_));
  }

  Result<S3Settings> Resolve(const std::string& bucket = "warehouse") {
    return ResolveS3Settings(
        configuration_, bucket, [this](const std::string& name) -> std::optional<std::string> {
          const auto found = variables_.find(name);
          return found == variables_.end() ? std::nullopt : std::optional(found->second);
        });
  }

  std::string ErrorOf(const std::string& bucket = "warehouse") {
    const Status status = Resolve(bucket).status();
    EXPECT_EQ(KindOf(status), ErrorKind::kConfig);
    return Describe(status);
  }

  config::Configuration configuration_;
  std::map<std::string, std::string> variables_;
  int line_ = 0;
};

TEST_F(S3SettingsTest, AmazonWithoutAnySetting) {
  ASSERT_ASSIGN(const S3Settings settings, Resolve());
  EXPECT_FALSE(settings.endpoint.has_value());
  EXPECT_TRUE(settings.is_tls);
  EXPECT_FALSE(settings.path_style.value);
  EXPECT_EQ(settings.region.value, "");
  EXPECT_FALSE(settings.credentials.keys.has_value());
  EXPECT_EQ(settings.retries.attempts_max, 10);
  EXPECT_EQ(settings.transfer.part_bytes, 8 << 20);
  EXPECT_EQ(settings.http.connect_timeout_ms, 5'000);
  // A dot in the name does not fit Amazon's wildcard certificate.
  ASSERT_ASSIGN(const S3Settings dotted, Resolve("my.bucket"));
  EXPECT_TRUE(dotted.path_style.value);
}

// The names that people have: Hadoop's, Flink's for both plugins, Iceberg's, Presto's.
TEST_F(S3SettingsTest, EveryNameIsRead) {
  struct Names {
    const char* id;
    const char* secret;
    const char* endpoint;
    const char* path_style;
    const char* region;
  };
  for (const Names& names : {
           Names{"fs.s3a.access.key", "fs.s3a.secret.key", "fs.s3a.endpoint",
                 "fs.s3a.path.style.access", "fs.s3a.endpoint.region"},
           Names{"flink.hadoop.fs.s3a.access.key", "flink.hadoop.fs.s3a.secret.key",
                 "flink.hadoop.fs.s3a.endpoint", "flink.hadoop.fs.s3a.path.style.access",
                 "flink.hadoop.fs.s3a.endpoint.region"},
           Names{"s3.access-key", "s3.secret-key", "s3.endpoint", "s3.path-style-access",
                 "s3.region"},
           Names{"s3.access.key", "s3.secret.key", "s3.endpoint", "s3.path.style.access",
                 "s3.endpoint.region"},
           Names{"s3a.access.key", "s3a.secret.key", "s3a.endpoint", "s3a.path.style.access",
                 "s3a.endpoint.region"},
           Names{"s3.access-key-id", "s3.secret-access-key", "s3.endpoint", "s3.path-style-access",
                 "client.region"},
       }) {
    SCOPED_TRACE(names.id);
    configuration_ = {};
    line_ = 0;
    InFile(names.id, "me");
    InFile(names.secret, "hush");
    InFile(names.endpoint, "http://127.0.0.1:9000/");
    InFile(names.path_style, "false");
    InFile(names.region, "eu-west-1");
    ASSERT_ASSIGN(const S3Settings settings, Resolve());
    ASSERT_TRUE(settings.credentials.keys.has_value());
    EXPECT_EQ(settings.credentials.keys->access_key_id, "me");
    EXPECT_EQ(settings.credentials.keys->secret_access_key.Reveal(), "hush");
    EXPECT_EQ(settings.credentials.keys->origin, "conf/config.yaml line 1");
    ASSERT_TRUE(settings.endpoint.has_value());
    EXPECT_EQ(settings.endpoint->value.Authority(), "127.0.0.1:9000");
    EXPECT_EQ(settings.endpoint->origin, "conf/config.yaml line 3");
    EXPECT_FALSE(settings.path_style.value);
    EXPECT_EQ(settings.path_style.origin, "conf/config.yaml line 4");
    EXPECT_EQ(settings.region.value, "eu-west-1");
    EXPECT_THAT(S3SettingNotices(configuration_), IsEmpty());
  }
}

TEST_F(S3SettingsTest, VariablesComeLast) {
  variables_ = {{"AWS_ENDPOINT_URL", "http://general:1"},
                {"AWS_ENDPOINT_URL_S3", "http://s3:2"},
                {"AWS_REGION", "eu-north-1"},
                {"AWS_CA_BUNDLE", "/ca.pem"}};
  ASSERT_ASSIGN(S3Settings settings, Resolve());
  EXPECT_EQ(settings.endpoint->value.host, "s3");
  EXPECT_EQ(settings.endpoint->origin, "environment variable AWS_ENDPOINT_URL_S3");
  EXPECT_TRUE(settings.path_style.value);
  EXPECT_EQ(settings.region.value, "eu-north-1");
  EXPECT_EQ(settings.http.ca_file, "/ca.pem");
  InFile("s3.endpoint", "http://file:3");
  ASSERT_ASSIGN(settings, Resolve());
  EXPECT_EQ(settings.endpoint->value.host, "file");
}

TEST_F(S3SettingsTest, NearerLevelsAndBucketsWin) {
  InFile("fs.s3a.endpoint", "http://file:1");
  InFile("fs.s3a.bucket.warehouse.endpoint", "http://bucket:2");
  InFile("s3.bucket.my.dotted.name.endpoint", "http://dotted:3");
  configuration_.Set("s3.endpoint", "http://session:4", Level::kSession, "SET");
  ASSERT_ASSIGN(S3Settings settings, Resolve());
  EXPECT_EQ(settings.endpoint->value.host, "bucket");
  ASSERT_ASSIGN(settings, Resolve("my.dotted.name"));
  EXPECT_EQ(settings.endpoint->value.host, "dotted");
  ASSERT_ASSIGN(settings, Resolve("other"));
  EXPECT_EQ(settings.endpoint->value.host, "session");
  configuration_.Set("fs.s3a.endpoint", "http://table:5", Level::kTable, "WITH of t");
  ASSERT_ASSIGN(settings, Resolve());
  EXPECT_EQ(settings.endpoint->value.host, "table");
}

TEST_F(S3SettingsTest, ContradictionsAtOneLevelAreRefused) {
  InFile("fs.s3a.secret.key", "hush-one");
  InFile("flink.hadoop.fs.s3a.secret.key", "hush-two");
  InFile("fs.s3a.access.key", "me");
  const std::string error = ErrorOf();
  EXPECT_THAT(error, HasSubstr("conf/config.yaml line 1"));
  EXPECT_THAT(error, HasSubstr("conf/config.yaml line 2"));
  EXPECT_THAT(error, HasSubstr("flink.hadoop.fs.s3a.secret.key"));
  EXPECT_THAT(error, Not(HasSubstr("hush")));
  InFile("flink.hadoop.fs.s3a.secret.key", "hush-one");  // duplicated prefixes that agree
  EXPECT_STATUS_OK(Resolve().status());
}

TEST_F(S3SettingsTest, KeysComeFromOnePlaceTogether) {
  InFile("fs.s3a.access.key", "file-id");
  InFile("fs.s3a.secret.key", "hush");
  InFile("fs.s3a.session.token", "hush-token");
  configuration_.Set("s3.access-key", "session-id", Level::kSession, "SET in a.sql line 1");
  EXPECT_THAT(ErrorOf(), HasSubstr("'fs.s3a.access.key' is set (SET in a.sql line 1), but "
                                   "'fs.s3a.secret.key' is not set in the same place"));
  configuration_.Set("s3.secret-key", "hush", Level::kSession, "SET in a.sql line 2");
  ASSERT_ASSIGN(const S3Settings settings, Resolve());
  EXPECT_EQ(settings.credentials.keys->access_key_id, "session-id");
  EXPECT_TRUE(settings.credentials.keys->session_token.empty());
}

TEST_F(S3SettingsTest, EndpointsWithAndWithoutScheme) {
  InFile("s3.endpoint", "localhost:9000");
  InFile("s3.region", "anctartica");
  InFile("fs.s3a.connection.ssl.enabled", "false");
  ASSERT_ASSIGN(S3Settings settings, Resolve());
  EXPECT_EQ(settings.endpoint->value.ToText(), "http://localhost:9000/");
  EXPECT_FALSE(settings.is_tls);
  InFile("fs.s3a.connection.ssl.enabled", "true");
  ASSERT_ASSIGN(settings, Resolve());
  EXPECT_EQ(settings.endpoint->value.ToText(), "https://localhost:9000/");
  for (const char* wrong : {"http//x", "http://", "ftp://x", "http://h:port", "http://h/path"}) {
    InFile("s3.endpoint", wrong);
    EXPECT_THAT(ErrorOf(), HasSubstr("The S3 endpoint '" + std::string(wrong) + "' (from conf/"));
  }
  InFile("s3.endpoint", "http://me:hush@h");
  EXPECT_THAT(ErrorOf(), Not(HasSubstr("hush")));
}

TEST_F(S3SettingsTest, RegionsOfAmazonsHosts) {
  EXPECT_EQ(RegionOfAmazonHost("s3.amazonaws.com"), "us-east-1");
  EXPECT_EQ(RegionOfAmazonHost("s3.eu-west-1.amazonaws.com"), "eu-west-1");
  EXPECT_EQ(RegionOfAmazonHost("s3.dualstack.eu-west-1.amazonaws.com"), "eu-west-1");
  EXPECT_EQ(RegionOfAmazonHost("s3-ap-south-1.amazonaws.com"), "ap-south-1");
  EXPECT_EQ(RegionOfAmazonHost("s3.cn-north-1.amazonaws.com.cn"), "cn-north-1");
  EXPECT_EQ(RegionOfAmazonHost("bucket.vpce-1-2.s3.us-west-2.vpce.amazonaws.com"), "us-west-2");
  EXPECT_EQ(RegionOfAmazonHost("s3-accelerate.amazonaws.com"), "");
  EXPECT_EQ(RegionOfAmazonHost("amazonaws.com.example"), std::nullopt);
  EXPECT_EQ(RegionOfAmazonHost("localhost"), std::nullopt);
  InFile("fs.s3a.endpoint", "s3.eu-central-1.amazonaws.com");
  ASSERT_ASSIGN(const S3Settings settings, Resolve());
  EXPECT_EQ(settings.region.value, "eu-central-1");
  EXPECT_FALSE(settings.path_style.value);
}

TEST_F(S3SettingsTest, OneBudgetOfTries) {
  InFile("fs.s3a.attempts.maximum", "3");
  ASSERT_ASSIGN(S3Settings settings, Resolve());
  EXPECT_EQ(settings.retries.attempts_max, 3);
  InFile("fs.s3a.retry.limit", "7");
  ASSERT_ASSIGN(settings, Resolve());
  EXPECT_EQ(settings.retries.attempts_max, 8);
  InFile("fs.s3a.attempts.maximum", "0");
  EXPECT_THAT(ErrorOf(), HasSubstr("'0' is less than 1 (from conf/config.yaml line 3)"));
  InFile("fs.s3a.attempts.maximum", "often");
  EXPECT_THAT(ErrorOf(), HasSubstr("'often' is not a whole number (from conf/config.yaml line 4)"));
}

TEST_F(S3SettingsTest, HadoopsUnits) {
  InFile("fs.s3a.multipart.size", "64M");
  InFile("fs.s3a.connection.timeout", "200000");
  InFile("fs.s3a.connection.establish.timeout", "30s");
  InFile("fs.s3a.proxy.host", "proxy");
  InFile("fs.s3a.proxy.port", "3128");
  InFile("fs.s3a.proxy.username", "me");
  InFile("fs.s3a.proxy.password", "hush");
  ASSERT_ASSIGN(const S3Settings settings, Resolve());
  EXPECT_EQ(settings.transfer.part_bytes, 64 << 20);
  EXPECT_EQ(settings.http.stall_timeout_ms, 200'000);
  EXPECT_EQ(settings.http.connect_timeout_ms, 30'000);
  EXPECT_EQ(settings.http.proxy_url, "http://proxy:3128");
  EXPECT_EQ(settings.http.proxy_user_name, "me");
  InFile("fs.s3a.multipart.size", "1M");
  EXPECT_THAT(ErrorOf(), HasSubstr("'1M' is less than"));
}

TEST_F(S3SettingsTest, RolesOfHadoopAndFlink) {
  InFile("s3.assume-role.arn", "arn:r");
  InFile("s3.assume-role.external-id", "x");
  InFile("s3.assume-role.session-duration", "900");
  InFile("fs.s3a.aws.credentials.provider",
         " org.apache.hadoop.fs.s3a.SimpleAWSCredentialsProvider,\n  b.Other ");
  ASSERT_ASSIGN(S3Settings settings, Resolve());
  ASSERT_TRUE(settings.credentials.role.has_value());
  EXPECT_EQ(settings.credentials.role->arn, "arn:r");
  EXPECT_EQ(settings.credentials.role->external_id, "x");
  EXPECT_EQ(settings.credentials.role->duration_s, 900);
  EXPECT_EQ(settings.credentials.role->session_name, "lakeward");
  EXPECT_THAT(settings.credentials.provider_names,
              ElementsAre("org.apache.hadoop.fs.s3a.SimpleAWSCredentialsProvider", "b.Other"));
  EXPECT_EQ(settings.credentials.provider_names_origin, "conf/config.yaml line 4");
  InFile("s3.assume-role.session-duration", "30 min");
  ASSERT_ASSIGN(settings, Resolve());
  EXPECT_EQ(settings.credentials.role->duration_s, 1'800);
}

TEST_F(S3SettingsTest, EncryptionAndOtherFieldsOfObjects) {
  InFile("s3.sse.type", "sse-kms");
  InFile("s3.sse.kms.key-id", "alias/k");
  InFile("s3.sse.kms.encryption-context", "\"aws:s3:arn\":\"arn:x\",b:c");
  InFile("fs.s3a.acl.default", "BucketOwnerFullControl");
  InFile("fs.s3a.requester.pays.enabled", "true");
  InFile("fs.s3a.create.storage.class", "standard_ia");
  ASSERT_ASSIGN(S3Settings settings, Resolve());
  const net::HttpHeaders& create = settings.create_headers;
  EXPECT_EQ(create.Get("x-amz-server-side-encryption"), "aws:kms");
  EXPECT_EQ(create.Get("x-amz-server-side-encryption-aws-kms-key-id"), "alias/k");
  // base64 of {"aws:s3:arn":"arn:x","b":"c"}
  EXPECT_EQ(create.Get("x-amz-server-side-encryption-context"),
            "eyJhd3M6czM6YXJuIjoiYXJuOngiLCJiIjoiYyJ9");
  EXPECT_EQ(create.Get("x-amz-acl"), "bucket-owner-full-control");
  EXPECT_EQ(create.Get("x-amz-storage-class"), "STANDARD_IA");
  EXPECT_EQ(settings.request_headers.Get("x-amz-request-payer"), "requester");

  configuration_ = {};
  InFile("fs.s3a.encryption.algorithm", "SSE-C");
  InFile("fs.s3a.encryption.key", "MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=");
  ASSERT_ASSIGN(settings, Resolve());
  // md5 of "01234567890123456789012345678901", base64
  EXPECT_EQ(settings.data_headers.Get("x-amz-server-side-encryption-customer-key-MD5"),
            "KYvwGXoFFJ42a2u2GDWhwQ==");
  InFile("fs.s3a.encryption.key", "short");
  EXPECT_THAT(ErrorOf(), Not(HasSubstr("short")));
  InFile("fs.s3a.encryption.algorithm", "CSE-KMS");
  EXPECT_THAT(ErrorOf(), HasSubstr("'CSE-KMS' is not supported (from conf/config.yaml line"));
}

TEST_F(S3SettingsTest, SettingsThatDoNothingAreNamedOnce) {
  InFile("fs.s3a.path-style", "true");
  InFile("fs.s3a.fast.upload.buffer", "disk");
  InFile("s3.entropy.key", "_entropy_");
  InFile("fs.s3a.bucket.a.b.acces.key", "x");
  InFile("parallelism.default", "1");
  InFile("fs.s3a.aws.region", "eu-west-1");
  configuration_.Set("fs.s3a.acess.key", "x", Level::kSession, "SET");  // told by the statement
  EXPECT_THAT(
      S3SettingNotices(configuration_),
      ElementsAre(
          "'fs.s3a.aws.region' (conf/config.yaml line 6) is no known setting of S3. Did you "
          "mean 'fs.s3a.region'?",
          "'fs.s3a.bucket.a.b.acces.key' (conf/config.yaml line 4) is no known setting of "
          "S3. Did you mean 'fs.s3a.bucket.a.b.access.key'?",
          "'fs.s3a.fast.upload.buffer' (conf/config.yaml line 2) has no effect in Lakeward",
          "'fs.s3a.path-style' (conf/config.yaml line 1) is no known setting of S3. Did "
          "you mean 'fs.s3a.path.style.access'?",
          "'s3.entropy.key' (conf/config.yaml line 3) has no effect in Lakeward"));
}

TEST_F(S3SettingsTest, FingerprintsTellApartWithoutShowing) {
  InFile("fs.s3a.access.key", "me");
  InFile("fs.s3a.secret.key", "hush");
  ASSERT_ASSIGN(const S3Settings first, Resolve());
  ASSERT_ASSIGN(const S3Settings same, Resolve());
  EXPECT_EQ(first.fingerprint, same.fingerprint);
  configuration_.Set("fs.s3a.secret.key", "other", Level::kFile, "conf/config.yaml line 2");
  ASSERT_ASSIGN(const S3Settings other, Resolve());
  EXPECT_NE(first.fingerprint, other.fingerprint);
  EXPECT_EQ(first.fingerprint.find("hush"), std::string::npos);
}

}  // namespace
}  // namespace lakeward::fs
