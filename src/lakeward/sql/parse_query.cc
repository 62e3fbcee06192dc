#include <algorithm>

#include "lakeward/sql/parser.h"

namespace lakeward::sql {
namespace {

bool HasTailClauses(const Query& query) {
  return !query.with.empty() || !query.order_by.empty() || query.offset != nullptr ||
         query.limit != nullptr;
}

}  // namespace

Result<QueryPtr> Parser::ParseQuery() {
  Nesting nesting(&nesting_, &frames_);
  LW_TRY(CheckNesting());
  const int deepest_outside = deepest_;
  deepest_ = 0;
  const SqlPosition at = cursor_.position();
  std::vector<CommonTableExpression> with;
  bool recursive = false;
  LW_TRY(ParseWith(&with, &recursive));
  LW_ASSIGN(std::shared_ptr<Query> query, ParseQueryBody());
  if (!with.empty()) {
    if (HasTailClauses(*query)) {
      auto nested = MakeNode<NestedQuery>(at);
      nested->query = std::move(query);
      query = std::move(nested);
    }
    query->position = at;
    query->with = std::move(with);
    query->with_recursive = recursive;
  }
  query->nesting_depth = deepest_ + 1;
  deepest_ = std::max(deepest_outside, query->nesting_depth);
  return query;
}

Result<std::shared_ptr<Query>> Parser::ParseQueryBody() {
  LW_ASSIGN(std::shared_ptr<Query> term, ParseQueryTerm());
  LW_ASSIGN(term, ParseSetOperators(std::move(term), false));
  return ParseOrderAndLimit(std::move(term));
}

Result<QueryPtr> Parser::ParseQueryAfter(QueryPtr first) {
  const int deepest_outside = deepest_;
  deepest_ = first->nesting_depth;
  // A query that the parser just made is not shared yet.
  auto left = std::const_pointer_cast<Query>(std::move(first));
  LW_ASSIGN(std::shared_ptr<Query> query, ParseSetOperators(std::move(left), false));
  LW_ASSIGN(query, ParseOrderAndLimit(std::move(query)));
  query->nesting_depth = deepest_ + 1;
  deepest_ = std::max(deepest_outside, query->nesting_depth);
  return query;
}

bool Parser::AtQueryContinuation() const {
  switch (cursor_.current().keyword) {
    case Keyword::kUnion:
    case Keyword::kIntersect:
    case Keyword::kExcept:
    case Keyword::kOrder:
    case Keyword::kLimit:
    case Keyword::kOffset:
    case Keyword::kFetch:
      return true;
    default:
      return false;
  }
}

Result<QueryPtr> Parser::ParseParenthesizedQuery() {
  if (!AtParenthesizedQuery()) {
    LW_TRY(cursor_.Expect(TokenKind::kLeftParen));
    cursor_.Note("a query");
    return cursor_.Unexpected();
  }
  LW_ASSIGN(ParenthesizedContent content, ParseParenthesized());
  if (content.query == nullptr) {
    return cursor_.Error(content.position, "expected a query between these parentheses");
  }
  return std::move(content.query);
}

Result<std::shared_ptr<Query>> Parser::ParseQueryTerm() {
  switch (cursor_.current().keyword) {
    case Keyword::kSelect:
      return ParseSelect();
    case Keyword::kValues:
      return ParseValues();
    case Keyword::kTable: {
      auto table = MakeNode<TableQuery>(cursor_.position());
      cursor_.Advance();
      LW_ASSIGN(table->name, ParseQualifiedName("the name of a table"));
      return table;
    }
    default:
      break;
  }
  if (cursor_.current().kind == TokenKind::kLeftParen) {
    LW_ASSIGN(QueryPtr query, ParseParenthesizedQuery());
    return std::const_pointer_cast<Query>(std::move(query));
  }
  cursor_.At(Keyword::kSelect);
  cursor_.At(Keyword::kValues);
  cursor_.At(TokenKind::kLeftParen);
  return cursor_.Unexpected();
}

Result<std::shared_ptr<Query>> Parser::ParseSetOperators(std::shared_ptr<Query> left,
                                                         bool only_intersect) {
  while (true) {
    TokenCursor::MinorScope minor(&cursor_);
    SetOperator op;
    if (cursor_.At(Keyword::kIntersect)) {
      op = SetOperator::kIntersect;
    } else if (only_intersect) {
      return left;
    } else if (cursor_.At(Keyword::kUnion)) {
      op = SetOperator::kUnion;
    } else if (cursor_.At(Keyword::kExcept)) {
      op = SetOperator::kExcept;
    } else {
      return left;
    }
    cursor_.Advance();
    auto operation = MakeNode<SetOperationQuery>(left->position);
    operation->op = op;
    operation->all = cursor_.Accept(Keyword::kAll);
    if (!operation->all) {
      cursor_.Accept(Keyword::kDistinct);
    }
    LW_ASSIGN(std::shared_ptr<Query> right, ParseQueryTerm());
    if (op != SetOperator::kIntersect) {
      LW_ASSIGN(right, ParseSetOperators(std::move(right), true));
    }
    operation->left = std::move(left);
    operation->right = std::move(right);
    left = std::move(operation);
  }
}

Status Parser::ParseWith(std::vector<CommonTableExpression>* with, bool* recursive) {
  if (cursor_.current().keyword != Keyword::kWith) {
    return Status::OK();
  }
  cursor_.Advance();
  {
    TokenCursor::MinorScope minor(&cursor_);
    *recursive = cursor_.Accept(Keyword::kRecursive);
  }
  do {
    CommonTableExpression table;
    LW_ASSIGN(table.name, cursor_.ExpectIdentifier("a name for the query"));
    if (cursor_.current().kind == TokenKind::kLeftParen) {
      LW_ASSIGN(table.columns, ParseIdentifierList("the name of a column"));
    }
    LW_TRY(cursor_.Expect(Keyword::kAs));
    LW_ASSIGN(table.query, ParseParenthesizedQuery());
    with->push_back(std::move(table));
  } while (cursor_.Accept(TokenKind::kComma));
  return Status::OK();
}

Result<std::shared_ptr<Query>> Parser::ParseOrderAndLimit(std::shared_ptr<Query> query) {
  if (!AtQueryContinuation()) {
    // Told as expected, although not tried.
    TokenCursor::MinorScope minor(&cursor_);
    cursor_.Accept({Keyword::kOrder, Keyword::kBy});
    cursor_.At(Keyword::kLimit);
    cursor_.At(Keyword::kOffset);
    cursor_.At(Keyword::kFetch);
    return query;
  }
  if (HasTailClauses(*query)) {
    auto nested = MakeNode<NestedQuery>(query->position);
    nested->query = std::move(query);
    query = std::move(nested);
  }
  if (cursor_.Accept({Keyword::kOrder, Keyword::kBy})) {
    LW_ASSIGN(query->order_by, ParseOrderItems());
  }
  LW_TRY(ParseLimitClauses(query.get()));
  return query;
}

Status Parser::ParseLimitClauses(Query* query) {
  TokenCursor::MinorScope minor(&cursor_);
  bool limited = false;
  while (true) {
    if (!limited && cursor_.Accept(Keyword::kLimit)) {
      limited = true;
      if (!cursor_.Accept(Keyword::kAll)) {
        LW_ASSIGN(query->limit, ParseExpression());
      }
    } else if (query->offset == nullptr && cursor_.Accept(Keyword::kOffset)) {
      LW_ASSIGN(query->offset, ParseExpression());
      if (!cursor_.Accept(Keyword::kRow)) {
        cursor_.Accept(Keyword::kRows);
      }
    } else if (!limited && cursor_.Accept(Keyword::kFetch)) {
      limited = true;
      if (!cursor_.Accept(Keyword::kFirst)) {
        LW_TRY(cursor_.Expect(Keyword::kNext));
      }
      LW_ASSIGN(query->limit, ParseExpression());
      if (!cursor_.Accept(Keyword::kRow)) {
        LW_TRY(cursor_.Expect(Keyword::kRows));
      }
      LW_TRY(cursor_.Expect(Keyword::kOnly));
    } else {
      return Status::OK();
    }
  }
}

Result<std::shared_ptr<Query>> Parser::ParseValues() {
  auto values = MakeNode<ValuesQuery>(cursor_.position());
  cursor_.Advance();
  LW_ASSIGN(values->rows, ParseExpressionList());
  return values;
}

Result<std::shared_ptr<Query>> Parser::ParseSelect() {
  auto select = MakeNode<SelectQuery>(cursor_.position());
  cursor_.Advance();
  LW_ASSIGN(select->hints, ParseHints());
  {
    TokenCursor::MinorScope minor(&cursor_);
    if (cursor_.Accept(Keyword::kDistinct)) {
      select->quantifier = SetQuantifier::kDistinct;
    } else if (cursor_.Accept(Keyword::kAll)) {
      select->quantifier = SetQuantifier::kAll;
    }
  }
  LW_TRY(ParseSelectItems(select.get()));
  if (cursor_.Accept(Keyword::kFrom)) {
    LW_ASSIGN(select->from, ParseFrom());
    LW_TRY(ParseSelectClauses(select.get()));
  }
  return select;
}

Status Parser::ParseSelectItems(SelectQuery* select) {
  do {
    LW_ASSIGN(SelectItem item, ParseSelectItem());
    select->items.push_back(std::move(item));
  } while (cursor_.Accept(TokenKind::kComma));
  return Status::OK();
}

Result<SelectItem> Parser::ParseSelectItem() {
  SelectItem item;
  if (cursor_.current().kind == TokenKind::kStar) {
    item.expression = MakeNode<StarExpression>(cursor_.position());
    cursor_.Advance();
    return item;
  }
  LW_ASSIGN(item.expression, ParseExpression());
  {
    TokenCursor::MinorScope minor(&cursor_);
    if (cursor_.Accept(Keyword::kAs)) {
      LW_ASSIGN(item.alias, cursor_.ExpectIdentifier("a name"));
      return item;
    }
  }
  // What else could stand here, in case that the alias turns out to be a misspelt keyword.
  cursor_.At(TokenKind::kComma);
  cursor_.At(Keyword::kFrom);
  if (nesting_ <= 1) {
    cursor_.At(TokenKind::kEnd);
  }
  if (cursor_.AtIdentifier("a name", TokenCursor::Weight::kMinor)) {
    item.alias = cursor_.TakeImplicitAlias();
  }
  return item;
}

Status Parser::ParseSelectClauses(SelectQuery* select) {
  if (cursor_.Accept(Keyword::kWhere)) {
    LW_ASSIGN(select->where, ParseExpression());
  }
  if (cursor_.Accept({Keyword::kGroup, Keyword::kBy})) {
    LW_TRY(ParseGroupBy(select));
  }
  if (cursor_.Accept(Keyword::kHaving)) {
    LW_ASSIGN(select->having, ParseExpression());
  }
  TokenCursor::MinorScope minor(&cursor_);
  if (cursor_.Accept(Keyword::kWindow)) {
    do {
      NamedWindow window;
      LW_ASSIGN(window.name, cursor_.ExpectIdentifier("the name of a window"));
      LW_TRY(cursor_.Expect(Keyword::kAs));
      LW_ASSIGN(window.window, ParseWindowSpecification());
      select->windows.push_back(std::move(window));
    } while (cursor_.Accept(TokenKind::kComma));
  }
  if (cursor_.Accept(Keyword::kQualify)) {
    LW_ASSIGN(select->qualify, ParseExpression());
  }
  return Status::OK();
}

Status Parser::ParseGroupBy(SelectQuery* select) {
  select->grouped = true;
  {
    TokenCursor::MinorScope minor(&cursor_);
    if (cursor_.Accept(Keyword::kDistinct)) {
      select->group_quantifier = SetQuantifier::kDistinct;
    } else if (cursor_.Accept(Keyword::kAll)) {
      select->group_quantifier = SetQuantifier::kAll;
    }
  }
  do {
    LW_ASSIGN(GroupingElement element, ParseGroupingElement());
    select->group_by.push_back(std::move(element));
  } while (cursor_.Accept(TokenKind::kComma));
  return Status::OK();
}

Result<GroupingElement> Parser::ParseGroupingElement() {
  Nesting nesting(&nesting_, &frames_);
  LW_TRY(CheckNesting());
  GroupingElement element;
  element.position = cursor_.position();
  TokenCursor::MinorScope minor(&cursor_);
  if (cursor_.Accept({Keyword::kGrouping, Keyword::kSets})) {
    element.kind = GroupingKind::kGroupingSets;
  } else if (cursor_.Accept(Keyword::kRollup)) {
    element.kind = GroupingKind::kRollup;
  } else if (cursor_.Accept(Keyword::kCube)) {
    element.kind = GroupingKind::kCube;
  } else {
    return ParseGroupingSet();
  }
  LW_TRY(cursor_.Expect(TokenKind::kLeftParen));
  do {
    if (element.kind == GroupingKind::kGroupingSets) {
      LW_ASSIGN(GroupingElement member, ParseGroupingElement());
      element.members.push_back(std::move(member));
    } else {
      LW_ASSIGN(GroupingElement member, ParseGroupingSet());
      element.members.push_back(std::move(member));
    }
  } while (cursor_.Accept(TokenKind::kComma));
  LW_TRY(cursor_.Expect(TokenKind::kRightParen));
  return element;
}

Result<GroupingElement> Parser::ParseGroupingSet() {
  GroupingElement element;
  element.position = cursor_.position();
  if (cursor_.current().kind == TokenKind::kLeftParen &&
      cursor_.IsAhead(1, TokenKind::kRightParen)) {
    cursor_.Advance();
    cursor_.Advance();
    element.kind = GroupingKind::kSet;
    return element;
  }
  LW_ASSIGN(element.expression, ParseExpression());
  const auto* row = element.expression->AsIf<RowExpression>();
  if (row != nullptr && !row->keyword) {
    element.kind = GroupingKind::kSet;
    for (const ExpressionPtr& item : row->items) {
      GroupingElement member;
      member.position = item->position;
      member.expression = item;
      element.members.push_back(std::move(member));
    }
    element.expression = nullptr;
  }
  return element;
}

}  // namespace lakeward::sql
