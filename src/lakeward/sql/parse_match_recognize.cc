#include "lakeward/sql/parser.h"

namespace lakeward::sql {

Result<std::shared_ptr<TableReference>> Parser::ParseMatchRecognize(TableReferencePtr input) {
  auto match = MakeNode<MatchRecognizeTable>(input->position);
  match->input = std::move(input);
  LW_TRY(cursor_.Expect(TokenKind::kLeftParen));
  if (cursor_.Accept({Keyword::kPartition, Keyword::kBy})) {
    LW_ASSIGN(match->partition_by, ParseExpressionList());
  }
  if (cursor_.Accept({Keyword::kOrder, Keyword::kBy})) {
    LW_ASSIGN(match->order_by, ParseOrderItems());
  }
  if (cursor_.Accept(Keyword::kMeasures)) {
    LW_ASSIGN(match->measures, ParseMeasures());
  }
  if (cursor_.Accept({Keyword::kOne, Keyword::kRow, Keyword::kPer, Keyword::kMatch})) {
    match->all_rows = false;
  } else if (cursor_.Accept({Keyword::kAll, Keyword::kRows, Keyword::kPer, Keyword::kMatch})) {
    match->all_rows = true;
  }
  if (cursor_.Accept({Keyword::kAfter, Keyword::kMatch})) {
    LW_TRY(ParseAfterMatch(match.get()));
  }
  LW_TRY(cursor_.Expect(Keyword::kPattern));
  LW_TRY(cursor_.Expect(TokenKind::kLeftParen));
  match->anchored_start = cursor_.Accept(TokenKind::kCaret);
  LW_ASSIGN(match->pattern, ParsePattern());
  if (cursor_.current().text == "$") {
    cursor_.Advance();
    match->anchored_end = true;
  }
  LW_TRY(cursor_.Expect(TokenKind::kRightParen));
  if (cursor_.Accept(Keyword::kWithin)) {
    LW_ASSIGN(match->within, ParseExpression());
  }
  if (cursor_.Accept(Keyword::kSubset)) {
    do {
      PatternSubset subset;
      LW_ASSIGN(subset.name, cursor_.ExpectIdentifier("the name of a subset"));
      LW_TRY(cursor_.Expect(TokenKind::kEqual));
      LW_ASSIGN(subset.variables, ParseIdentifierList("a pattern variable"));
      match->subsets.push_back(std::move(subset));
    } while (cursor_.Accept(TokenKind::kComma));
  }
  LW_TRY(cursor_.Expect(Keyword::kDefine));
  LW_ASSIGN(match->definitions, ParseDefinitions());
  LW_TRY(cursor_.Expect(TokenKind::kRightParen));
  return match;
}

Status Parser::ParseAfterMatch(MatchRecognizeTable* match) {
  LW_TRY(cursor_.Expect(Keyword::kSkip));
  if (cursor_.Accept(Keyword::kPast)) {
    match->after_match = AfterMatch::kSkipPastLastRow;
    return cursor_.Expect({Keyword::kLast, Keyword::kRow});
  }
  LW_TRY(cursor_.Expect(Keyword::kTo));
  if (cursor_.Accept(Keyword::kNext)) {
    match->after_match = AfterMatch::kSkipToNextRow;
    return cursor_.Expect(Keyword::kRow);
  }
  match->after_match = AfterMatch::kSkipToVariable;
  if (cursor_.Accept(Keyword::kFirst)) {
    match->after_match = AfterMatch::kSkipToFirst;
  } else if (cursor_.Accept(Keyword::kLast)) {
    match->after_match = AfterMatch::kSkipToLast;
  }
  LW_ASSIGN(match->after_match_variable, cursor_.ExpectIdentifier("a pattern variable"));
  return Status::OK();
}

Result<std::vector<NamedPatternExpression>> Parser::ParseMeasures() {
  std::vector<NamedPatternExpression> measures;
  do {
    NamedPatternExpression measure;
    LW_ASSIGN(measure.expression, ParseExpression());
    LW_TRY(cursor_.Expect(Keyword::kAs));
    LW_ASSIGN(measure.name, cursor_.ExpectIdentifier("a name"));
    measures.push_back(std::move(measure));
  } while (cursor_.Accept(TokenKind::kComma));
  return measures;
}

Result<std::vector<NamedPatternExpression>> Parser::ParseDefinitions() {
  std::vector<NamedPatternExpression> definitions;
  do {
    NamedPatternExpression definition;
    LW_ASSIGN(definition.name, cursor_.ExpectIdentifier("a pattern variable"));
    LW_TRY(cursor_.Expect(Keyword::kAs));
    LW_ASSIGN(definition.expression, ParseExpression());
    definitions.push_back(std::move(definition));
  } while (cursor_.Accept(TokenKind::kComma));
  return definitions;
}

Result<PatternPtr> Parser::ParsePattern() {
  Nesting nesting(&nesting_, &frames_);
  LW_TRY(CheckNesting());
  auto alternation = MakeNode<Pattern>(cursor_.position(), PatternKind::kAlternation);
  do {
    LW_ASSIGN(PatternPtr part, ParsePatternTerm());
    alternation->parts.push_back(std::move(part));
  } while (cursor_.Accept(TokenKind::kPipe));
  if (alternation->parts.size() == 1) {
    return alternation->parts.front();
  }
  return alternation;
}

Result<PatternPtr> Parser::ParsePatternTerm() {
  auto concatenation = MakeNode<Pattern>(cursor_.position(), PatternKind::kConcatenation);
  do {
    LW_ASSIGN(PatternPtr part, ParsePatternFactor());
    concatenation->parts.push_back(std::move(part));
  } while (cursor_.current().text != "$" &&
           (cursor_.At(TokenKind::kLeftParen) || cursor_.At(TokenKind::kLeftBrace) ||
            cursor_.At(Keyword::kPermute) || cursor_.AtIdentifier("a pattern variable")));
  if (concatenation->parts.size() == 1) {
    return concatenation->parts.front();
  }
  return concatenation;
}

Result<PatternPtr> Parser::ParsePatternFactor() {
  LW_ASSIGN(PatternPtr primary, ParsePatternPrimary());
  auto repeat = MakeNode<Pattern>(primary->position, PatternKind::kRepeat);
  if (cursor_.Accept(TokenKind::kStar)) {
    repeat->repeat_min = 0;
  } else if (cursor_.Accept(TokenKind::kPlus)) {
    repeat->repeat_min = 1;
  } else if (cursor_.Accept(TokenKind::kQuestion)) {
    repeat->repeat_min = 0;
    repeat->repeat_max = 1;
  } else if (cursor_.current().kind == TokenKind::kLeftBrace &&
             !cursor_.IsAhead(1, TokenKind::kMinus)) {
    cursor_.Advance();
    repeat->repeat_min = 0;
    if (cursor_.current().kind == TokenKind::kInteger) {
      LW_ASSIGN(repeat->repeat_min, ParseSmallInteger("a number of repetitions"));
      repeat->repeat_max = repeat->repeat_min;
    }
    if (cursor_.Accept(TokenKind::kComma)) {
      repeat->repeat_max.reset();
      if (cursor_.current().kind == TokenKind::kInteger) {
        LW_ASSIGN(repeat->repeat_max, ParseSmallInteger("a number of repetitions"));
      }
    }
    LW_TRY(cursor_.Expect(TokenKind::kRightBrace));
  } else {
    return primary;
  }
  repeat->reluctant = cursor_.Accept(TokenKind::kQuestion);
  repeat->parts.push_back(std::move(primary));
  return repeat;
}

Result<PatternPtr> Parser::ParsePatternPrimary() {
  const SqlPosition at = cursor_.position();
  if (cursor_.Accept(TokenKind::kLeftParen)) {
    LW_ASSIGN(PatternPtr inner, ParsePattern());
    LW_TRY(cursor_.Expect(TokenKind::kRightParen));
    return inner;
  }
  if (cursor_.Accept(TokenKind::kLeftBrace)) {
    auto exclude = MakeNode<Pattern>(at, PatternKind::kExclude);
    LW_TRY(cursor_.Expect(TokenKind::kMinus));
    LW_ASSIGN(PatternPtr inner, ParsePattern());
    exclude->parts.push_back(std::move(inner));
    LW_TRY(cursor_.Expect(TokenKind::kMinus));
    LW_TRY(cursor_.Expect(TokenKind::kRightBrace));
    return exclude;
  }
  if (cursor_.Accept(Keyword::kPermute)) {
    auto permute = MakeNode<Pattern>(at, PatternKind::kPermute);
    LW_TRY(cursor_.Expect(TokenKind::kLeftParen));
    do {
      LW_ASSIGN(PatternPtr part, ParsePattern());
      permute->parts.push_back(std::move(part));
    } while (cursor_.Accept(TokenKind::kComma));
    LW_TRY(cursor_.Expect(TokenKind::kRightParen));
    return permute;
  }
  auto variable = MakeNode<Pattern>(at, PatternKind::kVariable);
  LW_ASSIGN(variable->variable, cursor_.ExpectIdentifier("a pattern variable"));
  return variable;
}

}  // namespace lakeward::sql
