#include "lakeward/types/row_schema.h"

namespace lakeward::types {

std::optional<int> RowSchema::FindColumn(std::string_view name) const {
  for (int i = 0; i < size(); ++i) {
    if (columns[i].name == name) {
      return i;
    }
  }
  return std::nullopt;
}

std::vector<std::string> RowSchema::Names() const {
  std::vector<std::string> names;
  names.reserve(columns.size());
  for (const Column& column : columns) {
    names.push_back(column.name);
  }
  return names;
}

std::string RowSchema::ToString() const {
  std::string text = "[";
  for (const Column& column : columns) {
    if (text.size() > 1) {
      text += ", ";
    }
    text += column.name + ": " + column.type->ToString();
  }
  return text + "]";
}

bool RowSchema::Equals(const RowSchema& other) const {
  if (columns.size() != other.columns.size()) {
    return false;
  }
  for (size_t i = 0; i < columns.size(); ++i) {
    if (columns[i].name != other.columns[i].name ||
        !columns[i].type->Equals(*other.columns[i].type)) {
      return false;
    }
  }
  return true;
}

}  // namespace lakeward::types
