#include "lakeward/aws/request_signing.h"

#include <algorithm>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "lakeward/net/url.h"

namespace lakeward::aws {
namespace {

using net::HttpHeaders;
using net::HttpMethod;
using net::HttpRequest;

// 2015-08-30T12:36:00Z and 2013-05-24T00:00:00Z.
constexpr int64_t kSuiteTimeUs = 1'440'938'160'000'000;
constexpr int64_t kS3TimeUs = 1'369'353'600'000'000;

Credentials SuiteCredentials(std::string token = "") {
  return {.access_key_id = "AKIDEXAMPLE",
          .secret_access_key = Secret("wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"),
          .session_token = Secret(std::move(token))};
}

// A case of AWS' signing test suite, version 4 (aws-c-auth, tests/aws-signing-test-suite/v4).
struct SuiteCase {
  const char* name;
  HttpMethod method;
  std::string path_and_query;
  HttpHeaders headers;
  const char* body;
  const char* signed_headers;
  const char* signature;
  const char* token = "";
};

const std::vector<SuiteCase>& SuiteCases() {
  static const std::string letters =
      "-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  static const std::vector<SuiteCase> cases{
      {"get-vanilla-empty-query-key",
       HttpMethod::kGet,
       "/?Param1=value1",
       {},
       "",
       "host;x-amz-date",
       "a67d582fa61cc504c4bae71f336f98b97f1ea3c7a6bfe1b6e45aec72011b9aeb"},
      {"get-vanilla-query-order-key-case",
       HttpMethod::kGet,
       "/?Param2=value2&Param1=value1",
       {},
       "",
       "host;x-amz-date",
       "b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500"},
      {"get-vanilla-query-order-encoded",
       HttpMethod::kGet,
       "/?Param-3=Value3&Param=Value2&%E1%88%B4=Value1",
       {},
       "",
       "host;x-amz-date",
       "371d3713e185cc334048618a97f809c9ffe339c62934c032af5a0e595648fcac"},
      {"get-vanilla-query-unreserved",
       HttpMethod::kGet,
       "/?" + letters + "=" + letters,
       {},
       "",
       "host;x-amz-date",
       "9c3e54bfcdf0b19771a7f523ee5669cdf59bc7cc0884027167c21bb143a40197"},
      {"get-vanilla-utf8-query",
       HttpMethod::kGet,
       "/?%E1%88%B4=bar",
       {},
       "",
       "host;x-amz-date",
       "2cdec8eed098649ff3a119c94853b13c643bcf08f8b0a1d91e12c9027818dd04"},
      {"get-unreserved",
       HttpMethod::kGet,
       "/" + letters,
       {},
       "",
       "host;x-amz-date",
       "07ef7494c76fa4850883e2b006601f940f8a34d404d0cfa977f52a65bbf5f24f"},
      {"get-utf8",
       HttpMethod::kGet,
       "/%E1%88%B4",
       {},
       "",
       "host;x-amz-date",
       "8318018e0b0f223aa2bbf98705b62bb787dc9c0e678f255a891fd03141be5d85"},
      {"get-space-unnormalized",
       HttpMethod::kGet,
       "/example%20space/",
       {},
       "",
       "host;x-amz-date",
       "652487583200325589f1fba4c7e578f72c47cb61beeca81406b39ddec1366741"},
      {"get-slashes-unnormalized",
       HttpMethod::kGet,
       "//example//",
       {},
       "",
       "host;x-amz-date",
       "87cca117541a147f6df867677d98a7d80dff226d2bfca9e4ffa899665623c7e5"},
      {"get-slash-dot-slash-unnormalized",
       HttpMethod::kGet,
       "/./",
       {},
       "",
       "host;x-amz-date",
       "68714168e6557f8f2de0ef956fc24dc2593a4bd2961f8df51898d8a134695145"},
      {"get-header-value-trim",
       HttpMethod::kGet,
       "/",
       {{"My-Header1", " value1"}, {"My-Header2", " \"a   b   c\""}},
       "",
       "host;my-header1;my-header2;x-amz-date",
       "acc3ed3afb60bb290fc8d2dd0098b9911fcaa05412b367055dee359757a9c736"},
      {"get-header-key-duplicate",
       HttpMethod::kGet,
       "/",
       {{"My-Header1", "value2"}, {"My-Header1", "value2"}, {"My-Header1", "value1"}},
       "",
       "host;my-header1;x-amz-date",
       "c9d5ea9f3f72853aea855b47ea873832890dbdd183b4468f858259531a5138ea"},
      {"post-header-key-sort",
       HttpMethod::kPost,
       "/",
       {{"My-Header1", "value1"}},
       "",
       "host;my-header1;x-amz-date",
       "c5410059b04c1ee005303aed430f6e6645f61f4dc9e1461ec8f8916fdf18852c"},
      {"post-vanilla-query",
       HttpMethod::kPost,
       "/?Param1=value1",
       {},
       "",
       "host;x-amz-date",
       "28038455d6de14eafc1f9222cf5aa6f1a96197d7deb8263271d420d138af7f11"},
      {"post-x-www-form-urlencoded",
       HttpMethod::kPost,
       "/",
       {{"Content-Type", "application/x-www-form-urlencoded"},
        {"Content-Length", "13"},
        {"x-amz-content-sha256",
         "9095672bbd1f56dfc5b65f3e153adc8731a4a654192329106275f4c7b24d0b6e"}},
       "Param1=value1",
       "content-length;content-type;host;x-amz-content-sha256;x-amz-date",
       "d3875051da38690788ef43de4db0d8f280229d82040bfac253562e56c3f20e0b"},
      {"get-vanilla-with-session-token",
       HttpMethod::kGet,
       "/",
       {},
       "",
       "host;x-amz-date;x-amz-security-token",
       "07ec1639c89043aa0e3e2de82b96708f198cceab042d4a97044c66dd9f74e7f8",
       "6e86291e8372ff2a2260956d9b8aae1d763fbf315fa00fa31553b73ebf194267"},
      {"post-sts-header-before",
       HttpMethod::kPost,
       "/",
       {},
       "",
       "host;x-amz-date;x-amz-security-token",
       "85d96828115b5dc0cfc3bd16ad9e210dd772bbebba041836c64533a82be05ead",
       "AQoDYXdzEPT//////////wEXAMPLEtc764bNrC9SAPBSM22wDOk4x4HIZ8j4FZTwdQWLWsKWHGBuFqwAeMicRXmxfpS"
       "PfIeoIYRqTflfKD8YUuwthAx7mSEI/qkPpKPi/kMcGdQrmGdeehM4IC1NtBmUpp2wUE8phUZampKsburEDy0KPkyQDY"
       "wT7WZ0wq5VSXDvp75YU9HFvlRd8Tx6q6fE8YQcHNVXAkiY9q6d+xo0rKwT38xVqr7ZD0u0iPPkUL64lIZbqBAz+scqK"
       "mlzm8FDrypNC9Yjc8fPOLn9FX9KSYvKTr4rvx3iSIlTJabIQwj2ICCR/oLxBA=="},
  };
  return cases;
}

TEST(RequestSigningTest, AgreesWithTheSuite) {
  for (const SuiteCase& suite_case : SuiteCases()) {
    SCOPED_TRACE(suite_case.name);
    HttpRequest request;
    request.method = suite_case.method;
    request.url = "https://example.amazonaws.com" + suite_case.path_and_query;
    request.headers = suite_case.headers;
    SignRequest(SuiteCredentials(suite_case.token), {"us-east-1", "service", kSuiteTimeUs},
                PayloadHash(suite_case.body), &request);
    EXPECT_EQ(request.headers.Get("authorization"),
              std::string("AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/"
                          "aws4_request, SignedHeaders=") +
                  suite_case.signed_headers + ", Signature=" + suite_case.signature);
    EXPECT_EQ(request.headers.Get("x-amz-date"), "20150830T123600Z");
    EXPECT_EQ(request.headers.Get("x-amz-security-token"), suite_case.token);
  }
}

// The examples of "Signature Calculations for the Authorization Header" in the S3 reference.
TEST(RequestSigningTest, AgreesWithTheExamplesOfS3) {
  const Credentials credentials{
      .access_key_id = "AKIAIOSFODNN7EXAMPLE",
      .secret_access_key = Secret("wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY")};
  const auto sign = [&](HttpMethod method, const std::string& path_and_query, HttpHeaders headers,
                        std::string_view body) {
    HttpRequest request;
    request.method = method;
    request.url = "https://examplebucket.s3.amazonaws.com" + path_and_query;
    request.headers = std::move(headers);
    SignRequest(credentials, {"us-east-1", "s3", kS3TimeUs}, PayloadHash(body), &request);
    const std::string authorization = request.headers.Get("authorization");
    return authorization.substr(authorization.find("SignedHeaders="));
  };
  EXPECT_EQ(sign(HttpMethod::kGet, "/test.txt", {{"Range", "bytes=0-9"}}, ""),
            "SignedHeaders=host;range;x-amz-content-sha256;x-amz-date, Signature="
            "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41");
  EXPECT_EQ(sign(HttpMethod::kPut, "/test%24file.text",
                 {{"Date", "Fri, 24 May 2013 00:00:00 GMT"},
                  {"x-amz-storage-class", "REDUCED_REDUNDANCY"}},
                 "Welcome to Amazon S3."),
            "SignedHeaders=date;host;x-amz-content-sha256;x-amz-date;x-amz-storage-class, "
            "Signature=98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd");
  EXPECT_EQ(sign(HttpMethod::kGet, "/?lifecycle", {}, ""),
            "SignedHeaders=host;x-amz-content-sha256;x-amz-date, Signature="
            "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543");
  EXPECT_EQ(sign(HttpMethod::kGet, "/?max-keys=2&prefix=J", {}, ""),
            "SignedHeaders=host;x-amz-content-sha256;x-amz-date, Signature="
            "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7");
}

TEST(RequestSigningTest, SigningAgainReplaces) {
  HttpRequest request;
  request.url = "http://h:9000/b/k";
  request.headers = {{"User-Agent", "lakeward"}};
  SignRequest(SuiteCredentials("token"), {"us-east-1", "s3", kS3TimeUs}, kUnsignedPayload,
              &request);
  EXPECT_EQ(request.headers.Get("x-amz-content-sha256"), "UNSIGNED-PAYLOAD");
  SignRequest(SuiteCredentials(), {"us-east-1", "s3", kSuiteTimeUs}, kUnsignedPayload, &request);
  HttpRequest fresh;
  fresh.url = request.url;
  fresh.headers = {{"User-Agent", "lakeward"}};
  SignRequest(SuiteCredentials(), {"us-east-1", "s3", kSuiteTimeUs}, kUnsignedPayload, &fresh);
  EXPECT_TRUE(std::equal(request.headers.begin(), request.headers.end(), fresh.headers.begin(),
                         fresh.headers.end()));
}

TEST(RequestSigningTest, AnonymousRequestsStayAsTheyAre) {
  HttpRequest request;
  request.url = "http://h/b";
  SignRequest(Credentials{}, {"us-east-1", "s3", kS3TimeUs}, kUnsignedPayload, &request);
  EXPECT_TRUE(request.headers.begin() == request.headers.end());
}

}  // namespace
}  // namespace lakeward::aws
