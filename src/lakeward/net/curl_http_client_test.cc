#include <algorithm>
#include <atomic>
#include <fstream>
#include <string>
#include <vector>

#include "fmt/format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "lakeward/base/clock.h"
#include "lakeward/base/executor.h"
#include "lakeward/net/http_client.h"
#include "lakeward/net/loopback_server_testing.h"
#include "support/status_matchers.h"
#include "support/temporary_folder.h"

namespace lakeward::net {
namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

// Nothing on this machine's environment may send a loopback request elsewhere.
HttpClientOptions Direct() { return {.proxy_url = ""}; }

HttpRequest Request(std::string url, HttpMethod method = HttpMethod::kGet) {
  HttpRequest request;
  request.method = method;
  request.url = std::move(url);
  return request;
}

// Answers every request on the connection with "200 OK" and the request itself.
void Echo(LoopbackConnection& connection) {
  for (std::string request; !(request = connection.ReadRequest()).empty();) {
    connection.Send(HttpAnswer("200 OK", request, "X-Test: yes\r\n"));
  }
}

TEST(CurlHttpClientTest, SendsWhatItWasTold) {
  LoopbackServer server(Echo);
  const auto client = MakeHttpClient(Direct());
  HttpRequest request = Request(server.url() + "/a/./b//%2B%20c/../d?x=%20&y", HttpMethod::kPut);
  request.headers = {{"x-amz-date", "now"}, {"x-empty", ""}};
  request.body = "body";
  const HttpOutcome outcome = client->Send(request);
  ASSERT_FALSE(outcome.failure.has_value()) << outcome.failure->message;
  EXPECT_EQ(outcome.response.status_code, 200);
  EXPECT_EQ(outcome.response.headers.Get("x-test"), "yes");
  const std::string& sent = outcome.response.body;
  EXPECT_THAT(sent, StartsWith("PUT /a/./b//%2B%20c/../d?x=%20&y HTTP/1.1\r\n"));
  EXPECT_THAT(sent, HasSubstr(fmt::format("\r\nHost: 127.0.0.1:{}\r\n", server.port())));
  EXPECT_THAT(sent, HasSubstr("\r\nx-amz-date: now\r\n"));
  EXPECT_THAT(sent, HasSubstr("\r\nx-empty:\r\n"));
  EXPECT_THAT(sent, HasSubstr("\r\nContent-Length: 4\r\n"));
  EXPECT_THAT(sent, HasSubstr("\r\n\r\nbody"));
  EXPECT_THAT(sent, Not(HasSubstr("Expect")));
  EXPECT_THAT(sent, Not(HasSubstr("chunked")));
  EXPECT_THAT(sent, Not(HasSubstr("Accept")));
}

TEST(CurlHttpClientTest, EveryMethodGoesOut) {
  LoopbackServer server(Echo);
  const auto client = MakeHttpClient(Direct());
  for (const HttpMethod method : {HttpMethod::kGet, HttpMethod::kPut, HttpMethod::kPost,
                                  HttpMethod::kDelete, HttpMethod::kHead}) {
    const HttpOutcome outcome = client->Send(Request(server.url() + "/m", method));
    ASSERT_FALSE(outcome.failure.has_value()) << outcome.failure->message;
    if (method == HttpMethod::kHead) {
      EXPECT_EQ(outcome.response.body, "");
      EXPECT_GT(std::stoi(outcome.response.headers.Get("content-length")), 0);
    } else {
      EXPECT_THAT(outcome.response.body, StartsWith(fmt::format("{} /m HTTP", ToText(method))));
    }
    if (method == HttpMethod::kPut || method == HttpMethod::kPost) {
      EXPECT_THAT(outcome.response.body, HasSubstr("Content-Length: 0\r\n"));
    }
  }
}

TEST(CurlHttpClientTest, OneConnectionServesManyRequests) {
  LoopbackServer server(Echo);
  const auto client = MakeHttpClient(Direct());
  for (int i = 0; i < 20; ++i) {
    EXPECT_EQ(client->Send(Request(server.url() + "/")).response.status_code, 200);
  }
  EXPECT_EQ(server.connection_count(), 1);
}

TEST(CurlHttpClientTest, ManyThreadsShareAClient) {
  LoopbackServer server(Echo);
  const auto client = MakeHttpClient(Direct());
  std::atomic<int> wrong{0};
  std::vector<Thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back("sender", [&, t] {
      for (int i = 0; i < 50; ++i) {
        const std::string path = fmt::format("/{}/{}", t, i);
        const HttpOutcome outcome = client->Send(Request(server.url() + path));
        wrong += outcome.response.body.starts_with("GET " + path + " ") ? 0 : 1;
      }
    });
  }
  threads.clear();
  EXPECT_EQ(wrong, 0);
  EXPECT_LE(server.connection_count(), 8);
}

