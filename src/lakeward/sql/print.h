#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "lakeward/sql/ast.h"

namespace lakeward::sql {

/// The canonical Flink SQL text of a tree, on one line; parsing it again gives an equal tree.
/// Identifiers are quoted with backticks where they were quoted or need it. None of these recurse
/// into long chains.
std::string ToSql(const Statement& statement);
std::string ToSql(const Query& query);
std::string ToSql(const Expression& expression);
std::string ToSql(const TypeName& type);
std::string ToSql(const QualifiedName& name);
std::string ToSql(const Identifier& identifier);

/// The parts that stand for a name of a tree, by the name's place in the tree.
using FullNames = std::map<const QualifiedName*, std::vector<std::string>>;

/// The text that Flink keeps of a view's query: names in backticks, those in `full_names` with the
/// parts given there, each clause on a line of its own. Parsing it again gives a query of the same
/// meaning.
std::string ToViewSql(const Query& query, const FullNames& full_names);

/// `name` as an identifier: with backticks (doubled inside) when it is a reserved word or not a
/// plain word.
std::string QuoteIdentifier(std::string_view name);
/// The same, with backticks always.
std::string QuoteIdentifierAlways(std::string_view name);
/// `value` as a string literal: in single quotes, doubled inside.
std::string QuoteString(std::string_view value);

}  // namespace lakeward::sql
