#pragma once

#include <string>
#include <vector>

#include "lakeward/base/status.h"
#include "lakeward/sql/node.h"
#include "lakeward/types/row_schema.h"

namespace lakeward::plan {

/// What a name means: a column of the scope, and how many parts of the name it took (the rest are
/// fields of a ROW column).
struct ResolvedColumn {
  int column = 0;
  types::TypePtr type;
  size_t parts_used = 1;
};

/// The columns that expressions of one query may name: those of the relations behind FROM, one
/// after the other.
class Scope {
 public:
  struct Relation {
    std::string alias;              ///< empty: columns are found without qualifier only
    std::vector<std::string> path;  ///< of a table without alias: catalog, database, name
    int first_column = 0;
    int column_count = 0;
  };

  void Add(std::string alias, std::vector<std::string> path, const types::RowSchema& columns);

  const types::RowSchema& columns() const { return columns_; }
  const std::vector<Relation>& relations() const { return relations_; }

  /// kValidation when there is no such column (with near misses) or more than one.
  Result<ResolvedColumn> Resolve(const sql::QualifiedName& name) const;
  /// The alias, or else the name, of the relation that a column belongs to; may be empty.
  const std::string& AliasOf(int column) const;
  /// The relation that `t.*` means.
  Result<Relation> ResolveRelation(const sql::QualifiedName& name) const;

 private:
  bool Matches(const Relation& relation, const sql::QualifiedName& name, size_t part_count) const;
  Status UnknownColumn(const sql::QualifiedName& name) const;
  Status UnknownColumnOf(const Relation& relation, const sql::Identifier& column) const;

  types::RowSchema columns_;
  std::vector<Relation> relations_;
};

}  // namespace lakeward::plan
