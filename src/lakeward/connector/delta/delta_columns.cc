#include "lakeward/connector/delta/delta_columns.h"

#include <utility>
#include <vector>

#include "arrow/array/data.h"
#include "arrow/type.h"

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

bool SameLayout(const arrow::DataType& left, const arrow::DataType& right) {
  if (left.id() != right.id() || left.num_fields() != right.num_fields()) {
    return false;
  }
  switch (left.id()) {
    case arrow::Type::TIMESTAMP:
      return static_cast<const arrow::TimestampType&>(left).unit() ==
             static_cast<const arrow::TimestampType&>(right).unit();
    case arrow::Type::DECIMAL128:
      return left.Equals(right);
    default:
      return true;
  }
}

/// The same buffers under another type. Array::View would refuse a null of a NOT NULL child whose
/// parent is null as well; which nulls may be is judged where the file is written.
Result<std::shared_ptr<arrow::ArrayData>> Retyped(const arrow::ArrayData& data,
                                                  const std::shared_ptr<arrow::DataType>& type,
                                                  const std::string& path) {
  if (!SameLayout(*data.type, *type)) {
    return MakeError(ErrorKind::kInternal, "Column '" + path + "' came as " +
                                               data.type->ToString() + " instead of " +
                                               type->ToString());
  }
  std::shared_ptr<arrow::ArrayData> retyped = data.Copy();
  retyped->type = type;
  for (size_t i = 0; i < data.child_data.size(); ++i) {
    const std::shared_ptr<arrow::Field>& child = type->field(static_cast<int>(i));
    LW_ASSIGN(retyped->child_data[i],
              Retyped(*data.child_data[i], child->type(), path + "." + child->name()));
  }
  return retyped;
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
  std::vector<std::shared_ptr<arrow::ArrayData>> columns;
  for (int i = 0; i < records.num_columns(); ++i) {
    const std::shared_ptr<arrow::DataType>& wanted = schema->field(i)->type();
    std::shared_ptr<arrow::ArrayData> column = records.column_data(i);
    if (!column->type->Equals(*wanted)) {
      LW_ASSIGN(column, Retyped(*column, wanted, schema->field(i)->name()));
    }
    columns.push_back(std::move(column));
  }
  return arrow::RecordBatch::Make(schema, records.num_rows(), std::move(columns));
}

}  // namespace lakeward::connector
