#include "lakeward/base/status.h"

#include <memory>

#include "gtest/gtest.h"
#include "support/status_matchers.h"

namespace lakeward {
namespace {

Status NotFound() { return MakeError(ErrorKind::kNotFound, "Table 't' is gone", "Create it."); }

Result<int> Doubled(Result<int> number) {
  LW_ASSIGN(const int value, std::move(number));
  return value * 2;
}

TEST(StatusTest, CarriesKindHintAndPosition) {
  const Status status = MakeError(ErrorKind::kSyntax, "unexpected ','", "Remove it.", {{3, 14}});
  EXPECT_FALSE(status.ok());
  EXPECT_EQ(KindOf(status), ErrorKind::kSyntax);
  EXPECT_EQ(HintOf(status), "Remove it.");
  EXPECT_EQ(PositionOf(status), (SqlPosition{3, 14}));
  EXPECT_EQ(Describe(status), "unexpected ','\nRemove it.");
}

TEST(StatusTest, ContextKeepsKindAndHint) {
  const Status status = WithContext(NotFound(), "INSERT INTO t");
  EXPECT_EQ(status.message(), "INSERT INTO t: Table 't' is gone");
  EXPECT_EQ(KindOf(status), ErrorKind::kNotFound);
  EXPECT_EQ(HintOf(status), "Create it.");
  EXPECT_TRUE(WithContext(Status::OK(), "x").ok());
}

TEST(StatusTest, HintIsReplacedButNotErased) {
  EXPECT_EQ(HintOf(WithHint(NotFound(), "Look again.")), "Look again.");
  EXPECT_EQ(HintOf(WithHint(NotFound(), "")), "Create it.");
}

TEST(StatusTest, TheFirstPositionStays) {
  const Status placed = WithPosition(NotFound(), {1, 2});
  EXPECT_EQ(PositionOf(placed), (SqlPosition{1, 2}));
  EXPECT_EQ(PositionOf(WithPosition(placed, {7, 8})), (SqlPosition{1, 2}));
}

TEST(StatusTest, ArrowsOwnErrorsHaveAKind) {
  EXPECT_EQ(KindOf(Status::IOError("x")), ErrorKind::kIo);
  EXPECT_EQ(KindOf(Status::NotImplemented("x")), ErrorKind::kUnsupported);
  EXPECT_EQ(HintOf(Status::IOError("x")), "");
}

TEST(StatusTest, AssignReturnsTheError) {
  ASSERT_ASSIGN(const int value, Doubled(21));
  EXPECT_EQ(value, 42);
  EXPECT_EQ(KindOf(Doubled(NotFound()).status()), ErrorKind::kNotFound);
}

TEST(StatusTest, EveryKindHasATreatment) {
  for (int kind = 0; kind <= static_cast<int>(ErrorKind::kInternal); ++kind) {
    const ErrorTreatment& treatment = TreatmentOf(static_cast<ErrorKind>(kind));
    EXPECT_FALSE(treatment.name.empty());
    EXPECT_GE(treatment.http_status, 400);
  }
  EXPECT_TRUE(TreatmentOf(ErrorKind::kThrottled).retryable);
  EXPECT_FALSE(TreatmentOf(ErrorKind::kPermission).retryable);
}

TEST(StatusDeathTest, ABrokenInvariantEndsTheProcess) {
  EXPECT_DEATH(LW_CHECK(1 + 1 == 3), "broken invariant at .*status_test.cc:.*1 \\+ 1 == 3");
}

}  // namespace
}  // namespace lakeward
