#include <algorithm>
#include <iterator>

#include "lakeward/sql/keyword.h"
#include "lakeward/sql/operator_precedence.h"
#include "lakeward/sql/sql_printer.h"

namespace lakeward::sql {
namespace {

// Functions of Calcite's standard operators that are no reserved words: in the texts of views they
// stand in upper case, all other functions in backticks. Sorted.
constexpr std::string_view kStandardFunctions[] = {
    "ACOS",     "ASCII",      "ASIN",         "ATAN",          "ATAN2",    "CBRT",  "COS",
    "COT",      "DAYOFMONTH", "DAYOFWEEK",    "DAYOFYEAR",     "DEGREES",  "EXP",   "GROUPING_ID",
    "GROUP_ID", "INITCAP",    "LAST_DAY",     "LISTAGG",       "LN",       "LOG10", "PI",
    "QUARTER",  "RADIANS",    "RAND",         "RAND_INTEGER",  "REPLACE",  "ROUND", "SIGN",
    "SIN",      "TAN",        "TIMESTAMPADD", "TIMESTAMPDIFF", "TRUNCATE", "WEEK",
};

std::string UpperCase(std::string_view text) {
  std::string upper(text);
  for (char& c : upper) {
    c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  }
  return upper;
}

bool IsStandardFunction(std::string_view upper_name) {
  return std::binary_search(std::begin(kStandardFunctions), std::end(kStandardFunctions),
                            upper_name);
}

}  // namespace

void SqlPrinter::PrintCallName(const QualifiedName& name) {
  // COUNT, LEFT, EXTRACT … are reserved, but before a parenthesis they need no backticks.
  if (name.size() == 1 && !name.back().quoted && IsReserved(KeywordOf(name.back().text))) {
    return Write(for_view() ? UpperCase(name.back().text) : name.back().text);
  }
  if (for_view() && name.size() == 1 && !name.back().quoted) {
    const std::string upper = UpperCase(name.back().text);
    return Write(IsStandardFunction(upper) ? upper : QuoteIdentifierAlways(name.back().text));
  }
  Print(name);
}

void SqlPrinter::PrintCall(const FunctionCallExpression& call) {
  PrintCallName(call.name);
  if (call.syntax == CallSyntax::kNoParentheses) {
    return;
  }
  if (call.syntax == CallSyntax::kPrefix) {
    Write(" ");
    return Print(*call.arguments.front().value);
  }
  Write("(");
  PrintArguments(call);
  Write(")");
  if (!call.within_group.empty()) {
    Write(" WITHIN GROUP (ORDER BY ");
    PrintOrder(call.within_group);
    Write(")");
  }
  if (call.filter != nullptr) {
    Write(" FILTER (WHERE ");
    Print(*call.filter);
    Write(")");
  }
  if (call.null_treatment == NullTreatment::kIgnoreNulls) {
    Write(" IGNORE NULLS");
  } else if (call.null_treatment == NullTreatment::kRespectNulls) {
    Write(" RESPECT NULLS");
  }
  if (call.over != nullptr) {
    Write(" OVER ");
    if (call.over->is_reference) {
      Print(*call.over->base);
    } else {
      PrintWindow(*call.over);
    }
  }
}

void SqlPrinter::PrintArgument(const FunctionArgument& argument) {
  if (argument.name.has_value()) {
    Print(*argument.name);
    Write(" => ");
  }
  Print(*argument.value);
}

void SqlPrinter::PrintArguments(const FunctionCallExpression& call) {
  if (call.quantifier != SetQuantifier::kUnspecified) {
    Write(call.quantifier == SetQuantifier::kDistinct ? "DISTINCT " : "ALL ");
  }
  if (call.star) {
    Write("*");
  } else if (call.syntax == CallSyntax::kOrdinary) {
    WriteList(call.arguments,
              [this](const FunctionArgument& argument) { PrintArgument(argument); });
  } else {
    PrintSpecialArguments(call);
  }
  if (!call.argument_order.empty()) {
    Write(" ORDER BY ");
    PrintOrder(call.argument_order);
  }
  if (call.separator != nullptr) {
    Write(" SEPARATOR ");
    Print(*call.separator);
  }
  if (call.json.has_value()) {
    PrintJsonClauses(*call.json);
  }
}

void SqlPrinter::PrintSpecialArguments(const FunctionCallExpression& call) {
  const auto print = [this, &call](size_t index) { Print(*call.arguments[index].value); };
  const size_t count = call.arguments.size();
  switch (call.syntax) {
    case CallSyntax::kExtract:
      Write(NameOf(*call.time_unit));
      Write(" FROM ");
      return print(0);
    case CallSyntax::kTrim: {
      static constexpr std::string_view kSides[] = {"BOTH ", "LEADING ", "TRAILING "};
      Write(kSides[static_cast<size_t>(call.trim_side)]);
      if (count > 1) {
        print(1);
        Write(" ");
      }
      Write("FROM ");
      return print(0);
    }
    case CallSyntax::kPosition:
      PrintExpression(*call.arguments[0].value, kPredicatePrecedence + 1);
      Write(" IN ");
      print(1);
      if (count > 2) {
        Write(" FROM ");
        print(2);
      }
      return;
    case CallSyntax::kSubstring:
      print(0);
      Write(" FROM ");
      print(1);
      if (count > 2) {
        Write(" FOR ");
        print(2);
      }
      return;
    case CallSyntax::kOverlay:
      print(0);
      Write(" PLACING ");
      print(1);
      Write(" FROM ");
      print(2);
      if (count > 3) {
        Write(" FOR ");
        print(3);
      }
      return;
    case CallSyntax::kRoundToUnit:
      print(0);
      Write(" TO ");
      return Write(NameOf(*call.time_unit));
    case CallSyntax::kTimeUnitFirst:
      Write(NameOf(*call.time_unit));
      Write(", ");
      print(0);
      Write(", ");
      return print(1);
    case CallSyntax::kUsing:
      print(0);
      Write(" USING ");
      return Print(*call.using_name);
    default:
      for (size_t i = 0; i + 1 < count; i += 2) {
        Write(i == 0 ? "KEY " : ", KEY ");
        print(i);
        Write(" VALUE ");
        print(i + 1);
      }
  }
}

void SqlPrinter::PrintJsonClauses(const JsonClauses& clauses) {
  static constexpr std::string_view kWrappers[] = {"", " WITHOUT ARRAY WRAPPER",
                                                   " WITH CONDITIONAL ARRAY WRAPPER",
                                                   " WITH UNCONDITIONAL ARRAY WRAPPER"};
  static constexpr std::string_view kBehaviors[] = {" NULL",         " ERROR",   " TRUE",
                                                    " FALSE",        " UNKNOWN", " EMPTY ARRAY",
                                                    " EMPTY OBJECT", " DEFAULT "};
  const auto print = [this](const std::optional<JsonBehavior>& behavior, std::string_view on) {
    if (behavior.has_value()) {
      Write(kBehaviors[static_cast<size_t>(behavior->kind)]);
      if (behavior->value != nullptr) {
        Print(*behavior->value);
      }
      Write(on);
    }
  };
  if (clauses.returning != nullptr) {
    Write(" RETURNING ");
    Print(*clauses.returning);
  }
  Write(kWrappers[static_cast<size_t>(clauses.wrapper)]);
  print(clauses.on_empty, " ON EMPTY");
  print(clauses.on_error, " ON ERROR");
  if (clauses.nulls == JsonNulls::kNullOnNull) {
    Write(" NULL ON NULL");
  } else if (clauses.nulls == JsonNulls::kAbsentOnNull) {
    Write(" ABSENT ON NULL");
  }
}

void SqlPrinter::PrintTableArgument(const TableArgumentExpression& table) {
  Write("TABLE ");
  if (table.query != nullptr) {
    PrintParenthesized(*table.query);
  } else {
    Print(table.table);
  }
  if (!table.partition_by.empty()) {
    Write(" PARTITION BY (");
    PrintExpressions(table.partition_by);
    Write(")");
  }
  if (!table.order_by.empty()) {
    Write(" ORDER BY (");
    PrintOrder(table.order_by);
    Write(")");
  }
}

void SqlPrinter::PrintWindow(const WindowSpecification& window) {
  std::string_view gap = "";
  const auto begin = [this, &gap](std::string_view text) {
    Write(gap);
    Write(text);
    gap = " ";
  };
  Write("(");
  if (window.base.has_value()) {
    begin("");
    Print(*window.base);
  }
  if (!window.partition_by.empty()) {
    begin("PARTITION BY ");
    PrintExpressions(window.partition_by);
  }
  if (!window.order_by.empty()) {
    begin("ORDER BY ");
    PrintOrder(window.order_by);
  }
  if (window.frame.has_value()) {
    begin(window.frame->rows ? "ROWS " : "RANGE ");
    Write(window.frame->end.has_value() ? "BETWEEN " : "");
    PrintFrameBound(window.frame->start);
    if (window.frame->end.has_value()) {
      Write(" AND ");
      PrintFrameBound(*window.frame->end);
    }
  }
  if (window.allow_partial.has_value()) {
    begin(*window.allow_partial ? "ALLOW PARTIAL" : "DISALLOW PARTIAL");
  }
  Write(")");
}

void SqlPrinter::PrintFrameBound(const FrameBound& bound) {
  if (bound.offset != nullptr) {
    PrintExpression(*bound.offset, kPredicatePrecedence + 1);
    Write(" ");
  }
  static constexpr std::string_view kBounds[] = {"UNBOUNDED PRECEDING", "PRECEDING", "CURRENT ROW",
                                                 "FOLLOWING", "UNBOUNDED FOLLOWING"};
  Write(kBounds[static_cast<size_t>(bound.kind)]);
}

}  // namespace lakeward::sql
