#include "lakeward/table/delta/schema_json.h"

#include <cctype>
#include <charconv>
#include <map>
#include <utility>

#include "fmt/format.h"
#include "lakeward/table/delta/delta_table.h"

namespace lakeward::delta {
namespace {

using json::Json;
using types::LogicalType;
using types::TypePtr;
using types::TypeRoot;

constexpr std::string_view kWhat = "the table's schema string";

Status BadSchema(std::string_view reason) {
  return MakeError(ErrorKind::kCorruptData, fmt::format("{}: {}", kWhat, reason));
}

/// "decimal(10,2)", with or without blanks.
TypePtr ParseDecimal(std::string_view name) {
  if (name == "decimal") {
    return types::Decimal(10, 0);
  }
  if (!name.starts_with("decimal(") || !name.ends_with(")")) {
    return nullptr;
  }
  const char* begin = name.data() + std::string_view("decimal(").size();
  const char* end = name.data() + name.size() - 1;
  int32_t precision = 0;
  int32_t scale = 0;
  auto parsed = std::from_chars(begin, end, precision);
  while (parsed.ptr != end && (*parsed.ptr == ' ' || *parsed.ptr == ',')) {
    ++parsed.ptr;
  }
  const auto second = std::from_chars(parsed.ptr, end, scale);
  if (parsed.ec != std::errc() || second.ec != std::errc() || second.ptr != end || precision < 1 ||
      precision > 38 || scale < 0 || scale > precision) {
    return nullptr;
  }
  return types::Decimal(precision, scale);
}

/// Null for a type that is not known here.
TypePtr ParsePrimitive(const std::string& name) {
  static const std::map<std::string, TypePtr, std::less<>> kTypes{
      {"boolean", types::Boolean()},
      {"byte", types::TinyInt()},
      {"short", types::SmallInt()},
      {"integer", types::Int()},
      {"long", types::BigInt()},
      {"float", types::Float()},
      {"double", types::Double()},
      {"string", types::String()},
      {"binary", types::Bytes()},
      {"date", types::Date()},
      {"timestamp", types::TimestampLtz(6)},
      {"timestamp_ntz", types::Timestamp(6)},
  };
  const auto found = kTypes.find(name);
  return found != kTypes.end() ? found->second : ParseDecimal(name);
}

bool IsVoid(const Json& type) {
  return type.is_string() && (type.get_ref<const std::string&>() == "void" ||
                              type.get_ref<const std::string&>() == "null");
}

bool IsTrue(const Json& object, const char* member) {
  const Json* value = json::Find(object, member);
  return value == nullptr || !value->is_boolean() || value->get<bool>();
}

/// What a schema string turns into; remembers the first unknown type inside a column.
class SchemaReader {
 public:
  Result<std::vector<types::RowField>> ReadFields(const Json& struct_type) {
    const Json* fields = json::Find(struct_type, "fields");
    if (fields == nullptr || !fields->is_array()) {
      return BadSchema("a struct has no list 'fields'");
    }
    std::vector<types::RowField> read;
    read.reserve(fields->size());
    for (const Json& field : *fields) {
      if (!field.is_object()) {
        return BadSchema("a field is no object");
      }
      LW_ASSIGN(std::string name, json::GetString(field, "name", kWhat));
      const Json* type = json::Find(field, "type");
      if (type == nullptr) {
        return BadSchema(fmt::format("field '{}' has no type", name));
      }
      // "Primitive Types": void columns are best dropped on reads.
      if (IsVoid(*type)) {
        continue;
      }
      LW_ASSIGN(TypePtr parsed, ReadType(*type, IsTrue(field, "nullable")));
      read.push_back({std::move(name), std::move(parsed), Comment(field)});
    }
    return read;
  }

