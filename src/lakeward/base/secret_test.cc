#include "lakeward/base/secret.h"

#include "gtest/gtest.h"
#include "lakeward/base/similar_names.h"

namespace lakeward {
namespace {

TEST(SecretTest, KnowsTheKeysOfSecrets) {
  for (const char* key :
       {"fs.s3a.secret.key", "s3.secret-access-key", "fs.s3a.access.key", "s3.access-key",
        "s3.session-token", "TOKEN", "security.ssl.internal.key-password", "my.ApiKey",
        "properties.sasl.jaas.config", "sasl.jaas.config", "rest.basic-auth"}) {
    EXPECT_TRUE(IsSecretKey(key)) << key;
  }
  for (const char* key : {"fs.s3a.endpoint", "path", "execution.checkpointing.interval",
                          "security.delegation.tokens.enabled", "table-path", ""}) {
    EXPECT_FALSE(IsSecretKey(key)) << key;
  }
}

TEST(SimilarNamesTest, FindsTypingMistakes) {
  const std::vector<std::string> columns{"user_id", "user_name", "item_id", "price"};
  EXPECT_EQ(SimilarNames("usr_id", columns, 1), (std::vector<std::string>{"user_id"}));
  EXPECT_EQ(SimilarNames("PRICE", columns), (std::vector<std::string>{"price"}));
  EXPECT_EQ(SimilarNames("pirce", columns), (std::vector<std::string>{"price"}));
  EXPECT_TRUE(SimilarNames("warehouse", columns).empty());
  EXPECT_TRUE(SimilarNames("", columns).empty());
  EXPECT_TRUE(SimilarNames("x", {}).empty());
}

TEST(SimilarNamesTest, PutsTheNearestFirst) {
  EXPECT_EQ(SimilarNames("count", {"amount", "counts", "county_x"}),
            (std::vector<std::string>{"counts", "amount"}));
}

TEST(SimilarNamesTest, WritesTheQuestion) {
  EXPECT_EQ(DidYouMean("pth", {"path", "format"}), "Did you mean 'path'?");
  EXPECT_EQ(DidYouMean("ab1", {"ab2", "ab3"}), "Did you mean 'ab2' or 'ab3'?");
  EXPECT_EQ(DidYouMean("zzzzzz", {"path"}), "");
}

}  // namespace
}  // namespace lakeward
