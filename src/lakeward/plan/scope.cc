#include "lakeward/plan/scope.h"

#include <optional>
#include <utility>

#include "lakeward/base/similar_names.h"

namespace lakeward::plan {
namespace {

// "Columns here: a, b, c", cut short when there are many.
std::string ListColumns(const std::vector<std::string>& names) {
  constexpr size_t kShownMax = 20;
  if (names.empty()) {
    return "There is no table behind FROM whose columns could be used.";
  }
  std::string list = "Columns here: ";
  for (size_t i = 0; i < names.size() && i < kShownMax; ++i) {
    list += (i == 0 ? "" : ", ") + names[i];
  }
  return list + (names.size() > kShownMax ? ", …" : ".");
}

std::string HintFor(const std::string& name, const std::vector<std::string>& names) {
  const std::string near = DidYouMean(name, names);
  return near.empty() ? ListColumns(names) : near;
}

}  // namespace

void Scope::Add(std::string alias, std::vector<std::string> path, const types::RowSchema& columns) {
  relations_.push_back({std::move(alias), std::move(path), columns_.size(), columns.size()});
  columns_.columns.insert(columns_.columns.end(), columns.columns.begin(), columns.columns.end());
}

bool Scope::Matches(const Relation& relation, const sql::QualifiedName& name,
                    size_t part_count) const {
  if (part_count == 1 && !relation.alias.empty()) {
    return relation.alias == name.parts[0].text;
  }
  if (part_count > relation.path.size()) {
    return false;
  }
  const size_t skipped = relation.path.size() - part_count;
  for (size_t i = 0; i < part_count; ++i) {
    if (relation.path[skipped + i] != name.parts[i].text) {
      return false;
    }
  }
  return part_count > 0;
}

Result<ResolvedColumn> Scope::Resolve(const sql::QualifiedName& name) const {
  for (size_t qualifier = std::min<size_t>(name.size() - 1, 3); qualifier > 0; --qualifier) {
    for (const Relation& relation : relations_) {
      if (!Matches(relation, name, qualifier)) {
        continue;
      }
      for (int i = relation.first_column; i < relation.first_column + relation.column_count; ++i) {
        if (columns_.columns[i].name == name.parts[qualifier].text) {
          return ResolvedColumn{i, columns_.columns[i].type, qualifier + 1};
        }
      }
      return UnknownColumnOf(relation, name.parts[qualifier]);
    }
  }
  std::optional<int> found;
  for (int i = 0; i < columns_.size(); ++i) {
    if (columns_.columns[i].name == name.parts[0].text) {
      if (found.has_value()) {
        return MakeError(ErrorKind::kValidation, "Column '" + name.parts[0].text + "' is ambiguous",
                         "More than one table behind FROM has it: write the table's name or alias "
                         "and a dot before it.",
                         name.position());
      }
      found = i;
    }
  }
  if (!found.has_value()) {
    return UnknownColumn(name);
  }
  return ResolvedColumn{*found, columns_.columns[*found].type, 1};
}

const std::string& Scope::AliasOf(int column) const {
  size_t i = relations_.size() - 1;
  while (relations_[i].first_column > column) {
    --i;
  }
  return relations_[i].alias;
}

Status Scope::UnknownColumnOf(const Relation& relation, const sql::Identifier& column) const {
  std::vector<std::string> names;
  for (int i = relation.first_column; i < relation.first_column + relation.column_count; ++i) {
    names.push_back(columns_.columns[i].name);
  }
  const std::string& table = relation.alias.empty() ? relation.path.back() : relation.alias;
  return MakeError(ErrorKind::kValidation,
                   "Column '" + column.text + "' not found in table '" + table + "'",
                   HintFor(column.text, names), column.position);
}

Status Scope::UnknownColumn(const sql::QualifiedName& name) const {
  if (name.size() > 1) {
    std::vector<std::string> tables;
    for (const Relation& relation : relations_) {
      if (!relation.alias.empty()) {
        tables.push_back(relation.alias);
      }
    }
    std::string known = DidYouMean(name.parts[0].text, tables);
    if (known.empty()) {
      known = tables.empty() ? ListColumns(columns_.Names()) : "Tables here: ";
      for (size_t i = 0; i < tables.size(); ++i) {
        known += (i == 0 ? "" : ", ") + tables[i];
      }
    }
    return MakeError(
        ErrorKind::kValidation,
        "Table or column '" + name.parts[0].text + "' not found (in '" + name.ToString() + "')",
        known, name.position());
  }
  const std::string& column = name.parts[0].text;
  return MakeError(ErrorKind::kValidation, "Column '" + column + "' not found in any table",
                   HintFor(column, columns_.Names()), name.position());
}

Result<Scope::Relation> Scope::ResolveRelation(const sql::QualifiedName& name) const {
  for (const Relation& relation : relations_) {
    if (Matches(relation, name, name.size())) {
      return relation;
    }
  }
  std::vector<std::string> tables;
  for (const Relation& relation : relations_) {
    tables.push_back(relation.alias);
  }
  return MakeError(ErrorKind::kValidation, "Unknown identifier '" + name.ToString() + "' before .*",
                   DidYouMean(name.back().text, tables), name.position());
}

}  // namespace lakeward::plan