  Result<TypePtr> ReadType(const Json& type, bool nullable) {
    if (type.is_string()) {
      const auto& name = type.get_ref<const std::string&>();
      TypePtr primitive = ParsePrimitive(name);
      return primitive == nullptr ? Unknown(name) : types::WithNullability(primitive, nullable);
    }
    if (!type.is_object()) {
      return BadSchema("a type is neither a string nor an object");
    }
    LW_ASSIGN(const std::string kind, json::GetString(type, "type", kWhat));
    if (kind == "struct") {
      LW_ASSIGN(std::vector<types::RowField> fields, ReadFields(type));
      return types::Row(std::move(fields), nullable);
    }
    if (kind == "array") {
      LW_ASSIGN(TypePtr element, ReadMember(type, "elementType", IsTrue(type, "containsNull")));
      return types::Array(std::move(element), nullable);
    }
    if (kind == "map") {
      LW_ASSIGN(TypePtr key, ReadMember(type, "keyType", false));
      LW_ASSIGN(TypePtr value, ReadMember(type, "valueType", IsTrue(type, "valueContainsNull")));
      return types::Map(std::move(key), std::move(value), nullable);
    }
    return Unknown(kind);
  }

  /// Empty when every type since the last call was known.
  std::string TakeUnknown() { return std::exchange(unknown_, ""); }

 private:
  Result<TypePtr> ReadMember(const Json& type, const char* member, bool nullable) {
    const Json* found = json::Find(type, member);
    if (found == nullptr) {
      return BadSchema(fmt::format("a type has no '{}'", member));
    }
    return ReadType(*found, nullable);
  }

  TypePtr Unknown(const std::string& name) {
    if (unknown_.empty()) {
      unknown_ = name;
    }
    return types::Null();
  }

  static std::string Comment(const Json& field) {
    const Json* metadata = json::Find(field, "metadata");
    const Json* comment =
        metadata != nullptr && metadata->is_object() ? json::Find(*metadata, "comment") : nullptr;
    return comment != nullptr && comment->is_string() ? comment->get<std::string>() : "";
  }

  std::string unknown_;
};

Status CannotHold(const LogicalType& type, std::string_view column) {
  std::string hint =
      "Use a type that Delta has: BOOLEAN, TINYINT to BIGINT, FLOAT, DOUBLE, DECIMAL, "
      "STRING, BYTES, DATE, TIMESTAMP(6), TIMESTAMP_LTZ(6), ARRAY, MAP, ROW.";
  if (type.IsTimestamp()) {
    hint = fmt::format("Delta keeps microseconds: declare the column as {}(6).",
                       type.root() == TypeRoot::kTimestamp ? "TIMESTAMP" : "TIMESTAMP_LTZ");
  }
  return MakeError(
      ErrorKind::kUnsupported,
      fmt::format(
          "column `{}` has the type {}, which a Delta table cannot hold", column,
          types::WithNullability(std::make_shared<const LogicalType>(type), true)->ToString()),
      std::move(hint));
}

Result<Json> StructToJson(const std::vector<types::RowField>& fields, bool timestamp_ntz,
                          std::string_view parent) {
  Json list = Json::array();
  for (const types::RowField& field : fields) {
    const std::string name = parent.empty() ? field.name : fmt::format("{}.{}", parent, field.name);
    Json entry = Json::object();
    entry["name"] = field.name;
    LW_ASSIGN(entry["type"], TypeToJson(*field.type, timestamp_ntz, name));
    entry["nullable"] = field.type->nullable();
    entry["metadata"] = Json::object();
    if (!field.description.empty()) {
      entry["metadata"]["comment"] = field.description;
    }
    list.push_back(std::move(entry));
  }
  Json type = Json::object();
  type["type"] = "struct";
  type["fields"] = std::move(list);
  return type;
}

std::string Lower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return lower;
}

Status CheckName(std::string_view name, std::string_view path,
                 std::map<std::string, std::string>* seen) {
  if (name.empty()) {
    return MakeError(ErrorKind::kValidation, "a column of the Delta table has an empty name",
                     "Give each column a name.");
  }
  if (name.find_first_of(" ,;{}()=\t\n") != std::string_view::npos) {
    return MakeError(
        ErrorKind::kUnsupported,
        fmt::format(
            "column `{}`: a name with a blank or one of ,;{{}}()= , tab or line end needs "
            "Delta's column mapping (table feature 'columnMapping'), which is not supported",
            path),
        "Choose a name without these characters.");
  }
  const auto [entry, added] = seen->emplace(Lower(name), std::string(path));
  if (!added) {
    return MakeError(ErrorKind::kValidation,
                     fmt::format("columns `{}` and `{}` differ only by upper and lower case; in a "
                                 "Delta table they would be one column",
                                 entry->second, path),
                     "Rename one of them.");
  }
  return Status::OK();
}

Status CheckNestedNames(const LogicalType& type, std::string_view parent) {
  for (const TypePtr& child : type.children()) {
    LW_TRY(CheckNestedNames(*child, parent));
  }
  std::map<std::string, std::string> seen;
  for (const types::RowField& field : type.fields()) {
    const std::string path = fmt::format("{}.{}", parent, field.name);
    LW_TRY(CheckName(field.name, path, &seen));
    LW_TRY(CheckNestedNames(*field.type, path));
  }
  return Status::OK();
}

}  // namespace

