#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lakeward/base/status.h"
#include "lakeward/config/option.h"
#include "lakeward/types/row_schema.h"

namespace lakeward::catalog {

/// The full name of a table, view or function.
struct ObjectPath {
  std::string catalog;
  std::string database;
  std::string object;

  /// "c.db.t", parts quoted only where needed is the printer's task: here they stand as they are.
  std::string ToString() const { return catalog + "." + database + "." + object; }
  friend bool operator==(const ObjectPath&, const ObjectPath&) = default;
};

enum class ColumnKind : uint8_t {
  kPhysical,  ///< stored
  kComputed,  ///< AS expression
  kMetadata,  ///< METADATA [FROM 'key'] [VIRTUAL]
};

/// A column as declared.
struct TableColumn {
  std::string name;
  types::TypePtr type;
  std::string comment;
  ColumnKind kind = ColumnKind::kPhysical;
  std::string expression;                   ///< of kComputed: SQL text
  std::optional<std::string> metadata_key;  ///< of kMetadata, when it differs from the name
  bool is_virtual = false;                  ///< of kMetadata: not written by INSERT
};

/// WATERMARK FOR column AS expression.
struct WatermarkSpec {
  std::string column;
  std::string expression;  ///< SQL text
};

enum class TableKind : uint8_t { kTable, kView };

/// What a catalog knows of a table or view: a value.
struct CatalogTable {
  TableKind kind = TableKind::kTable;
  std::vector<TableColumn> columns;
  std::vector<std::string> primary_key;
  std::string primary_key_name;
  std::optional<WatermarkSpec> watermark;
  std::vector<std::string> partition_keys;
  config::OptionMap options;
  std::string comment;
  std::string view_query;           ///< of kView: the query with all names qualified
  std::string view_original_query;  ///< of kView: as written

  /// All columns as a relation, in order.
  types::RowSchema Schema() const;
  /// Only what is stored.
  types::RowSchema PhysicalSchema() const;
};
using CatalogTablePtr = std::shared_ptr<const CatalogTable>;

struct CatalogDatabase {
  std::string comment;
  config::OptionMap options;
};

/// Databases and their tables by name. Thread-safe; may block on storage. Error kinds: kNotFound,
/// kAlreadyExists, kUnsupported, and what storage reports. Names are case-sensitive.
class Catalog {
 public:
  virtual ~Catalog() = default;

  virtual const std::string& name() const = 0;
  /// What SHOW CREATE CATALOG prints; secrets are hidden by the caller.
  virtual const config::OptionMap& options() const = 0;
  virtual std::string default_database() const = 0;

  virtual Result<std::vector<std::string>> ListDatabases() = 0;  ///< sorted
  virtual Result<CatalogDatabase> GetDatabase(const std::string& database) = 0;
  virtual Status CreateDatabase(const std::string& database, CatalogDatabase definition) = 0;
  /// A database that holds tables is only dropped with `cascade`.
  virtual Status DropDatabase(const std::string& database, bool cascade) = 0;

  /// Tables and views, sorted.
  virtual Result<std::vector<std::string>> ListTables(const std::string& database) = 0;
  virtual Result<CatalogTablePtr> GetTable(const std::string& database,
                                           const std::string& table) = 0;
  /// Also prepares the table's storage where the connector has any to prepare (a log's first
  /// entry).
  virtual Status CreateTable(const std::string& database, const std::string& table,
                             CatalogTable definition) = 0;
  virtual Status DropTable(const std::string& database, const std::string& table) = 0;
  /// Gives a table or view another name in its database; what it stores stays where it is.
  virtual Status RenameTable(const std::string& database, const std::string& table,
                             const std::string& new_name) = 0;
  /// Puts another definition in the place of a view's.
  virtual Status ReplaceView(const std::string& database, const std::string& view,
                             CatalogTable definition) = 0;
};

}  // namespace lakeward::catalog