TEST(CurlHttpClientTest, BodiesAreStreamedBothWays) {
  LoopbackServer server([](LoopbackConnection& connection) {
    const std::string request = connection.ReadRequest();
    connection.Send(HttpAnswer("200 OK", request.substr(request.find("\r\n\r\n") + 4)));
  });
  std::string expected;
  for (int i = 0; expected.size() < 3'000'000; ++i) {
    expected += std::to_string(i) + ";";
  }
  HttpRequest request = Request(server.url() + "/", HttpMethod::kPut);
  size_t done = 0;
  request.body_reader_bytes = std::ssize(expected);
  request.body_reader = [&](char* target, int64_t length) -> Result<int64_t> {
    const size_t count =
        std::min<size_t>({static_cast<size_t>(length), 100'000, expected.size() - done});
    std::copy_n(expected.data() + done, count, target);
    done += count;
    return static_cast<int64_t>(count);
  };
  std::string received;
  request.body_sink = [&](std::string_view piece) {
    received += piece;
    return Status::OK();
  };
  const auto client = MakeHttpClient(Direct());
  const HttpOutcome outcome = client->Send(request);
  ASSERT_FALSE(outcome.failure.has_value()) << outcome.failure->message;
  EXPECT_TRUE(received == expected);
  EXPECT_EQ(outcome.response.body, "");
}

TEST(CurlHttpClientTest, ErrorBodiesDoNotReachTheSink) {
  LoopbackServer server([](LoopbackConnection& connection) {
    connection.ReadRequest();
    connection.Send(HttpAnswer("404 Not Found", "<Error/>"));
  });
  HttpRequest request = Request(server.url() + "/");
  request.body_sink = [](std::string_view) { return Status::Invalid("must not be called"); };
  const HttpOutcome outcome = MakeHttpClient(Direct())->Send(request);
  ASSERT_FALSE(outcome.failure.has_value());
  EXPECT_EQ(outcome.response.status_code, 404);
  EXPECT_EQ(outcome.response.body, "<Error/>");
}

TEST(CurlHttpClientTest, TheCallersErrorsComeBack) {
  LoopbackServer server(Echo);
  const auto client = MakeHttpClient(Direct());
  HttpRequest download = Request(server.url() + "/");
  download.body_sink = [](std::string_view) { return Status::Invalid("full"); };
  HttpOutcome outcome = client->Send(download);
  ASSERT_TRUE(outcome.failure.has_value());
  EXPECT_EQ(outcome.failure->kind, HttpFailureKind::kCaller);
  EXPECT_EQ(FailureStatus(download, *outcome.failure).message(), "full");

  HttpRequest upload = Request(server.url() + "/", HttpMethod::kPut);
  upload.body_reader_bytes = 10;
  upload.body_reader = [](char*, int64_t) -> Result<int64_t> { return Status::Invalid("empty"); };
  outcome = client->Send(upload);
  ASSERT_TRUE(outcome.failure.has_value());
  EXPECT_EQ(outcome.failure->kind, HttpFailureKind::kCaller);
  EXPECT_EQ(outcome.failure->caller_status.message(), "empty");
}

HttpFailure FailureOf(HttpClientOptions options, const HttpRequest& request) {
  const HttpOutcome outcome = MakeHttpClient(std::move(options))->Send(request);
  EXPECT_TRUE(outcome.failure.has_value()) << outcome.response.status_code;
  return outcome.failure.value_or(HttpFailure{});
}

TEST(CurlHttpClientTest, NobodyListens) {
  const HttpFailure failure =
      FailureOf(Direct(), Request(fmt::format("http://127.0.0.1:{}/", UnusedPort())));
  EXPECT_EQ(failure.kind, HttpFailureKind::kRefused);
  EXPECT_FALSE(failure.maybe_processed);
}

TEST(CurlHttpClientTest, NoSuchName) {
  HttpFailure failure = FailureOf(Direct(), Request("http://store.invalid/"));
  EXPECT_EQ(failure.kind, HttpFailureKind::kUnknownHost);
  EXPECT_FALSE(failure.maybe_processed);
  failure = FailureOf({.proxy_url = "http://proxy.invalid:1"}, Request("http://127.0.0.1:1/"));
  EXPECT_EQ(failure.kind, HttpFailureKind::kUnknownHost);
  failure = FailureOf(Direct(), Request("http://a b/"));
  EXPECT_EQ(failure.kind, HttpFailureKind::kMalformedUrl);
}

TEST(CurlHttpClientTest, PlainWhereTlsIsSpokenAndTheReverse) {
  LoopbackServer plain([](LoopbackConnection& connection) {
    connection.ReadSome(1'024);
    connection.Send("HTTP/1.1 400 Bad Request\r\n\r\n");
  });
  HttpFailure failure =
      FailureOf(Direct(), Request(fmt::format("https://127.0.0.1:{}/", plain.port())));
  EXPECT_EQ(failure.kind, HttpFailureKind::kTlsMismatch) << failure.message;
  EXPECT_FALSE(failure.maybe_processed);

  LoopbackServer tls(Echo, LoopbackServer::Security::kTls);
  failure = FailureOf(Direct(), Request(fmt::format("http://127.0.0.1:{}/", tls.port())));
  EXPECT_THAT(failure.kind, AnyOf(HttpFailureKind::kNotHttp, HttpFailureKind::kReset))
      << failure.message;
}

TEST(CurlHttpClientTest, CertificatesNeedAnAuthority) {
  LoopbackServer server(Echo, LoopbackServer::Security::kTls);
  HttpFailure failure = FailureOf(Direct(), Request(server.url() + "/"));
  EXPECT_EQ(failure.kind, HttpFailureKind::kUntrustedCertificate) << failure.message;
  EXPECT_FALSE(failure.maybe_processed);

  const test::TemporaryFolder folder;
  HttpClientOptions options = Direct();
  options.ca_file = folder.path() + "/ca.pem";
  failure = FailureOf(options, Request(server.url() + "/"));
  EXPECT_EQ(failure.kind, HttpFailureKind::kBadCaFile) << failure.message;

  std::ofstream(options.ca_file) << server.certificate();
  const HttpOutcome outcome = MakeHttpClient(options)->Send(Request(server.url() + "/"));
  ASSERT_FALSE(outcome.failure.has_value()) << outcome.failure->message;
  EXPECT_EQ(outcome.response.status_code, 200);
}

TEST(CurlHttpClientTest, SilenceEnds) {
  LoopbackServer server([](LoopbackConnection& connection) {
    connection.ReadRequest();
    connection.AwaitClose();
  });
  HttpRequest request = Request(server.url() + "/", HttpMethod::kPut);
  request.total_timeout_ms = 100;
  HttpFailure failure = FailureOf(Direct(), request);
  EXPECT_EQ(failure.kind, HttpFailureKind::kTotalTimeout);
  EXPECT_TRUE(failure.maybe_processed);

  const int64_t start_us = SystemClock()->MonotonicMicros();
  request.total_timeout_ms = 0;
  request.stall_timeout_ms = 100;
  failure = FailureOf(Direct(), request);
  EXPECT_EQ(failure.kind, HttpFailureKind::kStalled);
  EXPECT_TRUE(failure.maybe_processed);
  EXPECT_LT(SystemClock()->MonotonicMicros() - start_us, 10'000'000);
}

TEST(CurlHttpClientTest, ConnectionsThatEndEarly) {
  LoopbackServer resets([](LoopbackConnection& connection) {
    connection.ReadRequest();
    connection.Reset();
  });
  HttpRequest request = Request(resets.url() + "/", HttpMethod::kPut);
  request.body = "x";
  HttpFailure failure = FailureOf(Direct(), request);
  EXPECT_EQ(failure.kind, HttpFailureKind::kReset) << failure.message;
  EXPECT_TRUE(failure.maybe_processed);

  LoopbackServer cuts([](LoopbackConnection& connection) {
    connection.ReadRequest();
    connection.Send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nonly this");
  });
  std::string received;
  request = Request(cuts.url() + "/");
  request.body_sink = [&](std::string_view piece) {
    received += piece;
    return Status::OK();
  };
  failure = FailureOf(Direct(), request);
  EXPECT_EQ(failure.kind, HttpFailureKind::kCutBody) << failure.message;
  EXPECT_EQ(received, "only this");
}

// A server that answers one request per connection and drops the next one without an answer.
TEST(CurlHttpClientTest, ABodyIsNeverSentTwice) {
  std::atomic<int> requests{0};
  LoopbackServer server([&](LoopbackConnection& connection) {
    if (connection.ReadRequest().empty()) {
      return;
    }
    ++requests;
    connection.Send(HttpAnswer("200 OK", ""));
    requests += connection.ReadRequest().empty() ? 0 : 1;
  });
  const auto client = MakeHttpClient(Direct());
  HttpRequest request = Request(server.url() + "/", HttpMethod::kPut);
  request.body = "x";
  EXPECT_FALSE(client->Send(request).failure.has_value());
  const HttpOutcome second = client->Send(request);
  ASSERT_TRUE(second.failure.has_value());
  EXPECT_EQ(second.failure->kind, HttpFailureKind::kReset) << second.failure->message;
  EXPECT_TRUE(second.failure->maybe_processed);
  EXPECT_EQ(requests, 2);
}

// libcurl would repeat these by itself: a POST begins an upload, and a first one may have been
// begun.
TEST(CurlHttpClientTest, ARequestThatMayHaveBeenDoneIsNotRepeatedUnseen) {
  for (const HttpMethod method : {HttpMethod::kPost, HttpMethod::kGet, HttpMethod::kDelete}) {
    std::atomic<int> requests{0};
    LoopbackServer server([&](LoopbackConnection& connection) {
      for (int i = 0; i < 2; ++i) {
        if (connection.ReadRequest().empty()) {
          return;
        }
        ++requests;
        if (i == 0) {
          connection.Send(HttpAnswer("200 OK", ""));
        }
      }
    });
    const auto client = MakeHttpClient(Direct());
    const HttpRequest request = Request(server.url() + "/", method);
    EXPECT_FALSE(client->Send(request).failure.has_value());
    const HttpOutcome second = client->Send(request);
    ASSERT_TRUE(second.failure.has_value());
    EXPECT_EQ(second.failure->kind, HttpFailureKind::kReset) << second.failure->message;
    EXPECT_TRUE(second.failure->maybe_processed);
    EXPECT_EQ(requests, 2);
    EXPECT_FALSE(client->Send(request).failure.has_value());
  }
}

TEST(CurlHttpClientTest, AProxyGetsTheWholeUrl) {
  LoopbackServer proxy(Echo);
  HttpClientOptions options = {
      .proxy_url = proxy.url(), .proxy_user_name = "user", .proxy_password = Secret("pass")};
  const HttpOutcome outcome =
      MakeHttpClient(options)->Send(Request("http://store.invalid/bucket/key"));
  ASSERT_FALSE(outcome.failure.has_value()) << outcome.failure->message;
  EXPECT_THAT(outcome.response.body, StartsWith("GET http://store.invalid/bucket/key HTTP/1.1"));
  EXPECT_THAT(outcome.response.body, HasSubstr("Proxy-Authorization: Basic dXNlcjpwYXNz\r\n"));
}

}  // namespace
}  // namespace lakeward::net
