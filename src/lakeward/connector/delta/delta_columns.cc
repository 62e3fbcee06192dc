#include "lakeward/connector/delta/delta_columns.h"

#include "arrow/array.h"

namespace lakeward::connector {
namespace {

bool SameStorage(const types::LogicalType& declared, const types::LogicalType& stored) {
  if (declared.IsTimestamp() && stored.IsTimestamp()) {
    return true;
  }
  if (declared.IsCharacterString() && stored.IsCharacterString()) {
    return true;
  }
  if (declared.IsBinaryString() && stored.IsBinaryString()) {
    return true;
  }
  if (declared.root() != stored.root()) {
    return false;
  }
  switch (declared.root()) {
    case types::TypeRoot::kDecimal:
      return declared.precision() == stored.precision() && declared.scale() == stored.scale();
    case types::TypeRoot::kArray:
    case types::TypeRoot::kMap:
      for (size_t i = 0; i < declared.children().size(); ++i) {
        if (!SameStorage(*declared.children()[i], *stored.children()[i])) {
          return false;
        }
      }
      return true;
    case types::TypeRoot::kRow:
      if (declared.fields().size() != stored.fields().size()) {
        return false;
      }
      for (size_t i = 0; i < declared.fields().size(); ++i) {
        if (declared.fields()[i].name != stored.fields()[i].name ||
            !SameStorage(*declared.fields()[i].type, *stored.fields()[i].type)) {
          return false;
        }
      }
      return true;
    default:
      return true;
  }
}

}  // namespace

Result<types::RowSchema> StoredSchema(const types::RowSchema& declared,
                                      const types::RowSchema& table_schema) {
  types::RowSchema stored;
  for (const types::Column& column : declared.columns) {
    const std::optional<int> position = table_schema.FindColumn(column.name);
    if (!position.has_value()) {
      return MakeError(ErrorKind::kValidation,
                       "Column '" + column.name +
                           "' is not in the Delta table, whose columns are " +
                           table_schema.ToString(),
                       "Declare the table with the columns that it has.");
    }
    const types::Column& found = table_schema.columns[static_cast<size_t>(*position)];
    if (!SameStorage(*column.type, *found.type)) {
      return MakeError(ErrorKind::kValidation,
                       "Column '" + column.name + "' is declared " + column.type->ToString() +
                           ", but the Delta table has it as " + found.type->ToString(),
                       "Declare the column with the table's type and CAST in the query.");
    }
    stored.columns.push_back(found);
  }
  return stored;
}

Result<std::shared_ptr<arrow::RecordBatch>> Reinterpret(
    const arrow::RecordBatch& records, const std::shared_ptr<arrow::Schema>& schema) {
  std::vector<std::shared_ptr<arrow::Array>> columns;
  for (int i = 0; i < records.num_columns(); ++i) {
    const std::shared_ptr<arrow::DataType>& wanted = schema->field(i)->type();
    if (records.column(i)->type()->Equals(*wanted)) {
      columns.push_back(records.column(i));
      continue;
    }
    auto view = records.column(i)->View(wanted);
    if (!view.ok()) {
      return WithContext(view.status(), "Column '" + schema->field(i)->name() + "'");
    }
    columns.push_back(view.MoveValueUnsafe());
  }
  return arrow::RecordBatch::Make(schema, records.num_rows(), std::move(columns));
}

}  // namespace lakeward::connector
