#include "fmt/format.h"
#include "lakeward/sql/parser.h"

namespace lakeward::sql {

Result<TableSchema> Parser::ParseTableSchema() {
  TableSchema schema;
  LW_TRY(cursor_.Expect(TokenKind::kLeftParen));
  if (cursor_.current().kind == TokenKind::kRightParen) {
    cursor_.Advance();
    return schema;
  }
  do {
    LW_TRY(ParseTableElement(&schema, false));
  } while (cursor_.Accept(TokenKind::kComma));
  LW_TRY(cursor_.Expect(TokenKind::kRightParen));
  return schema;
}

Status Parser::ParseTableElement(TableSchema* schema, bool altering) {
  {
    TokenCursor::MinorScope minor(&cursor_);
    if (cursor_.At(Keyword::kWatermark)) {
      const SqlPosition at = cursor_.position();
      LW_ASSIGN(WatermarkDefinition watermark, ParseWatermark());
      if (!schema->watermarks.empty()) {
        return cursor_.Error(at, "there is more than one WATERMARK",
                             "A table has at most one: remove the others.");
      }
      schema->watermarks.push_back(std::move(watermark));
      return Status::OK();
    }
    if (cursor_.At(Keyword::kConstraint) || cursor_.At(Keyword::kPrimary) ||
        cursor_.At(Keyword::kUnique)) {
      LW_ASSIGN(TableConstraint constraint, ParseTableConstraint());
      schema->constraints.push_back(std::move(constraint));
      return Status::OK();
    }
  }
  LW_ASSIGN(ColumnDefinition column, ParseColumn(altering));
  schema->columns.push_back(std::move(column));
  return Status::OK();
}

Result<ColumnDefinition> Parser::ParseColumn(bool altering) {
  ColumnDefinition column;
  column.position = cursor_.position();
  LW_ASSIGN(Identifier name, cursor_.ExpectIdentifier("the name of a column"));
  column.name.parts.push_back(std::move(name));
  while (altering && cursor_.Accept(TokenKind::kDot)) {
    LW_ASSIGN(Identifier field, cursor_.ExpectIdentifier("the name of a field"));
    column.name.parts.push_back(std::move(field));
  }
  if (cursor_.Accept(Keyword::kAs)) {
    column.kind = ColumnKind::kComputed;
    LW_ASSIGN(column.expression, ParseExpression());
  } else if (!altering && (cursor_.current().kind == TokenKind::kComma ||
                           cursor_.current().kind == TokenKind::kRightParen)) {
    cursor_.Note("a data type");
    column.kind = ColumnKind::kNameOnly;
    return column;
  } else {
    LW_ASSIGN(column.type, ParseTypeName());
    TokenCursor::MinorScope minor(&cursor_);
    if (cursor_.Accept(Keyword::kMetadata)) {
      column.kind = ColumnKind::kMetadata;
      if (cursor_.Accept(Keyword::kFrom)) {
        LW_ASSIGN(column.metadata_key, ParseString());
      }
      column.is_virtual = cursor_.Accept(Keyword::kVirtual);
    } else {
      LW_TRY(ParseColumnConstraint(&column));
    }
  }
  TokenCursor::MinorScope minor(&cursor_);
  LW_ASSIGN(column.comment, ParseOptionalComment());
  if (altering) {
    if (cursor_.Accept(Keyword::kFirst)) {
      column.placement = ColumnPlacement::kFirst;
    } else if (cursor_.Accept(Keyword::kAfter)) {
      column.placement = ColumnPlacement::kAfter;
      LW_ASSIGN(column.after, ParseQualifiedName("the name of a column"));
    }
  }
  return column;
}

Status Parser::ParseColumnConstraint(ColumnDefinition* column) {
  if (cursor_.Accept(Keyword::kConstraint)) {
    LW_ASSIGN(column->constraint_name, cursor_.ExpectIdentifier("the name of a constraint"));
  }
  if (cursor_.Accept({Keyword::kPrimary, Keyword::kKey})) {
    column->primary_key = true;
  } else if (cursor_.Accept(Keyword::kUnique)) {
    column->unique = true;
  } else if (column->constraint_name.has_value()) {
    return cursor_.Unexpected();
  }
  if (column->primary_key || column->unique) {
    LW_ASSIGN(column->enforced, ParseOptionalEnforcement());
  }
  return Status::OK();
}

Result<std::optional<bool>> Parser::ParseOptionalEnforcement() {
  std::optional<bool> enforced;
  if (cursor_.Accept({Keyword::kNot, Keyword::kEnforced})) {
    enforced = false;
  } else if (cursor_.Accept(Keyword::kEnforced)) {
    enforced = true;
  }
  return enforced;
}

Result<TableConstraint> Parser::ParseTableConstraint() {
  TableConstraint constraint;
  constraint.position = cursor_.position();
  if (cursor_.Accept(Keyword::kConstraint)) {
    LW_ASSIGN(constraint.name, cursor_.ExpectIdentifier("the name of a constraint"));
  }
  if (cursor_.Accept(Keyword::kUnique)) {
    constraint.primary_key = false;
  } else {
    LW_TRY(cursor_.Expect({Keyword::kPrimary, Keyword::kKey}));
  }
  LW_ASSIGN(constraint.columns, ParseIdentifierList("the name of a column"));
  LW_ASSIGN(constraint.enforced, ParseOptionalEnforcement());
  return constraint;
}

Result<WatermarkDefinition> Parser::ParseWatermark() {
  WatermarkDefinition watermark;
  watermark.position = cursor_.position();
  LW_TRY(cursor_.Expect({Keyword::kWatermark, Keyword::kFor}));
  LW_ASSIGN(watermark.column, ParseQualifiedName("the name of a column"));
  LW_TRY(cursor_.Expect(Keyword::kAs));
  LW_ASSIGN(watermark.expression, ParseExpression());
  return watermark;
}

Result<TableDistribution> Parser::ParseDistribution() {
  TableDistribution distribution;
  distribution.position = cursor_.position();
  if (cursor_.Accept(Keyword::kBy)) {
    if (cursor_.Accept(Keyword::kHash)) {
      distribution.algorithm = "HASH";
    } else if (cursor_.Accept(Keyword::kRange)) {
      distribution.algorithm = "RANGE";
    }
    LW_ASSIGN(distribution.columns, ParseIdentifierList("the name of a column"));
    if (!cursor_.Accept(Keyword::kInto)) {
      return distribution;
    }
  } else {
    LW_TRY(cursor_.Expect(Keyword::kInto));
  }
  LW_ASSIGN(distribution.buckets, ParseSmallInteger("a number of buckets"));
  LW_TRY(cursor_.Expect(Keyword::kBuckets));
  return distribution;
}

Result<TableLike> Parser::ParseTableLike() {
  TableLike like;
  LW_ASSIGN(like.source, ParseQualifiedName("the name of a table"));
  if (!cursor_.Accept(TokenKind::kLeftParen)) {
    return like;
  }
  struct Word {
    Keyword keyword;
    LikeFeature feature;
  };
  static constexpr Word kFeatures[] = {
      {Keyword::kAll, LikeFeature::kAll},
      {Keyword::kConstraints, LikeFeature::kConstraints},
      {Keyword::kDistribution, LikeFeature::kDistribution},
      {Keyword::kGenerated, LikeFeature::kGenerated},
      {Keyword::kMetadata, LikeFeature::kMetadata},
      {Keyword::kOptions, LikeFeature::kOptions},
      {Keyword::kPartitions, LikeFeature::kPartitions},
      {Keyword::kWatermarks, LikeFeature::kWatermarks},
  };
  do {
    LikeMerge merge;
    if (cursor_.Accept(Keyword::kIncluding)) {
      merge = LikeMerge::kIncluding;
    } else if (cursor_.Accept(Keyword::kExcluding)) {
      merge = LikeMerge::kExcluding;
    } else if (cursor_.Accept(Keyword::kOverwriting)) {
      merge = LikeMerge::kOverwriting;
    } else {
      return cursor_.Unexpected();
    }
    const Word* found = nullptr;
    for (const Word& word : kFeatures) {
      if (cursor_.Accept(word.keyword)) {
        found = &word;
        break;
      }
    }
    if (found == nullptr) {
      return cursor_.Unexpected();
    }
    like.merges.emplace_back(merge, found->feature);
  } while (!cursor_.Accept(TokenKind::kRightParen));
  return like;
}

}  // namespace lakeward::sql
