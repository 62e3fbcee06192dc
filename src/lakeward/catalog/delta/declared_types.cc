#include "lakeward/catalog/delta/declared_types.h"

namespace lakeward::catalog {
namespace {

types::TypePtr MergeType(const types::TypePtr& logged, const types::TypePtr& declared) {
  if (logged->IsTimestamp() && declared->IsTimestamp()) {
    return types::WithNullability(declared, logged->nullable());
  }
  if (logged->root() != declared->root()) {
    return logged;
  }
  switch (logged->root()) {
    case types::TypeRoot::kArray:
      return types::Array(MergeType(logged->children()[0], declared->children()[0]),
                          logged->nullable());
    case types::TypeRoot::kMap:
      return types::Map(MergeType(logged->children()[0], declared->children()[0]),
                        MergeType(logged->children()[1], declared->children()[1]),
                        logged->nullable());
    case types::TypeRoot::kRow: {
      std::vector<types::RowField> fields = logged->fields();
      for (types::RowField& field : fields) {
        for (const types::RowField& other : declared->fields()) {
          if (other.name == field.name) {
            field.type = MergeType(field.type, other.type);
            field.description = other.description;
          }
        }
      }
      return types::Row(std::move(fields), logged->nullable());
    }
    default:
      return logged;
  }
}

}  // namespace

std::vector<TableColumn> MergeColumns(const types::RowSchema& schema,
                                      const std::vector<TableColumn>& declared) {
  std::vector<TableColumn> merged;
  for (const types::Column& column : schema.columns) {
    TableColumn result;
    result.name = column.name;
    result.type = column.type;
    for (const TableColumn& other : declared) {
      if (other.kind == ColumnKind::kPhysical && other.name == column.name) {
        result.type = MergeType(column.type, other.type);
        result.comment = other.comment;
      }
    }
    merged.push_back(std::move(result));
  }
  for (const TableColumn& other : declared) {
    if (other.kind != ColumnKind::kPhysical) {
      merged.push_back(other);
    }
  }
  return merged;
}

}  // namespace lakeward::catalog
