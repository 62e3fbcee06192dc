#include "lakeward/sql/sql_printer.h"

namespace lakeward::sql {
namespace {

std::string_view KeywordOfType(TypeNameKind kind) {
  switch (kind) {
    case TypeNameKind::kBoolean:
      return "BOOLEAN";
    case TypeNameKind::kTinyInt:
      return "TINYINT";
    case TypeNameKind::kSmallInt:
      return "SMALLINT";
    case TypeNameKind::kInt:
      return "INT";
    case TypeNameKind::kBigInt:
      return "BIGINT";
    case TypeNameKind::kFloat:
      return "FLOAT";
    case TypeNameKind::kDouble:
      return "DOUBLE";
    case TypeNameKind::kDecimal:
      return "DECIMAL";
    case TypeNameKind::kChar:
      return "CHAR";
    case TypeNameKind::kVarChar:
      return "VARCHAR";
    case TypeNameKind::kString:
      return "STRING";
    case TypeNameKind::kBinary:
      return "BINARY";
    case TypeNameKind::kVarBinary:
      return "VARBINARY";
    case TypeNameKind::kBytes:
      return "BYTES";
    case TypeNameKind::kDate:
      return "DATE";
    case TypeNameKind::kTime:
      return "TIME";
    case TypeNameKind::kTimestamp:
      return "TIMESTAMP";
    case TypeNameKind::kTimestampLtz:
      return "TIMESTAMP_LTZ";
    case TypeNameKind::kInterval:
      return "INTERVAL ";
    case TypeNameKind::kArray:
      return "ARRAY<";
    case TypeNameKind::kMultiset:
      return "MULTISET<";
    case TypeNameKind::kMap:
      return "MAP<";
    case TypeNameKind::kRow:
      return "ROW<";
    case TypeNameKind::kRaw:
      return "RAW(";
    case TypeNameKind::kNull:
      return "NULL";
    case TypeNameKind::kUserDefined:
      return "";
  }
  return "";
}

}  // namespace

void SqlPrinter::Print(const TypeName& type) {
  Write(for_view() && type.kind == TypeNameKind::kInt ? "INTEGER" : KeywordOfType(type.kind));
  switch (type.kind) {
    case TypeNameKind::kInterval:
      PrintInterval(*type.interval);
      break;
    case TypeNameKind::kArray:
    case TypeNameKind::kMultiset:
      Print(*type.element);
      Write(">");
      break;
    case TypeNameKind::kMap:
      Print(*type.key);
      Write(", ");
      Print(*type.element);
      Write(">");
      break;
    case TypeNameKind::kRow:
      WriteList(type.fields, [this](const TypeNameField& field) {
        Print(field.name);
        Write(" ");
        Print(*field.type);
        if (field.comment.has_value()) {
          Write(" ");
          WriteString(*field.comment);
        }
      });
      Write(">");
      break;
    case TypeNameKind::kRaw:
      WriteString(type.raw_class);
      Write(", ");
      WriteString(type.raw_snapshot);
      Write(")");
      break;
    case TypeNameKind::kUserDefined:
      Print(type.user_defined);
      break;
    default:
      PrintLength(type);
  }
  Write(type.nullable ? "" : " NOT NULL");
}

void SqlPrinter::PrintLength(const TypeName& type) {
  if (!type.precision.has_value()) {
    return;
  }
  Write("(");
  Write(std::to_string(*type.precision));
  if (type.scale.has_value()) {
    Write(", ");
    Write(std::to_string(*type.scale));
  }
  Write(")");
}

void SqlPrinter::PrintInterval(const IntervalQualifier& qualifier) {
  Write(NameOf(qualifier.from));
  const bool has_fraction = qualifier.fractional_precision.has_value();
  if (qualifier.leading_precision.has_value()) {
    Write("(");
    Write(std::to_string(*qualifier.leading_precision));
    if (has_fraction && !qualifier.to.has_value()) {
      Write(", ");
      Write(std::to_string(*qualifier.fractional_precision));
    }
    Write(")");
  }
  if (qualifier.to.has_value()) {
    Write(" TO ");
    Write(NameOf(*qualifier.to));
    if (has_fraction) {
      Write("(");
      Write(std::to_string(*qualifier.fractional_precision));
      Write(")");
    }
  }
}

}  // namespace lakeward::sql
