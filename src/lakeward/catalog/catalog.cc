#include "lakeward/catalog/catalog.h"

namespace lakeward::catalog {

types::RowSchema CatalogTable::Schema() const {
  types::RowSchema schema;
  for (const TableColumn& column : columns) {
    schema.columns.push_back({column.name, column.type});
  }
  return schema;
}

types::RowSchema CatalogTable::PhysicalSchema() const {
  types::RowSchema schema;
  for (const TableColumn& column : columns) {
    if (column.kind == ColumnKind::kPhysical) {
      schema.columns.push_back({column.name, column.type});
    }
  }
  return schema;
}

}  // namespace lakeward::catalog
