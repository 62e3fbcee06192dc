#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lakeward/sql/expression.h"
#include "lakeward/sql/node.h"
#include "lakeward/sql/type_name.h"

namespace lakeward::sql {

/// `'key' = 'value'` of WITH, SET and LOAD MODULE, both unquoted.
struct TableOption {
  std::string key;
  std::string value;
  SqlPosition position;
  SqlPosition value_position;
};

/// Options in the order written; a key written twice is here twice.
using TableOptions = std::vector<TableOption>;

enum class ColumnKind : uint8_t {
  kPhysical,  ///< `c INT NOT NULL`
  kMetadata,  ///< `c INT METADATA FROM 'k' VIRTUAL`
  kComputed,  ///< `c AS a + 1`
  kNameOnly,  ///< `c`, in CREATE TABLE (a, b) AS query
};

enum class ColumnPlacement : uint8_t { kUnspecified, kFirst, kAfter };

struct ColumnDefinition {
  SqlPosition position;
  QualifiedName name;  ///< one part, but ALTER TABLE may name a nested field
  ColumnKind kind = ColumnKind::kPhysical;
  TypeNamePtr type;                         ///< of kPhysical and kMetadata; holds NOT NULL
  std::optional<std::string> metadata_key;  ///< of METADATA FROM
  bool is_virtual = false;
  ExpressionPtr expression;  ///< of kComputed
  std::optional<std::string> comment;
  std::optional<Identifier> constraint_name;  ///< CONSTRAINT n before PRIMARY KEY or UNIQUE
  bool primary_key = false;                   ///< PRIMARY KEY behind the column
  bool unique = false;
  std::optional<bool> enforced;  ///< [NOT] ENFORCED behind PRIMARY KEY or UNIQUE
  ColumnPlacement placement = ColumnPlacement::kUnspecified;  ///< of ALTER TABLE
  std::optional<QualifiedName> after;
};

/// `WATERMARK FOR c AS expr`.
struct WatermarkDefinition {
  SqlPosition position;
  QualifiedName column;
  ExpressionPtr expression;
};

/// `[CONSTRAINT name] PRIMARY KEY (a, b) [NOT] ENFORCED`.
struct TableConstraint {
  SqlPosition position;
  std::optional<Identifier> name;
  bool primary_key = true;  ///< else UNIQUE
  std::vector<Identifier> columns;
  std::optional<bool> enforced;
};

/// `DISTRIBUTED BY HASH (a) INTO 4 BUCKETS`.
struct TableDistribution {
  SqlPosition position;
  std::optional<std::string> algorithm;  ///< "HASH", "RANGE"
  std::vector<Identifier> columns;
  std::optional<int64_t> buckets;
};

enum class LikeMerge : uint8_t { kIncluding, kExcluding, kOverwriting };
enum class LikeFeature : uint8_t {
  kAll,
  kConstraints,
  kDistribution,
  kGenerated,
  kMetadata,
  kOptions,
  kPartitions,
  kWatermarks,
};

/// `LIKE source (INCLUDING ALL EXCLUDING OPTIONS)`.
struct TableLike {
  QualifiedName source;
  std::vector<std::pair<LikeMerge, LikeFeature>> merges;
};

/// What stands between the parentheses of CREATE TABLE.
struct TableSchema {
  std::vector<ColumnDefinition> columns;
  std::vector<TableConstraint> constraints;
  std::vector<WatermarkDefinition> watermarks;  ///< the parser lets at most one through
};

/// `a = 1` of PARTITION (a = 1, b); no value for a partition column that the query gives.
struct PartitionValue {
  Identifier column;
  ExpressionPtr value;
};
using PartitionSpecification = std::vector<PartitionValue>;

}  // namespace lakeward::sql
