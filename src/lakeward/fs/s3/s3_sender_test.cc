#include <algorithm>
#include <string>
#include <vector>

#include "fmt/format.h"
#include "gmock/gmock.h"
#include "lakeward/base/executor.h"
#include "lakeward/base/work_context.h"
#include "lakeward/fs/s3/s3_client_fixture.h"

namespace lakeward::fs {
namespace {

using net::HttpFailureKind;
using net::HttpOutcome;
using net::HttpRequest;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::Not;

TEST_F(S3ClientTest, PassingTroubleIsTriedAgain) {
  model_.PutObject("k", "bytes");
  MakeContact();
  for (const HttpOutcome& trouble :
       {S3ErrorAnswer(500, "InternalError"), S3ErrorAnswer(503, "SlowDown"), HttpOutcome::Of(502),
        HttpOutcome::Of(503), HttpOutcome::Of(429), S3ErrorAnswer(400, "RequestTimeout"),
        Broken(HttpFailureKind::kReset), Broken(HttpFailureKind::kStalled),
        Broken(HttpFailureKind::kCutBody), Broken(HttpFailureKind::kRefused),
        Broken(HttpFailureKind::kUnknownHost), Broken(HttpFailureKind::kConnectTimeout)}) {
    Next(trouble, 3);
    ASSERT_ASSIGN(const std::string bytes, client().Get("k"));
    EXPECT_EQ(bytes, "bytes");
  }
}

TEST_F(S3ClientTest, TheBudgetIsOne) {
  MakeContact();
  Next(S3ErrorAnswer(503, "SlowDown"), 100);
  const Status status = client().Get("k").status();
  EXPECT_EQ(KindOf(status), ErrorKind::kThrottled);
  EXPECT_EQ(requests_, 10);
  EXPECT_THAT(status.message(), HasSubstr("SlowDown: said SlowDown (HTTP status 503), request id "
                                          "R1 (tried 10 times)"));
  // 0.1 + 0.2 + 0.4 + … + 6.4 + 10 + 10 s at the most, half of it at the least.
  EXPECT_LE(paused_us(), 32'700'000);
  EXPECT_GE(paused_us(), 16'350'000);
}

TEST_F(S3ClientTest, WrongSetUpsAreToldAtOnce) {
  struct Wrong {
    HttpOutcome outcome;
    ErrorKind kind;
    int requests;
    const char* said;
    const char* remedy;
  };
  for (const Wrong& wrong : {
           Wrong{Broken(HttpFailureKind::kRefused), ErrorKind::kConfig, 2,
                 "nobody listens at http://store.test ('fs.s3a.endpoint' comes from config.yaml "
                 "line 1)",
                 "Start the store there"},
           Wrong{Broken(HttpFailureKind::kUnknownHost), ErrorKind::kConfig, 2,
                 "the host of http://store.test is unknown", "Set 'fs.s3a.endpoint'"},
           Wrong{Broken(HttpFailureKind::kTlsMismatch), ErrorKind::kConfig, 2, "does not speak TLS",
                 "write 'http://'"},
           Wrong{Broken(HttpFailureKind::kNotHttp), ErrorKind::kConfig, 2,
                 "does not answer with HTTP", "write 'https://'"},
           Wrong{Broken(HttpFailureKind::kUntrustedCertificate), ErrorKind::kConfig, 1,
                 "certificate of http://store.test is not trusted", "fs.s3a.ssl.ca.file"},
           Wrong{HttpOutcome::Of(400, "Client sent an HTTP request to an HTTPS server.\n"),
                 ErrorKind::kConfig, 1, "speaks TLS and was asked without", "'https://'"},
           Wrong{S3ErrorAnswer(403, "InvalidAccessKeyId"), ErrorKind::kPermission, 2,
                 "does not know the access key (credentials from config.yaml line 2)",
                 "fs.s3a.access.key"},
           Wrong{S3ErrorAnswer(403, "SignatureDoesNotMatch"), ErrorKind::kPermission, 2,
                 "the secret key does not fit the access key (credentials from config.yaml line 2)",
                 "fs.s3a.secret.key"},
           Wrong{S3ErrorAnswer(403, "AccessDenied"), ErrorKind::kPermission, 2,
                 "the store refused (credentials from config.yaml line 2): AccessDenied",
                 "granted"},
           Wrong{S3ErrorAnswer(404, "NoSuchBucket"), ErrorKind::kConfig, 2,
                 "the store at http://store.test has no bucket 'bucket'", "Create the bucket"},
       }) {
    SCOPED_TRACE(wrong.said);
    client_ = nullptr;
    faults_.clear();
    requests_ = 0;
    start_us_ = clock_.slept_us();
    Next(wrong.outcome, 100);
    const Status status = client().Get("k").status();
    EXPECT_EQ(KindOf(status), wrong.kind);
    EXPECT_EQ(requests_, wrong.requests);
    EXPECT_LE(paused_us(), 3'000'000);
    EXPECT_THAT(status.message(), HasSubstr(std::string("Cannot read s3://bucket/k: ")));
    EXPECT_THAT(status.message(), HasSubstr(wrong.said));
    EXPECT_THAT(HintOf(status), HasSubstr(wrong.remedy));
    EXPECT_THAT(Describe(status), Not(HasSubstr("hush")));
  }
}

// Between two tries the job may have asked for much else.
TEST_F(S3ClientTest, ErrorsEndWithTheLastRequestsOfTheJob) {
  MakeContact();
  const auto requests = std::make_shared<RequestJournal>();
  const ScopedWorkContext context({"j", "t (1/2)", requests});
  const auto others = std::make_shared<RequestJournal>();
  for (int i = 0; i < 2; ++i) {
    faults_.push_back([this, requests, others](const HttpRequest&, const S3Model::Serve&) {
      for (int k = 0; k < 30; ++k) {
        requests->Add({.place = "bucket", .line = {clock_.NowMicros(), "of the job"}});
        others->Add({.place = "bucket", .line = {clock_.NowMicros(), "of a job of the same name"}});
      }
      clock_.Advance(1'500'000);
      return S3ErrorAnswer(403, "AccessDenied");
    });
  }
  const std::string hint = HintOf(client().Put("k", "bytes"));
  const std::string of_job = "( 00:00:0[0-9][.][0-9]{3}Z of the job\n ){8}";
  const auto own = [](int number) {
    return fmt::format(
        " 00:00:0[0-9][.][0-9]{{3}}Z #2 PUT s3://bucket/k try {}: 403 in 1500 ms, 5 bytes up, "
        "[0-9]+ down [[]job j, task t [(]1/2[)], thread [^\n]*]",
        number);
  };
  EXPECT_THAT(hint, MatchesRegex("Have this right granted [^\n]*\nThe last requests:\n " + own(1) +
                                 "\n " + of_job + own(2)));
  EXPECT_EQ(std::count(hint.begin(), hint.end(), '\n'), 11);
}

// A HEAD names a length and moves nothing; what goes to the caller piece by piece counts too.
TEST_F(S3ClientTest, LinesTellTheBytesThatWereMoved) {
  model_.PutObject("k", "0123456789");
  const auto requests = std::make_shared<RequestJournal>();
  const ScopedWorkContext context({"j", "t", requests});
  char target[4];
  ASSERT_STATUS_OK(client().Head("k").status());
  ASSERT_STATUS_OK(client().GetRange("k", "", 3, 4, target));
  ASSERT_STATUS_OK(client().Put("k", "12345"));
  std::vector<std::string> lines;
  for (const RequestLine& line : requests->LastLines()) {
    lines.push_back(line.text);
  }
  EXPECT_THAT(lines, ElementsAre(HasSubstr(" 0 bytes up, 0 down"), HasSubstr(" 0 bytes up, 4 down"),
                                 HasSubstr(" 5 bytes up, 0 down")));
}

TEST_F(S3ClientTest, TheJournalKnowsWhereSomethingMayHaveBegun) {
  const auto asked = [this](const HttpOutcome& outcome, auto ask) {
    const auto requests = std::make_shared<RequestJournal>();
    const ScopedWorkContext context({"j", "t", requests});
    client_ = nullptr;
    faults_.clear();
    Next(outcome, 100);
    (void)ask();
    return requests->MayHoldAnything("bucket");
  };
  const auto put = [this] { return client().Put("k", "x"); };
  const auto get = [this] { return client().Get("k").status(); };
  EXPECT_FALSE(asked(Broken(HttpFailureKind::kRefused), put));
  EXPECT_FALSE(asked(Broken(HttpFailureKind::kReset), put)) << "it never answered";
  EXPECT_FALSE(asked(S3ErrorAnswer(403, "AccessDenied"), put));
  EXPECT_TRUE(asked(S3ErrorAnswer(500, "InternalError"), put));
  EXPECT_TRUE(asked(HttpOutcome::Of(200), put));
  EXPECT_FALSE(asked(S3ErrorAnswer(500, "InternalError"), get));
  EXPECT_FALSE(asked(HttpOutcome::Of(200, "x"), get)) << "to read begins nothing";
}

// A right that is missing is told soon at any time; a key that does not exist is an answer.
TEST_F(S3ClientTest, RefusalsAreFinalAfterContactToo) {
  MakeContact();
  Next(S3ErrorAnswer(403, "AccessDenied"), 100);
  EXPECT_EQ(KindOf(client().Put("k", "x")), ErrorKind::kPermission);
  EXPECT_EQ(requests_, 2);
  faults_.clear();
  requests_ = 0;
  EXPECT_EQ(KindOf(client().Get("missing").status()), ErrorKind::kNotFound);
  EXPECT_EQ(requests_, 1);
}

TEST_F(S3ClientTest, PathStyleOffIsNamed) {
  settings_.path_style = {false, "conf/flink-conf.yaml line 4"};
  Next(Broken(HttpFailureKind::kUnknownHost), 2);
  EXPECT_THAT(HintOf(client().Get("k").status()),
              HasSubstr("Path style is off (conf/flink-conf.yaml line 4), so requests went to the "
                        "host http://bucket.store.test"));
  // What answers there is a list of buckets, or nothing at all.
  Next(HttpOutcome::Of(200, "<ListAllMyBucketsResult/>"));
  Status status = client().List("t/", "", "").status();
  EXPECT_EQ(KindOf(status), ErrorKind::kConfig);
  EXPECT_THAT(status.message(),
              HasSubstr("is no listing of a bucket but <ListAllMyBucketsResult>"));
  EXPECT_THAT(HintOf(status), HasSubstr("Path style is off (conf/flink-conf.yaml line 4)"));
  client_ = nullptr;
  Next(HttpOutcome::Of(503), 100);
  requests_ = 0;
  status = client().List("t/", "", "").status();
  EXPECT_EQ(requests_, 2);
  EXPECT_THAT(HintOf(status), HasSubstr("Path style is off"));
}

class S3RegionTest : public S3ClientTest {
 protected:
  // Amazon's S3, where the bucket lives in eu-west-1.
  S3RegionTest() {
    settings_.endpoint.reset();
    settings_.is_tls = true;
    settings_.path_style.value = false;
    model_.interceptor = [this](const HttpRequest& request, const S3Model::Serve&) {
      urls_.push_back(request.url);
      const bool is_right =
          request.headers.Get("Authorization").find("/eu-west-1/s3/") != std::string::npos;
      return is_right ? HttpOutcome::Of(200, "bytes") : wrong_region_;
    };
  }

