#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "gtest/gtest.h"
#include "lakeward/fs/s3/s3_model_testing.h"
#include "support/manual_clock.h"
#include "support/status_matchers.h"

namespace lakeward::fs {

/// A client, a store in memory and a clock that the test moves; what goes wrong next is scripted.
class S3ClientTest : public ::testing::Test {
 protected:
  using Fault = std::function<net::HttpOutcome(const net::HttpRequest&, const S3Model::Serve&)>;

  S3ClientTest() : model_("bucket", &clock_) {
    model_.interceptor = [this](const net::HttpRequest& request, const S3Model::Serve& serve) {
      ++requests_;
      if (faults_.empty()) {
        return serve(request);
      }
      const Fault fault = std::move(faults_.front());
      faults_.pop_front();
      return fault(request, serve);
    };
  }

  S3Client& client() {
    if (client_ == nullptr) {
      client_ = MakeModelClient(&model_, settings_, &clock_, credentials_);
    }
    return *client_;
  }

  /// Lets one request succeed, so that this is no first contact any more.
  void MakeContact() {
    model_.PutObject("contact", "x");
    ASSERT_STATUS_OK(client().Head("contact").status());
    requests_ = 0;
    clock_.Advance(1);
    start_us_ = clock_.slept_us();
  }

  /// The next `count` requests meet this instead of the store.
  void Next(const net::HttpOutcome& outcome, int count = 1) {
    for (int i = 0; i < count; ++i) {
      faults_.push_back(
          [outcome](const net::HttpRequest&, const S3Model::Serve&) { return outcome; });
    }
  }
  /// The next request is carried out, but its answer does not come.
  void LoseNextAnswer() {
    faults_.push_back([](const net::HttpRequest& request, const S3Model::Serve& serve) {
      serve(request);
      return net::HttpOutcome::OfFailure(net::HttpFailureKind::kReset, "reset by peer", true);
    });
  }
  void PassNext() {
    faults_.push_back([](const net::HttpRequest& request, const S3Model::Serve& serve) {
      return serve(request);
    });
  }

  static net::HttpOutcome Broken(net::HttpFailureKind kind) {
    return net::HttpOutcome::OfFailure(kind, "libcurl's words",
                                       kind == net::HttpFailureKind::kReset);
  }

  int64_t paused_us() const { return clock_.slept_us() - start_us_; }

  test::ManualClock clock_{1'767'225'600'000'000};  // 2026-01-01T00:00:00Z
  S3Model model_;
  S3Settings settings_ = ModelSettings("bucket");
  std::shared_ptr<aws::CredentialSource> credentials_;
  std::shared_ptr<S3Client> client_;
  std::deque<Fault> faults_;
  int requests_ = 0;
  int64_t start_us_ = 0;
};

}  // namespace lakeward::fs
