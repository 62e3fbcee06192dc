#include "lakeward/sql/operator_precedence.h"
#include "lakeward/sql/sql_printer.h"

namespace lakeward::sql {
namespace {

bool HasTailClauses(const Query& query) {
  return !query.with.empty() || !query.order_by.empty() || query.offset != nullptr ||
         query.limit != nullptr;
}

}  // namespace

void SqlPrinter::Print(const Query& query) {
  if (!query.with.empty()) {
    Write(query.with_recursive ? "WITH RECURSIVE " : "WITH ");
    WriteList(query.with, [this](const CommonTableExpression& table) {
      Print(table.name);
      if (!table.columns.empty()) {
        Write(" ");
        PrintNames(table.columns);
      }
      Write(" AS ");
      PrintParenthesized(*table.query);
    });
    Write(" ");
  }
  PrintQueryBody(query);
  if (!query.order_by.empty()) {
    WriteClause("ORDER BY ");
    PrintOrder(query.order_by);
  }
  PrintLimit(query);
}

void SqlPrinter::PrintLimit(const Query& query) {
  if (for_view()) {
    if (query.offset != nullptr) {
      WriteClause("OFFSET ");
      Print(*query.offset);
      Write(" ROWS");
    }
    if (query.limit != nullptr) {
      WriteClause("FETCH NEXT ");
      Print(*query.limit);
      Write(" ROWS ONLY");
    }
    return;
  }
  if (query.limit != nullptr) {
    Write(" LIMIT ");
    Print(*query.limit);
  }
  if (query.offset != nullptr) {
    Write(" OFFSET ");
    Print(*query.offset);
    Write(" ROWS");
  }
}

void SqlPrinter::PrintQueryBody(const Query& query) {
  switch (query.kind) {
    case QueryKind::kSelect:
      return PrintSelect(query.As<SelectQuery>());
    case QueryKind::kValues:
      return PrintValues(query.As<ValuesQuery>());
    case QueryKind::kSetOperation:
      return PrintSetOperation(query.As<SetOperationQuery>());
    case QueryKind::kTable:
      Write("TABLE ");
      return Print(query.As<TableQuery>().name);
    case QueryKind::kNested:
      return PrintParenthesized(*query.As<NestedQuery>().query);
  }
}

void SqlPrinter::PrintValues(const ValuesQuery& values) {
  Write("VALUES ");
  if (!for_view()) {
    return PrintExpressions(values.rows);
  }
  bool first = true;
  for (const ExpressionPtr& row : values.rows) {
    Write(first ? "ROW(" : ",\nROW(");
    first = false;
    if (const auto* fields = row->AsIf<RowExpression>()) {
      PrintExpressions(fields->items);
    } else {
      Print(*row);
    }
    Write(")");
  }
}

void SqlPrinter::PrintSetOperand(const Query& query, bool parenthesize_set_operations) {
  const bool parentheses = query.kind == QueryKind::kNested || HasTailClauses(query) ||
                           (parenthesize_set_operations && query.kind == QueryKind::kSetOperation);
  if (parentheses) {
    return PrintParenthesized(query);
  }
  PrintQueryBody(query);
}

void SqlPrinter::PrintSetOperation(const SetOperationQuery& top) {
  const std::vector<const SetOperationQuery*> spine = LeftSpine(top);
  std::vector<bool> parenthesized(spine.size(), false);
  for (size_t i = 0; i + 1 < spine.size(); ++i) {
    parenthesized[i] =
        spine[i]->op != SetOperator::kIntersect && spine[i + 1]->op == SetOperator::kIntersect;
    Write(parenthesized[i] ? "(" : "");
  }
  PrintSetOperand(*spine.front()->left, true);
  static constexpr std::string_view kOperators[] = {"UNION", "INTERSECT", "EXCEPT"};
  for (size_t i = 0; i < spine.size(); ++i) {
    WriteClause(kOperators[static_cast<size_t>(spine[i]->op)]);
    Write(spine[i]->all ? " ALL" : "");
    WriteClause("");
    PrintSetOperand(*spine[i]->right, true);
    Write(parenthesized[i] ? ")" : "");
  }
}

void SqlPrinter::PrintSelect(const SelectQuery& select) {
  Write("SELECT");
  PrintHints(select.hints);
  if (select.quantifier != SetQuantifier::kUnspecified) {
    Write(select.quantifier == SetQuantifier::kDistinct ? " DISTINCT" : " ALL");
  }
  Write(" ");
  WriteList(select.items, [this](const SelectItem& item) {
    Print(*item.expression);
    if (item.alias.has_value()) {
      Write(" AS ");
      Print(*item.alias);
    }
  });
  if (select.from == nullptr) {
    return;
  }
  WriteClause("FROM ");
  PrintTable(*select.from);
  if (select.where != nullptr) {
    WriteClause("WHERE ");
    Print(*select.where);
  }
  if (select.grouped) {
    WriteClause("GROUP BY ");
    if (select.group_quantifier != SetQuantifier::kUnspecified) {
      Write(select.group_quantifier == SetQuantifier::kDistinct ? "DISTINCT " : "ALL ");
    }
    WriteList(select.group_by, [this](const GroupingElement& element) { PrintGrouping(element); });
  }
  if (select.having != nullptr) {
    WriteClause("HAVING ");
    Print(*select.having);
  }
  if (!select.windows.empty()) {
    WriteClause("WINDOW ");
    WriteList(select.windows, [this](const NamedWindow& window) {
      Print(window.name);
      Write(" AS ");
      PrintWindow(window.window);
    });
  }
  if (select.qualify != nullptr) {
    WriteClause("QUALIFY ");
    Print(*select.qualify);
  }
}

void SqlPrinter::PrintGrouping(const GroupingElement& element) {
  static constexpr std::string_view kWords[] = {"", "", "ROLLUP ", "CUBE ", "GROUPING SETS "};
  if (element.kind == GroupingKind::kExpression) {
    return Print(*element.expression);
  }
  Write(kWords[static_cast<size_t>(element.kind)]);
  Write("(");
  WriteList(element.members, [this](const GroupingElement& member) { PrintGrouping(member); });
  Write(")");
}

void SqlPrinter::PrintTable(const TableReference& table) {
  if (table.kind == TableReferenceKind::kJoin) {
    return PrintJoins(table.As<JoinTable>());
  }
  PrintTableBody(table);
  PrintTableAlias(table);
  if (const auto* named = table.AsIf<NamedTable>()) {
    PrintSample(named->sample);
  } else if (const auto* subquery = table.AsIf<SubqueryTable>()) {
    PrintSample(subquery->sample);
  }
}

void SqlPrinter::PrintTableAlias(const TableReference& table) {
  if (!table.alias.has_value()) {
    return;
  }
  Write(" AS ");
  Print(*table.alias);
  if (!table.column_aliases.empty()) {
    Write(" ");
    PrintNames(table.column_aliases);
  }
}

void SqlPrinter::PrintSample(const std::optional<TableSample>& sample) {
  if (!sample.has_value()) {
    return;
  }
  Write(sample->bernoulli ? " TABLESAMPLE BERNOULLI(" : " TABLESAMPLE SYSTEM(");
  Write(sample->percentage);
  Write(")");
  if (sample->seed.has_value()) {
    Write(" REPEATABLE(");
    Write(*sample->seed);
    Write(")");
  }
}

void SqlPrinter::PrintJoins(const JoinTable& top) {
  static constexpr std::string_view kJoins[] = {"",          "CROSS JOIN", "JOIN",
                                                "LEFT JOIN", "RIGHT JOIN", "FULL JOIN"};
  const std::vector<const JoinTable*> spine = LeftSpine(top);
  std::vector<bool> parenthesized(spine.size(), false);
  for (size_t i = 0; i + 1 < spine.size(); ++i) {
    parenthesized[i] = spine[i]->join == JoinKind::kComma && spine[i + 1]->join != JoinKind::kComma;
    Write(parenthesized[i] ? "(" : "");
  }
  PrintTable(*spine.front()->left);
  for (size_t i = 0; i < spine.size(); ++i) {
    const JoinTable& join = *spine[i];
    if (join.join == JoinKind::kComma) {
      Write(",");
      WriteClause("");
    } else {
      WriteClause(join.natural ? "NATURAL " : "");
      Write(for_view() && join.join == JoinKind::kInner ? "INNER " : "");
      Write(kJoins[static_cast<size_t>(join.join)]);
      Write(" ");
    }
    const bool nested = join.right->kind == TableReferenceKind::kJoin;
    Write(nested ? "(" : "");
    PrintTable(*join.right);
    Write(nested ? ")" : "");
    if (join.on != nullptr) {
      Write(" ON ");
      Print(*join.on);
    } else if (!join.using_columns.empty()) {
      Write(" USING ");
      PrintNames(join.using_columns);
    }
    Write(parenthesized[i] ? ")" : "");
  }
}

void SqlPrinter::PrintTableBody(const TableReference& table) {
  switch (table.kind) {
    case TableReferenceKind::kNamed: {
      const auto& named = table.As<NamedTable>();
      Print(named.name);
      PrintHints(named.hints);
      if (named.system_time != nullptr) {
        Write(" FOR SYSTEM_TIME AS OF ");
        Print(*named.system_time);
      }
      return;
    }
    case TableReferenceKind::kSubquery:
      Write(table.As<SubqueryTable>().lateral ? "LATERAL " : "");
      return PrintParenthesized(*table.As<SubqueryTable>().query);
    case TableReferenceKind::kFunction: {
      const auto& function = table.As<FunctionTable>();
      Write(function.lateral ? "LATERAL " : "");
      Write(function.table_keyword ? "TABLE(" : "");
      Print(*function.call);
      return Write(function.table_keyword ? ")" : "");
    }
    case TableReferenceKind::kUnnest: {
      const auto& unnest = table.As<UnnestTable>();
      Write(unnest.lateral ? "LATERAL UNNEST(" : "UNNEST(");
      PrintExpressions(unnest.operands);
      return Write(unnest.with_ordinality ? ") WITH ORDINALITY" : ")");
    }
    case TableReferenceKind::kMatchRecognize:
      return PrintMatchRecognize(table.As<MatchRecognizeTable>());
    case TableReferenceKind::kJoin:
      return PrintJoins(table.As<JoinTable>());
  }
}

void SqlPrinter::PrintMatchRecognize(const MatchRecognizeTable& match) {
  PrintTable(*match.input);
  Write(" MATCH_RECOGNIZE (");
  if (!match.partition_by.empty()) {
    Write("PARTITION BY ");
    PrintExpressions(match.partition_by);
    Write(" ");
  }
  if (!match.order_by.empty()) {
    Write("ORDER BY ");
    PrintOrder(match.order_by);
    Write(" ");
  }
  if (!match.measures.empty()) {
    Write("MEASURES ");
    WriteList(match.measures, [this](const NamedPatternExpression& measure) {
      Print(*measure.expression);
      Write(" AS ");
      Print(measure.name);
    });
    Write(" ");
  }
  if (match.all_rows.has_value()) {
    Write(*match.all_rows ? "ALL ROWS PER MATCH " : "ONE ROW PER MATCH ");
  }
  PrintAfterMatch(match);
  Write(match.anchored_start ? "PATTERN (^ " : "PATTERN (");
  PrintPattern(*match.pattern, false);
  Write(match.anchored_end ? " $)" : ")");
  if (match.within != nullptr) {
    Write(" WITHIN ");
    Print(*match.within);
  }
  if (!match.subsets.empty()) {
    Write(" SUBSET ");
    WriteList(match.subsets, [this](const PatternSubset& subset) {
      Print(subset.name);
      Write(" = ");
      PrintNames(subset.variables);
    });
  }
  Write(" DEFINE ");
  WriteList(match.definitions, [this](const NamedPatternExpression& definition) {
    Print(definition.name);
    Write(" AS ");
    Print(*definition.expression);
  });
  Write(")");
}

void SqlPrinter::PrintAfterMatch(const MatchRecognizeTable& match) {
  static constexpr std::string_view kSkips[] = {"",          "TO NEXT ROW", "PAST LAST ROW",
                                                "TO FIRST ", "TO LAST ",    "TO "};
  if (match.after_match == AfterMatch::kUnspecified) {
    return;
  }
  Write("AFTER MATCH SKIP ");
  Write(kSkips[static_cast<size_t>(match.after_match)]);
  if (match.after_match_variable.has_value()) {
    Print(*match.after_match_variable);
  }
  Write(" ");
}

void SqlPrinter::PrintPattern(const Pattern& pattern, bool parenthesize) {
  const bool composed = pattern.kind == PatternKind::kAlternation ||
                        pattern.kind == PatternKind::kConcatenation ||
                        pattern.kind == PatternKind::kRepeat;
  const bool parentheses = parenthesize && composed;
  Write(parentheses ? "(" : "");
  switch (pattern.kind) {
    case PatternKind::kVariable:
      Print(pattern.variable);
      break;
    case PatternKind::kAlternation:
    case PatternKind::kConcatenation: {
      bool first = true;
      for (const PatternPtr& part : pattern.parts) {
        Write(first ? "" : pattern.kind == PatternKind::kAlternation ? " | " : " ");
        first = false;
        PrintPattern(*part, part->kind != PatternKind::kRepeat);
      }
      break;
    }
    case PatternKind::kRepeat:
      PrintPattern(*pattern.parts.front(), true);
      Write("{");
      Write(std::to_string(pattern.repeat_min));
      Write(",");
      Write(pattern.repeat_max.has_value() ? std::to_string(*pattern.repeat_max) : "");
      Write(pattern.reluctant ? "}?" : "}");
      break;
    case PatternKind::kExclude:
      Write("{- ");
      PrintPattern(*pattern.parts.front(), false);
      Write(" -}");
      break;
    case PatternKind::kPermute:
      Write("PERMUTE(");
      WriteList(pattern.parts, [this](const PatternPtr& part) { PrintPattern(*part, false); });
      Write(")");
      break;
  }
  Write(parentheses ? ")" : "");
}

}  // namespace lakeward::sql
