#include "lakeward/fs/faulty.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "lakeward/fs/memory.h"
#include "support/status_matchers.h"

namespace lakeward::fs {
namespace {

class ManualClock final : public Clock {
 public:
  int64_t NowMicros() const override { return now_us_; }
  int64_t MonotonicMicros() const override { return now_us_; }
  void SleepForMicros(int64_t duration_us) override { now_us_ += duration_us; }

 private:
  int64_t now_us_ = 0;
};

class FaultyFileSystemTest : public ::testing::Test {
 protected:
  ManualClock clock_;
  const std::shared_ptr<FileSystem> inner_ = MakeMemoryFileSystem();
  const std::shared_ptr<FaultPlan> plan_ = std::make_shared<FaultPlan>();
  const std::shared_ptr<FileSystem> faulty_ = MakeFaultyFileSystem(inner_, plan_, &clock_);
};

TEST_F(FaultyFileSystemTest, StrikesTheNthCallOnMatchingPaths) {
  plan_->Add({.operation = Operation::kPut, .path_part = "_log", .first = 2, .last = 2});
  EXPECT_STATUS_OK(faulty_->Put("/data", "x", {}));
  EXPECT_STATUS_OK(faulty_->Put("/_log/0", "x", {}));
  const Status status = faulty_->Put("/_log/1", "x", {});
  EXPECT_EQ(KindOf(status), ErrorKind::kIo);
  EXPECT_EQ(status.message(), "Cannot write /_log/1: Input/output error");
  EXPECT_EQ(KindOf(inner_->Stat("/_log/1").status()), ErrorKind::kNotFound);
  EXPECT_STATUS_OK(faulty_->Put("/_log/1", "x", {}));
  EXPECT_EQ(plan_->strike_count(), 1);
}

TEST_F(FaultyFileSystemTest, ALostAnswerHasDoneItsWork) {
  plan_->Add({.operation = Operation::kPut, .fault = Fault::kFailAfter});
  EXPECT_EQ(KindOf(faulty_->Put("/f", "x", {.if_absent = true})), ErrorKind::kIo);
  EXPECT_EQ(KindOf(faulty_->Put("/f", "x", {.if_absent = true})), ErrorKind::kAlreadyExists);
  ASSERT_ASSIGN(const std::string text, inner_->ReadAll("/f"));
  EXPECT_EQ(text, "x");
}

TEST_F(FaultyFileSystemTest, EachFaultHasItsKindAndText) {
  const auto strike = [&](Fault fault) {
    plan_->Clear();
    plan_->Add({.operation = Operation::kPut, .fault = fault});
    return faulty_->Put("/f", "x", {});
  };
  const Status denied = strike(Fault::kPermission);
  EXPECT_EQ(KindOf(denied), ErrorKind::kPermission);
  EXPECT_EQ(denied.message(), "Cannot write /f: Permission denied");
  const Status full = strike(Fault::kDiskFull);
  EXPECT_EQ(KindOf(full), ErrorKind::kIo);
  EXPECT_EQ(full.message(), "Cannot write /f: No space left on device");
  EXPECT_EQ(HintOf(full), "The disk is full: free space on it or choose a path on another disk.");
  EXPECT_EQ(KindOf(strike(Fault::kThrottle)), ErrorKind::kThrottled);
  EXPECT_EQ(KindOf(strike(Fault::kAlreadyExists)), ErrorKind::kAlreadyExists);
  EXPECT_EQ(KindOf(inner_->Stat("/f").status()), ErrorKind::kNotFound);
}

TEST_F(FaultyFileSystemTest, DelaysByItsClock) {
  plan_->Add({.fault = Fault::kDelay, .amount = 250});
  EXPECT_STATUS_OK(faulty_->Put("/f", "x", {}));
  EXPECT_EQ(clock_.NowMicros(), 250'000);
}

TEST_F(FaultyFileSystemTest, CutsReads) {
  ASSERT_STATUS_OK(inner_->Put("/f", "0123456789", {}));
  plan_->Add({.operation = Operation::kRead, .fault = Fault::kCutRead, .amount = 3});
  plan_->Add({.operation = Operation::kRead, .first = 2, .last = 2, .fault = Fault::kCutRead});
  ASSERT_ASSIGN(const auto file, faulty_->OpenInput("/f"));
  ASSERT_ASSIGN(const auto three, file->ReadAt(0, 10));
  EXPECT_EQ(three->ToString(), "012");
  ASSERT_ASSIGN(const auto half, file->ReadAt(0, 10));
  EXPECT_EQ(half->ToString(), "01234");
  ASSERT_ASSIGN(const auto whole, file->ReadAt(0, 10));
  EXPECT_EQ(whole->ToString(), "0123456789");

  plan_->Clear();
  plan_->Add({.operation = Operation::kRead, .fault = Fault::kCutRead, .amount = 4});
  EXPECT_EQ(faulty_->ReadAll("/f").status().message(),
            "Cannot read /f: it ended after 4 of 10 bytes");
}

TEST_F(FaultyFileSystemTest, ShortensListings) {
  for (const char* path : {"/l/1", "/l/2", "/l/3"}) {
    ASSERT_STATUS_OK(inner_->Put(path, "x", {}));
  }
  plan_->Add({.operation = Operation::kList, .fault = Fault::kShortList});
  plan_->Add({.operation = Operation::kList,
              .first = 2,
              .last = 2,
              .fault = Fault::kShortList,
              .amount = 9});
  ASSERT_ASSIGN(const auto two, faulty_->List("/l"));
  EXPECT_EQ(two.size(), 2U);
  ASSERT_ASSIGN(const auto none, faulty_->ListDirectly("/l", ""));
  EXPECT_EQ(none.size(), 0U);
  ASSERT_ASSIGN(const auto all, faulty_->List("/l"));
  EXPECT_EQ(all.size(), 3U);
}

TEST_F(FaultyFileSystemTest, MakesHolesInListings) {
  for (const char* path : {"/l/1", "/l/2", "/l/3"}) {
    ASSERT_STATUS_OK(inner_->Put(path, "x", {}));
  }
  plan_->Add({.operation = Operation::kList, .fault = Fault::kHoleInList});
  ASSERT_ASSIGN(const auto files, faulty_->List("/l"));
  ASSERT_EQ(files.size(), 2U);
  EXPECT_EQ(files[0].path, "/l/1");
  EXPECT_EQ(files[1].path, "/l/3");
}

TEST_F(FaultyFileSystemTest, FailsTheStepsOfAnOutputFile) {
  plan_->Add({.operation = Operation::kOpenOutput});
  EXPECT_FALSE(faulty_->OpenOutput("/f", {}).ok());
  plan_->Add({.operation = Operation::kWrite, .first = 2, .last = 2, .fault = Fault::kDiskFull});
  plan_->Add({.operation = Operation::kClose, .fault = Fault::kDiskFull});
  ASSERT_ASSIGN(const auto file, faulty_->OpenOutput("/f", {}));
  EXPECT_STATUS_OK(file->Write("x"));
  EXPECT_THAT(file->Write("y").message(), ::testing::HasSubstr("No space left on device"));
  EXPECT_FALSE(file->Close().ok());
  EXPECT_TRUE(file->closed());
  EXPECT_EQ(KindOf(inner_->Stat("/f").status()), ErrorKind::kNotFound);
}

TEST_F(FaultyFileSystemTest, FailsTheStepsOfAStagedFile) {
  ASSERT_ASSIGN(auto file, faulty_->OpenStaged("/f"));
  plan_->Add({.operation = Operation::kStage, .fault = Fault::kFail});
  EXPECT_FALSE(file->Stage().ok());
  ASSERT_ASSIGN(file, faulty_->OpenStaged("/f"));
  ASSERT_ASSIGN(const std::string token, file->Stage());
  plan_->Add({.operation = Operation::kPublish, .path_part = "/f", .fault = Fault::kFailAfter});
  EXPECT_FALSE(faulty_->Publish(token).ok());
  EXPECT_STATUS_OK(faulty_->Publish(token));
  plan_->Add({.operation = Operation::kDiscard});
  EXPECT_FALSE(faulty_->Discard(token).ok());
}

TEST(FaultPlanTest, ReadsRulesFromText) {
  ASSERT_ASSIGN(
      const auto plan,
      FaultPlan::Parse("put:_delta_log:2:disk-full,read:a:b:3+:cut-read=100,*::*:delay=5"));
  EXPECT_EQ(plan->Strike(Operation::kPut, "/_delta_log/0")->fault, Fault::kDelay);
  EXPECT_EQ(plan->Strike(Operation::kPut, "/_delta_log/1")->fault, Fault::kDiskFull);
  for (int call = 1; call <= 4; ++call) {
    const auto struck = plan->Strike(Operation::kRead, "/a:b");
    ASSERT_TRUE(struck.has_value());
    EXPECT_EQ(struck->fault, call < 3 ? Fault::kDelay : Fault::kCutRead);
    EXPECT_EQ(struck->amount, call < 3 ? 5 : 100);
  }
  ASSERT_ASSIGN(const auto empty, FaultPlan::Parse(""));
  EXPECT_EQ(empty->Strike(Operation::kPut, "/f"), std::nullopt);
}

TEST(FaultPlanTest, RefusesMalformedRules) {
  for (const char* text :
       {"put", "put:x", "put:x:1", ":::", "push:x:1:fail", "put:x:0:fail", "put:x:-1:fail",
        "put:x:1:explode", "put:x:1:delay=soon", "put:x:one:fail", "put:x:+:fail"}) {
    const Status status = FaultPlan::Parse(text).status();
    EXPECT_EQ(KindOf(status), ErrorKind::kConfig) << text;
    EXPECT_THAT(status.message(), ::testing::HasSubstr(text));
  }
}

}  // namespace
}  // namespace lakeward::fs
