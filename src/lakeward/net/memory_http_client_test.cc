#include "lakeward/net/memory_http_client.h"

#include <string>

#include "gtest/gtest.h"

namespace lakeward::net {
namespace {

TEST(MemoryHttpClientTest, StreamsLikeARealClient) {
  MemoryHttpClient client([](const HttpRequest& request) {
    return HttpOutcome::Of(request.url == "http://h/ok" ? 200 : 403, std::string(request.body));
  });
  std::string received;
  HttpRequest request;
  request.method = HttpMethod::kPut;
  request.url = "http://h/ok";
  request.body_reader_bytes = 40'000;
  request.body_reader = [](char* target, int64_t length) -> Result<int64_t> {
    std::fill_n(target, length, 'x');
    return length;
  };
  request.body_sink = [&](std::string_view piece) {
    received += piece;
    return Status::OK();
  };
  EXPECT_EQ(client.Send(request).response.body, "");
  EXPECT_EQ(received, std::string(40'000, 'x'));
  request.url = "http://h/forbidden";
  EXPECT_EQ(client.Send(request).response.body.size(), 40'000U);
}

}  // namespace
}  // namespace lakeward::net