Result<ParsedSchema> ParseSchema(std::string_view schema_json) {
  LW_ASSIGN(const Json document, json::Parse(schema_json, kWhat));
  if (!document.is_object()) {
    return BadSchema("it is no JSON object");
  }
  LW_ASSIGN(const std::string kind, json::GetString(document, "type", kWhat));
  if (kind != "struct") {
    return BadSchema(fmt::format("its type is '{}', not 'struct'", kind));
  }
  const Json* fields = json::Find(document, "fields");
  if (fields == nullptr || !fields->is_array()) {
    return BadSchema("a struct has no list 'fields'");
  }
  ParsedSchema parsed;
  SchemaReader reader;
  // Column by column, so that an unknown type is reported with the column that it spoils.
  for (const Json& field : *fields) {
    Json one = Json::object();
    one["fields"] = Json::array({field});
    LW_ASSIGN(std::vector<types::RowField> columns, reader.ReadFields(one));
    const std::string unknown = reader.TakeUnknown();
    for (types::RowField& column : columns) {
      if (!unknown.empty()) {
        parsed.unknown_types.push_back(
            fmt::format("column `{}` has the type {}", column.name, unknown));
        column.type = types::Null();
      }
      parsed.schema.columns.push_back({std::move(column.name), std::move(column.type)});
    }
  }
  return parsed;
}

Result<Json> TypeToJson(const LogicalType& type, bool timestamp_ntz, std::string_view column) {
  switch (type.root()) {
    case TypeRoot::kBoolean:
      return Json("boolean");
    case TypeRoot::kTinyInt:
      return Json("byte");
    case TypeRoot::kSmallInt:
      return Json("short");
    case TypeRoot::kInteger:
      return Json("integer");
    case TypeRoot::kBigInt:
      return Json("long");
    case TypeRoot::kFloat:
      return Json("float");
    case TypeRoot::kDouble:
      return Json("double");
    case TypeRoot::kDecimal:
      return Json(fmt::format("decimal({},{})", type.precision(), type.scale()));
    case TypeRoot::kChar:
    case TypeRoot::kVarChar:
      return Json("string");
    case TypeRoot::kBinary:
    case TypeRoot::kVarBinary:
      return Json("binary");
    case TypeRoot::kDate:
      return Json("date");
    case TypeRoot::kTimestamp:
    case TypeRoot::kTimestampLtz:
      if (type.precision() > 6) {
        return CannotHold(type, column);
      }
      return Json(type.root() == TypeRoot::kTimestamp && timestamp_ntz ? "timestamp_ntz"
                                                                       : "timestamp");
    case TypeRoot::kArray: {
      Json array = Json::object();
      array["type"] = "array";
      LW_ASSIGN(array["elementType"], TypeToJson(*type.children()[0], timestamp_ntz, column));
      array["containsNull"] = type.children()[0]->nullable();
      return array;
    }
    case TypeRoot::kMap: {
      Json map = Json::object();
      map["type"] = "map";
      LW_ASSIGN(map["keyType"], TypeToJson(*type.children()[0], timestamp_ntz, column));
      LW_ASSIGN(map["valueType"], TypeToJson(*type.children()[1], timestamp_ntz, column));
      map["valueContainsNull"] = type.children()[1]->nullable();
      return map;
    }
    case TypeRoot::kRow:
      return StructToJson(type.fields(), timestamp_ntz, column);
    case TypeRoot::kNull:
    case TypeRoot::kTime:
    case TypeRoot::kIntervalYearMonth:
    case TypeRoot::kIntervalDayTime:
    case TypeRoot::kMultiset:
      return CannotHold(type, column);
  }
  return CannotHold(type, column);
}