  HttpOutcome wrong_region_;
  std::vector<std::string> urls_;
};

TEST_F(S3RegionTest, TheBucketIsFollowed) {
  const net::HttpHeaders header{{"x-amz-bucket-region", "eu-west-1"}};
  for (const HttpOutcome& answer :
       {HttpOutcome::Of(301, "", header), S3ErrorAnswer(301, "PermanentRedirect", "", header),
        S3ErrorAnswer(301, "PermanentRedirect",
                      "<Endpoint>bucket.s3-eu-west-1.amazonaws.com</Endpoint>"),
        S3ErrorAnswer(400, "AuthorizationHeaderMalformed", "<Region>eu-west-1</Region>"),
        HttpOutcome::Of(400, "", header), S3ErrorAnswer(403, "AccessDenied", "", header),
        S3ErrorAnswer(307, "TemporaryRedirect", "<Region>eu-west-1</Region>")}) {
    SCOPED_TRACE(answer.response.body);
    client_ = nullptr;
    urls_.clear();
    wrong_region_ = answer;
    ASSERT_STATUS_OK(client().Get("k").status());
    ASSERT_EQ(urls_.size(), 2U);
    EXPECT_EQ(urls_[0], "https://bucket.s3.us-east-1.amazonaws.com/k");
    EXPECT_EQ(urls_[1], "https://bucket.s3.eu-west-1.amazonaws.com/k");
    ASSERT_STATUS_OK(client().Get("k").status());
    EXPECT_EQ(urls_.size(), 3U) << "the region is remembered";
  }
}

TEST_F(S3RegionTest, ARedirectWithoutAPlaceIsNoSuccess) {
  wrong_region_ = HttpOutcome::Of(301);
  const Status status = client().Put("k", "x");
  EXPECT_EQ(KindOf(status), ErrorKind::kConfig);
  EXPECT_THAT(status.message(), HasSubstr("not in the region 'us-east-1' that was asked"));
  EXPECT_THAT(HintOf(status), HasSubstr("fs.s3a.endpoint.region"));
  EXPECT_EQ(urls_.size(), 1U);
  wrong_region_ = HttpOutcome::Of(301, "", {{"x-amz-bucket-region", "ap-south-1"}});
  const Status second = client().Put("k", "x");
  EXPECT_EQ(KindOf(second), ErrorKind::kConfig) << "a second redirect is final";
  EXPECT_EQ(urls_.size(), 3U);
}

TEST_F(S3RegionTest, ATemporaryRedirectIsFollowed) {
  settings_.region = {"eu-west-1", "AWS_REGION"};
  model_.interceptor = [this](const HttpRequest& request, const S3Model::Serve&) {
    urls_.push_back(request.url);
    return urls_.size() == 1
               ? HttpOutcome::Of(307, "", {{"Location", "https://b.s3-new.amazonaws.com/k?x=1"}})
               : HttpOutcome::Of(200);
  };
  ASSERT_STATUS_OK(client().Put("k", "x"));
  EXPECT_EQ(urls_[1], "https://b.s3-new.amazonaws.com/k?x=1");
}

// Gives "k<n>" at the n-th time.
class CountingProvider final : public aws::CredentialProvider {
 public:
  explicit CountingProvider(int* count) : count_(count) {}
  std::string_view name() const override { return "counting"; }
  aws::ProviderAnswer Ask() override {
    aws::Credentials credentials;
    credentials.access_key_id = "k" + std::to_string(++*count_);
    credentials.secret_access_key = Secret("hush");
    return aws::ProviderAnswer::Found(std::move(credentials));
  }

