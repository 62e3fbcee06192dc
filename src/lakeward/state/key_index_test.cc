#include "lakeward/state/key_index.h"

#include <limits>
#include <map>

#include "arrow/array/builder_binary.h"
#include "arrow/array/builder_primitive.h"
#include "arrow/memory_pool.h"
#include "gtest/gtest.h"
#include "lakeward/base/random.h"
#include "support/status_matchers.h"

namespace lakeward::state {
namespace {

using Columns = std::vector<std::shared_ptr<arrow::Array>>;
using Key = std::pair<std::optional<int64_t>, std::optional<std::string>>;

Columns MakeColumns(const std::vector<Key>& keys) {
  arrow::Int64Builder numbers;
  arrow::StringBuilder texts;
  for (const auto& [number, text] : keys) {
    EXPECT_TRUE((number ? numbers.Append(*number) : numbers.AppendNull()).ok());
    EXPECT_TRUE((text ? texts.Append(*text) : texts.AppendNull()).ok());
  }
  return {*numbers.Finish(), *texts.Finish()};
}

class KeyIndexTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_ASSIGN(index_,
                  KeyIndex::Make({arrow::int64(), arrow::utf8()}, arrow::default_memory_pool()));
  }

  /// With `hash_mask` 0 every key collides with every other one.
  std::vector<int32_t> Insert(const std::vector<Key>& keys, uint64_t hash_mask = ~0ULL) {
    const Columns columns = MakeColumns(keys);
    std::vector<uint64_t> hashes;
    EXPECT_TRUE(HashRows(columns, static_cast<int64_t>(keys.size()), &hashes).ok());
    for (uint64_t& hash : hashes) {
      hash &= hash_mask;
    }
    std::vector<int32_t> ids(keys.size());
    const Status status = index_->FindOrInsert(columns, hashes, ids.data());
    EXPECT_TRUE(status.ok()) << status.ToString();
    return ids;
  }

  std::unique_ptr<KeyIndex> index_;
};

TEST_F(KeyIndexTest, IdsFollowFirstAppearance) {
  EXPECT_EQ(Insert({{1, "a"}, {2, "a"}, {1, "a"}, {1, "b"}}), (std::vector<int32_t>{0, 1, 0, 2}));
  EXPECT_EQ(Insert({{1, "b"}, {3, "c"}}), (std::vector<int32_t>{2, 3}));
  EXPECT_EQ(index_->key_count(), 4);
  EXPECT_EQ(index_->id_bound(), 4);
}

TEST_F(KeyIndexTest, NullsEqualEachOther) {
  EXPECT_EQ(
      Insert({{std::nullopt, "a"}, {std::nullopt, "a"}, {0, "a"}, {0, std::nullopt}, {0, ""}}),
      (std::vector<int32_t>{0, 0, 1, 2, 3}));
}

// Flink compares keys as bytes.
TEST(KeyIndexTypesTest, NegativeZeroIsAKeyOfItsOwnAndNanIsOne) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  arrow::DoubleBuilder builder;
  ASSERT_STATUS_OK(builder.AppendValues({0.0, -0.0, nan, -0.0, -nan}));
  const Columns columns = {*builder.Finish()};
  std::vector<uint64_t> hashes;
  ASSERT_STATUS_OK(HashRows(columns, 5, &hashes));
  ASSERT_ASSIGN(const auto index, KeyIndex::Make({arrow::float64()}, arrow::default_memory_pool()));
  std::vector<int32_t> ids(5);
  ASSERT_STATUS_OK(index->FindOrInsert(columns, hashes, ids.data()));
  EXPECT_EQ(ids, (std::vector<int32_t>{0, 1, 2, 1, 2}));
}

TEST_F(KeyIndexTest, CollidingHashesAreToldApart) {
  std::vector<Key> keys;
  for (int64_t i = 0; i < 300; ++i) {
    keys.push_back({i % 50, std::to_string(i % 30)});
  }
  const std::vector<int32_t> ids = Insert(keys, /*hash_mask=*/0);
  std::map<Key, int32_t> id_of_key;
  for (size_t i = 0; i < keys.size(); ++i) {
    EXPECT_EQ(id_of_key.emplace(keys[i], ids[i]).first->second, ids[i]);
  }
  EXPECT_EQ(static_cast<int64_t>(id_of_key.size()), index_->key_count());
  EXPECT_EQ(Insert(keys, /*hash_mask=*/0), ids);
}

TEST_F(KeyIndexTest, RemovedIdsAreUsedAgain) {
  Insert({{1, "a"}, {2, "b"}, {3, "c"}});
  index_->Remove(1);
  EXPECT_EQ(index_->LiveIds(), (std::vector<int32_t>{0, 2}));
  EXPECT_EQ(Insert({{4, "d"}, {2, "b"}}), (std::vector<int32_t>{1, 3}));
  const std::vector<int32_t> ids{1, 3};
  ASSERT_ASSIGN(const Columns keys, index_->Keys(ids.data(), 2));
  EXPECT_TRUE(keys[0]->Equals(MakeColumns({{4, "d"}, {2, "b"}})[0]));
  EXPECT_TRUE(keys[1]->Equals(MakeColumns({{4, "d"}, {2, "b"}})[1]));
}

/// Against std::map, with a narrow hash so that runs of slots are long.
TEST_F(KeyIndexTest, ManyInsertionsAndRemovals) {
  SeededRandom random(7);
  std::map<Key, int32_t> model;
  for (int round = 0; round < 200; ++round) {
    std::vector<Key> keys;
    for (int i = 0; i < 100; ++i) {
      const auto number = static_cast<int64_t>(random.NextBelow(2'000));
      keys.push_back({number, std::string(number % 40, 'x')});
    }
    const std::vector<int32_t> ids = Insert(keys, /*hash_mask=*/0xFF000000000000FFULL);
    for (size_t i = 0; i < keys.size(); ++i) {
      ASSERT_EQ(model.emplace(keys[i], ids[i]).first->second, ids[i]);
    }
    for (auto entry = model.begin(); entry != model.end();) {
      if (random.NextBelow(3) == 0) {
        index_->Remove(entry->second);
        entry = model.erase(entry);
      } else {
        ++entry;
      }
    }
    ASSERT_EQ(index_->key_count(), static_cast<int64_t>(model.size()));
  }
  const std::vector<int32_t> live = index_->LiveIds();
  ASSERT_ASSIGN(const Columns keys, index_->Keys(live.data(), static_cast<int64_t>(live.size())));
  const auto& texts = static_cast<const arrow::StringArray&>(*keys[1]);
  const auto& numbers = static_cast<const arrow::Int64Array&>(*keys[0]);
  for (size_t i = 0; i < live.size(); ++i) {
    const auto row = static_cast<int64_t>(i);
    EXPECT_EQ(model.at({numbers.Value(row), texts.GetString(row)}), live[i]);
  }
}

TEST(KeyIndexTypesTest, NestedKeysAreRefusedByType) {
  const auto index = KeyIndex::Make({arrow::list(arrow::int32())}, arrow::default_memory_pool());
  ASSERT_FALSE(index.ok());
  EXPECT_EQ(KindOf(index.status()), ErrorKind::kUnsupported);
}

}  // namespace
}  // namespace lakeward::state