void VisitFields(const Json& struct_type,
                 const std::function<bool(const std::string&, const Json&)>& visit) {
  const std::function<void(const Json&, const std::string&)> walk = [&](const Json& type,
                                                                        const std::string& parent) {
    if (!type.is_object()) {
      return;
    }
    for (const char* member : {"elementType", "keyType", "valueType"}) {
      if (const Json* child = json::Find(type, member)) {
        walk(*child, parent);
      }
    }
    const Json* fields = json::Find(type, "fields");
    if (fields == nullptr || !fields->is_array()) {
      return;
    }
    for (const Json& field : *fields) {
      const Json* name = field.is_object() ? json::Find(field, "name") : nullptr;
      if (name == nullptr || !name->is_string()) {
        continue;
      }
      const std::string path = parent.empty() ? name->get<std::string>()
                                              : parent + "." + name->get_ref<const std::string&>();
      const Json* child = json::Find(field, "type");
      if (visit(path, field) && child != nullptr) {
        walk(*child, path);
      }
    }
  };
  walk(struct_type, "");
}

bool TypeFits(const LogicalType& type, const LogicalType& table_type) {
  if (type.IsCharacterString() || type.IsBinaryString()) {
    return type.IsCharacterString() == table_type.IsCharacterString() &&
           type.IsBinaryString() == table_type.IsBinaryString();
  }
  if (type.IsTimestamp()) {
    return type.precision() <= 6 && table_type.IsTimestamp() &&
           (type.root() == TypeRoot::kTimestamp || table_type.root() == TypeRoot::kTimestampLtz);
  }
  if (type.root() != table_type.root()) {
    return false;
  }
  if (type.root() == TypeRoot::kDecimal) {
    return type.precision() == table_type.precision() && type.scale() == table_type.scale();
  }
  if (type.children().size() != table_type.children().size() ||
      type.fields().size() != table_type.fields().size()) {
    return false;
  }
  for (size_t i = 0; i < type.children().size(); ++i) {
    if (!TypeFits(*type.children()[i], *table_type.children()[i])) {
      return false;
    }
  }
  for (size_t i = 0; i < type.fields().size(); ++i) {
    if (type.fields()[i].name != table_type.fields()[i].name ||
        !TypeFits(*type.fields()[i].type, *table_type.fields()[i].type)) {
      return false;
    }
  }
  return true;
}

Status CheckColumnNames(const types::RowSchema& schema) {
  std::map<std::string, std::string> seen;
  for (const types::Column& column : schema.columns) {
    LW_TRY(CheckName(column.name, column.name, &seen));
    LW_TRY(CheckNestedNames(*column.type, column.name));
  }
  return Status::OK();
}

Result<std::string> SchemaToJson(const types::RowSchema& schema, bool timestamp_ntz) {
  std::vector<types::RowField> fields;
  fields.reserve(schema.columns.size());
  for (const types::Column& column : schema.columns) {
    fields.push_back({column.name, column.type, ""});
  }
  LW_ASSIGN(const Json type, StructToJson(fields, timestamp_ntz, ""));
  return json::Write(type);
}

Result<types::RowSchema> SchemaFromJson(const std::string& schema_json) {
  LW_ASSIGN(ParsedSchema parsed, ParseSchema(schema_json));
  if (!parsed.unknown_types.empty()) {
    return MakeError(ErrorKind::kUnsupported,
                     parsed.unknown_types.front() + ", which is not supported");
  }
  return std::move(parsed.schema);
}

}  // namespace lakeward::delta