 private:
  int* const count_;
};

TEST_F(S3ClientTest, ExpiredCredentialsAreRenewedOnce) {
  int asked = 0;
  std::vector<std::unique_ptr<aws::CredentialProvider>> providers;
  providers.push_back(std::make_unique<CountingProvider>(&asked));
  credentials_ = aws::MakeProviderChain(std::move(providers), &clock_);
  model_.PutObject("k", "bytes");
  model_.interceptor = [](const HttpRequest& request, const S3Model::Serve& serve) {
    return request.headers.Get("Authorization").find("Credential=k1/") != std::string::npos
               ? S3ErrorAnswer(400, "ExpiredToken")
               : serve(request);
  };
  ASSERT_STATUS_OK(client().Get("k").status());
  EXPECT_EQ(asked, 2);
  model_.interceptor = [this](const HttpRequest&, const S3Model::Serve&) {
    ++requests_;
    return S3ErrorAnswer(400, "ExpiredToken");
  };
  requests_ = 0;
  const Status status = client().Get("k").status();
  EXPECT_EQ(KindOf(status), ErrorKind::kPermission);
  EXPECT_THAT(status.message(), HasSubstr("the session token has expired"));
  EXPECT_EQ(requests_, 2);
}

TEST_F(S3ClientTest, TheStoresClockIsLearnt) {
  model_.PutObject("k", "bytes");
  std::vector<std::string> dates;
  const HttpOutcome refused =
      S3ErrorAnswer(403, "RequestTimeTooSkewed", "", {{"Date", "Thu, 01 Jan 2026 00:20:00 GMT"}});
  model_.interceptor = [&](const HttpRequest& request, const S3Model::Serve& serve) {
    dates.push_back(request.headers.Get("x-amz-date"));
    return dates.back() < "20260101T001500Z" ? refused : serve(request);
  };
  ASSERT_STATUS_OK(client().Get("k").status());
  ASSERT_STATUS_OK(client().Get("k").status());
  EXPECT_THAT(dates,
              ::testing::ElementsAre("20260101T000000Z", "20260101T002000Z", "20260101T002000Z"));
}

TEST_F(S3ClientTest, RequestsAreSignedWhenTheirTurnComes) {
  settings_.transfer.requests_max = 1;
  model_.PutObject("k", "bytes");
  std::vector<std::string> dates;
  model_.interceptor = [&](const HttpRequest& request, const S3Model::Serve& serve) {
    dates.push_back(request.headers.Get("x-amz-date"));
    clock_.Advance(60'000'000);
    return serve(request);
  };
  client();
  std::vector<Thread> threads;
  for (int i = 0; i < 20; ++i) {
    threads.emplace_back("getter", [&] { EXPECT_STATUS_OK(client_->Get("k").status()); });
  }
  threads.clear();
  std::vector<std::string> sorted = dates;
  std::sort(sorted.begin(), sorted.end());
  EXPECT_EQ(dates, sorted);
  EXPECT_EQ(std::unique(sorted.begin(), sorted.end()), sorted.end()) << "signed before the turn";
}

TEST_F(S3ClientTest, SettingsAddTheirFields) {
  settings_.create_headers = {{"x-amz-server-side-encryption", "AES256"}};
  settings_.data_headers = {{"x-amz-server-side-encryption-customer-algorithm", "AES256"}};
  settings_.request_headers = {{"x-amz-request-payer", "requester"}};
  std::vector<net::HttpHeaders> seen;
  model_.interceptor = [&](const HttpRequest& request, const S3Model::Serve& serve) {
    seen.push_back(request.headers);
    return serve(request);
  };
  ASSERT_STATUS_OK(client().Put("k", "x"));
  ASSERT_STATUS_OK(client().Get("k").status());
  ASSERT_STATUS_OK(client().Delete("k"));
  EXPECT_NE(seen[0].Find("x-amz-server-side-encryption"), nullptr);
  EXPECT_EQ(seen[1].Find("x-amz-server-side-encryption"), nullptr);
  EXPECT_NE(seen[1].Find("x-amz-server-side-encryption-customer-algorithm"), nullptr);
  EXPECT_EQ(seen[2].Find("x-amz-server-side-encryption-customer-algorithm"), nullptr);
  for (const net::HttpHeaders& headers : seen) {
    EXPECT_EQ(headers.Get("x-amz-request-payer"), "requester");
    EXPECT_EQ(headers.Find("Expect"), nullptr);
    EXPECT_THAT(headers.Get("Authorization"), HasSubstr("x-amz-request-payer"));
  }
}

}  // namespace
}  // namespace lakeward::fs
