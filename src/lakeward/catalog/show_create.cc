#include "lakeward/catalog/show_create.h"

#include <cstdint>

#include "lakeward/base/quoted_text.h"
#include "lakeward/base/secret.h"

namespace lakeward::catalog {
namespace {

std::string Quote(std::string_view name) { return QuotedText(name, '`'); }

std::string QuoteText(std::string_view text) { return QuotedText(text, '\''); }

std::string QuoteList(const std::vector<std::string>& names) {
  std::string list;
  for (const std::string& name : names) {
    list += (list.empty() ? "" : ", ") + Quote(name);
  }
  return list;
}

std::string QuotePath(const ObjectPath& path) {
  return Quote(path.catalog) + "." + Quote(path.database) + "." + Quote(path.object);
}

std::string ColumnText(const TableColumn& column) {
  std::string text = "  " + Quote(column.name) + " ";
  if (column.kind == ColumnKind::kComputed) {
    text += "AS " + column.expression;
  } else {
    text += column.type->ToString(types::TypeSpelling::kSerializable);
  }
  if (column.kind == ColumnKind::kMetadata) {
    text += " METADATA";
    if (column.metadata_key.has_value()) {
      text += " FROM " + QuoteText(*column.metadata_key);
    }
    text += column.is_virtual ? " VIRTUAL" : "";
  }
  if (!column.comment.empty()) {
    text += " COMMENT " + QuoteText(column.comment);
  }
  return text;
}

std::string OptionsText(const config::OptionMap& options) {
  std::string text;
  for (const auto& [key, value] : options) {
    text += text.empty() ? "" : ",\n";
    text += "  " + QuoteText(key) + " = " +
            QuoteText(IsSecretKey(key) ? kHiddenValue : std::string_view(value));
  }
  return text;
}

std::string WithClause(const config::OptionMap& options) {
  return options.empty() ? "" : "WITH (\n" + OptionsText(options) + "\n)\n";
}

// Java's String.hashCode: over UTF-16 code units.
int32_t JavaHash(std::string_view text) {
  uint32_t hash = 0;
  for (size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i]);
    const size_t length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    uint32_t point = length == 1 ? lead : lead & (0xFFu >> (length + 1));
    for (size_t k = 1; k < length && i + k < text.size(); ++k) {
      point = point << 6 | (static_cast<unsigned char>(text[i + k]) & 0x3Fu);
    }
    i += length;
    if (point >= 0x10000) {
      hash = hash * 31 + (0xD800 + ((point - 0x10000) >> 10));
      hash = hash * 31 + (0xDC00 + ((point - 0x10000) & 0x3FF));
    } else {
      hash = hash * 31 + point;
    }
  }
  return static_cast<int32_t>(hash);
}

}  // namespace

std::string ShowCreateTable(const ObjectPath& path, const CatalogTable& table, bool temporary) {
  std::string text = std::string("CREATE ") + (temporary ? "TEMPORARY " : "") + "TABLE " +
                     QuotePath(path) + " (\n";
  bool first = true;
  for (const TableColumn& column : table.columns) {
    text += (first ? "" : ",\n") + ColumnText(column);
    first = false;
  }
  if (table.watermark.has_value()) {
    text += ",\n  WATERMARK FOR " + Quote(table.watermark->column) + " AS " +
            table.watermark->expression;
  }
  if (!table.primary_key.empty()) {
    const std::string name = table.primary_key_name.empty()
                                 ? DefaultPrimaryKeyName(table.primary_key)
                                 : table.primary_key_name;
    text += ",\n  CONSTRAINT " + Quote(name) + " PRIMARY KEY (" + QuoteList(table.primary_key) +
            ") NOT ENFORCED";
  }
  text += "\n) ";
  if (!table.comment.empty()) {
    text += "COMMENT " + QuoteText(table.comment) + "\n";
  }
  if (!table.partition_keys.empty()) {
    text += "PARTITIONED BY (" + QuoteList(table.partition_keys) + ")\n";
  }
  return text + WithClause(table.options);
}

std::string ShowCreateView(const ObjectPath& path, const CatalogTable& view, bool temporary) {
  std::string names;
  for (const TableColumn& column : view.columns) {
    names += (names.empty() ? "" : ", ") + Quote(column.name);
  }
  std::string text = std::string("CREATE ") + (temporary ? "TEMPORARY " : "") + "VIEW " +
                     QuotePath(path) + "(" + names + ") as\n" + view.view_query;
  if (!view.comment.empty()) {
    text += " COMMENT " + QuoteText(view.comment) + "\n";
  }
  return text;
}

std::string ShowCreateCatalog(const std::string& name, const config::OptionMap& options) {
  return "CREATE CATALOG " + Quote(name) + " WITH (\n" + OptionsText(options) + "\n)\n";
}

std::string DefaultPrimaryKeyName(const std::vector<std::string>& columns) {
  uint32_t hash = 1;
  for (const std::string& column : columns) {
    hash = hash * 31 + static_cast<uint32_t>(JavaHash(column));
  }
  return "PK_" + std::to_string(static_cast<int32_t>(hash));
}

}  // namespace lakeward::catalog
