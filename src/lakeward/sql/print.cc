#include "lakeward/sql/print.h"

#include <algorithm>

#include "lakeward/base/quoted_text.h"
#include "lakeward/sql/keyword.h"
#include "lakeward/sql/sql_printer.h"
#include "lakeward/sql/utf8.h"

namespace lakeward::sql {
namespace {

template <typename T>
std::string Printed(const T& node) {
  SqlPrinter printer;
  printer.Print(node);
  return printer.Take();
}

bool IsPlainWord(std::string_view name) {
  if (name.empty() || (name[0] >= '0' && name[0] <= '9')) {
    return false;
  }
  while (!name.empty()) {
    const DecodedCharacter character = DecodeUtf8(name);
    const char32_t c = character.code_point;
    const bool ascii = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       c == '_' || c == '$';
    if (character.bytes == 0 || !(ascii || IsIdentifierCharacter(c))) {
      return false;
    }
    name.remove_prefix(character.bytes);
  }
  return true;
}

}  // namespace

std::string ToSql(const Statement& statement) { return Printed(statement); }
std::string ToSql(const Query& query) { return Printed(query); }
std::string ToSql(const Expression& expression) { return Printed(expression); }
std::string ToSql(const TypeName& type) { return Printed(type); }
std::string ToSql(const QualifiedName& name) { return Printed(name); }
std::string ToSql(const Identifier& identifier) { return Printed(identifier); }

std::string ToViewSql(const Query& query, const FullNames& full_names) {
  SqlPrinter printer(&full_names);
  printer.Print(query);
  return printer.Take();
}

std::string QuoteIdentifier(std::string_view name) {
  const Keyword keyword = KeywordOf(name);
  // MAP is no reserved word, but `MAP[` begins a constructor.
  const bool plain = IsPlainWord(name) && !IsReserved(keyword) && keyword != Keyword::kMap;
  return plain ? std::string(name) : QuoteIdentifierAlways(name);
}

std::string QuoteIdentifierAlways(std::string_view name) { return QuotedText(name, '`'); }

std::string QuoteString(std::string_view value) { return QuotedText(value, '\''); }

void SqlPrinter::Print(const Identifier& identifier) {
  Write(identifier.quoted || for_view() ? QuoteIdentifierAlways(identifier.text)
                                        : QuoteIdentifier(identifier.text));
}

void SqlPrinter::Print(const QualifiedName& name) {
  if (for_view()) {
    if (const auto full = full_names_->find(&name); full != full_names_->end()) {
      for (size_t i = 0; i < full->second.size(); ++i) {
        Write(i == 0 ? "" : ".");
        Write(QuoteIdentifierAlways(full->second[i]));
      }
      return;
    }
  }
  for (size_t i = 0; i < name.parts.size(); ++i) {
    Write(i == 0 ? "" : ".");
    Print(name.parts[i]);
  }
}

void SqlPrinter::WriteString(std::string_view value) { Write(QuoteString(value)); }

void SqlPrinter::PrintNames(const std::vector<Identifier>& names) {
  Write("(");
  WriteList(names, [this](const Identifier& name) { Print(name); });
  Write(")");
}

void SqlPrinter::PrintNames(const std::vector<QualifiedName>& names) {
  Write("(");
  WriteList(names, [this](const QualifiedName& name) { Print(name); });
  Write(")");
}

void SqlPrinter::PrintOptionalComment(const std::optional<std::string>& comment) {
  if (comment.has_value()) {
    Write(" COMMENT ");
    WriteString(*comment);
  }
}

void SqlPrinter::PrintOptions(const TableOptions& options) {
  Write("(");
  WriteList(options, [this](const TableOption& option) {
    WriteString(option.key);
    Write(" = ");
    WriteString(option.value);
  });
  Write(")");
}

void SqlPrinter::PrintWithOptions(const TableOptions& options) {
  if (!options.empty()) {
    Write(" WITH ");
    PrintOptions(options);
  }
}

void SqlPrinter::PrintKeys(const std::vector<std::string>& keys) {
  Write("(");
  WriteList(keys, [this](const std::string& key) { WriteString(key); });
  Write(")");
}

void SqlPrinter::PrintPartition(const PartitionSpecification& partition) {
  Write("(");
  WriteList(partition, [this](const PartitionValue& value) {
    Print(value.column);
    if (value.value != nullptr) {
      Write(" = ");
      Print(*value.value);
    }
  });
  Write(")");
}

void SqlPrinter::PrintHints(const std::vector<Hint>& hints) {
  if (hints.empty()) {
    return;
  }
  Write(" /*+ ");
  WriteList(hints, [this](const Hint& hint) {
    Write(QuoteIdentifier(hint.name.text));
    if (hint.options.empty()) {
      return;
    }
    Write("(");
    WriteList(hint.options, [this](const HintOption& option) {
      if (option.key.has_value()) {
        WriteString(*option.key);
        Write(" = ");
      }
      if (option.value_is_string) {
        WriteString(option.value);
      } else {
        Write(option.value);
      }
    });
    Write(")");
  });
  Write(" */");
}

}  // namespace lakeward::sql
