#pragma once

#include <string>

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

/// `name` as an identifier: with backticks (doubled inside) when it is a reserved word or not a
/// plain word.
std::string QuoteIdentifier(std::string_view name);
/// The same, with backticks always.
std::string QuoteIdentifierAlways(std::string_view name);
/// `value` as a string literal: in single quotes, doubled inside.
std::string QuoteString(std::string_view value);

}  // namespace lakeward::sql
