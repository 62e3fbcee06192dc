#include "fmt/format.h"
#include "lakeward/sql/parser.h"

namespace lakeward::sql {
namespace {

/// The kind of a type whose name is one word; nothing for other words.
std::optional<TypeNameKind> SimpleTypeKind(Keyword keyword) {
  switch (keyword) {
    case Keyword::kBoolean:
      return TypeNameKind::kBoolean;
    case Keyword::kTinyint:
      return TypeNameKind::kTinyInt;
    case Keyword::kSmallint:
      return TypeNameKind::kSmallInt;
    case Keyword::kInt:
    case Keyword::kInteger:
      return TypeNameKind::kInt;
    case Keyword::kBigint:
      return TypeNameKind::kBigInt;
    case Keyword::kFloat:
    case Keyword::kReal:
      return TypeNameKind::kFloat;
    case Keyword::kDouble:
      return TypeNameKind::kDouble;
    case Keyword::kDecimal:
    case Keyword::kDec:
    case Keyword::kNumeric:
      return TypeNameKind::kDecimal;
    case Keyword::kChar:
    case Keyword::kCharacter:
    case Keyword::kNchar:
      return TypeNameKind::kChar;
    case Keyword::kVarchar:
      return TypeNameKind::kVarChar;
    case Keyword::kString:
      return TypeNameKind::kString;
    case Keyword::kBinary:
      return TypeNameKind::kBinary;
    case Keyword::kVarbinary:
      return TypeNameKind::kVarBinary;
    case Keyword::kBytes:
      return TypeNameKind::kBytes;
    case Keyword::kDate:
      return TypeNameKind::kDate;
    case Keyword::kTime:
      return TypeNameKind::kTime;
    case Keyword::kTimestamp:
      return TypeNameKind::kTimestamp;
    case Keyword::kTimestampLtz:
      return TypeNameKind::kTimestampLtz;
    case Keyword::kInterval:
      return TypeNameKind::kInterval;
    case Keyword::kArray:
      return TypeNameKind::kArray;
    case Keyword::kMultiset:
      return TypeNameKind::kMultiset;
    case Keyword::kMap:
      return TypeNameKind::kMap;
    case Keyword::kRow:
      return TypeNameKind::kRow;
    case Keyword::kRaw:
      return TypeNameKind::kRaw;
    case Keyword::kNull:
      return TypeNameKind::kNull;
    default:
      return std::nullopt;
  }
}

bool HasLength(TypeNameKind kind) {
  switch (kind) {
    case TypeNameKind::kDecimal:
    case TypeNameKind::kChar:
    case TypeNameKind::kVarChar:
    case TypeNameKind::kBinary:
    case TypeNameKind::kVarBinary:
    case TypeNameKind::kTime:
    case TypeNameKind::kTimestamp:
    case TypeNameKind::kTimestampLtz:
      return true;
    default:
      return false;
  }
}

struct TimeUnitWord {
  Keyword keyword;
  TimeUnit unit;
};

constexpr TimeUnitWord kTimeUnits[] = {
    {Keyword::kYear, TimeUnit::kYear},
    {Keyword::kYears, TimeUnit::kYear},
    {Keyword::kQuarter, TimeUnit::kQuarter},
    {Keyword::kQuarters, TimeUnit::kQuarter},
    {Keyword::kMonth, TimeUnit::kMonth},
    {Keyword::kMonths, TimeUnit::kMonth},
    {Keyword::kWeek, TimeUnit::kWeek},
    {Keyword::kWeeks, TimeUnit::kWeek},
    {Keyword::kDay, TimeUnit::kDay},
    {Keyword::kDays, TimeUnit::kDay},
    {Keyword::kHour, TimeUnit::kHour},
    {Keyword::kHours, TimeUnit::kHour},
    {Keyword::kMinute, TimeUnit::kMinute},
    {Keyword::kMinutes, TimeUnit::kMinute},
    {Keyword::kSecond, TimeUnit::kSecond},
    {Keyword::kSeconds, TimeUnit::kSecond},
    {Keyword::kMillisecond, TimeUnit::kMillisecond},
    {Keyword::kMicrosecond, TimeUnit::kMicrosecond},
    {Keyword::kNanosecond, TimeUnit::kNanosecond},
    {Keyword::kEpoch, TimeUnit::kEpoch},
    {Keyword::kDow, TimeUnit::kDayOfWeek},
    {Keyword::kDayofweek, TimeUnit::kDayOfWeek},
    {Keyword::kDoy, TimeUnit::kDayOfYear},
    {Keyword::kDayofyear, TimeUnit::kDayOfYear},
    {Keyword::kIsodow, TimeUnit::kIsoDayOfWeek},
    {Keyword::kIsoyear, TimeUnit::kIsoYear},
    {Keyword::kDecade, TimeUnit::kDecade},
    {Keyword::kCentury, TimeUnit::kCentury},
    {Keyword::kMillennium, TimeUnit::kMillennium},
    {Keyword::kSqlTsiYear, TimeUnit::kYear},
    {Keyword::kSqlTsiQuarter, TimeUnit::kQuarter},
    {Keyword::kSqlTsiMonth, TimeUnit::kMonth},
    {Keyword::kSqlTsiWeek, TimeUnit::kWeek},
    {Keyword::kSqlTsiDay, TimeUnit::kDay},
    {Keyword::kSqlTsiHour, TimeUnit::kHour},
    {Keyword::kSqlTsiMinute, TimeUnit::kMinute},
    {Keyword::kSqlTsiSecond, TimeUnit::kSecond},
    {Keyword::kSqlTsiMicrosecond, TimeUnit::kMicrosecond},
    {Keyword::kSqlTsiFracSecond, TimeUnit::kNanosecond},
};

const TimeUnitWord* FindTimeUnit(Keyword keyword) {
  for (const TimeUnitWord& word : kTimeUnits) {
    if (word.keyword == keyword) {
      return &word;
    }
  }
  return nullptr;
}

}  // namespace

bool Parser::AtTimeUnit() const { return FindTimeUnit(cursor_.current().keyword) != nullptr; }

std::optional<TimeUnit> Parser::AcceptTimeUnit() {
  const TimeUnitWord* word = FindTimeUnit(cursor_.current().keyword);
  if (word == nullptr) {
    cursor_.Note("a time unit such as DAY or SECOND");
    return std::nullopt;
  }
  cursor_.Advance();
  return word->unit;
}

Result<IntervalQualifier> Parser::ParseIntervalQualifier() {
  IntervalQualifier qualifier;
  std::optional<TimeUnit> unit = AcceptTimeUnit();
  if (!unit.has_value()) {
    return cursor_.Unexpected();
  }
  qualifier.from = *unit;
  TokenCursor::MinorScope minor(&cursor_);
  if (cursor_.Accept(TokenKind::kLeftParen)) {
    LW_ASSIGN(qualifier.leading_precision, ParseSmallInteger("a precision"));
    if (qualifier.from == TimeUnit::kSecond && cursor_.Accept(TokenKind::kComma)) {
      LW_ASSIGN(qualifier.fractional_precision, ParseSmallInteger("a precision"));
    }
    LW_TRY(cursor_.Expect(TokenKind::kRightParen));
  }
  // `FLOOR(INTERVAL '1' DAY TO DAY)` has its own TO: only a finer unit belongs to the qualifier.
  const TimeUnitWord* to = FindTimeUnit(cursor_.Ahead(1).keyword);
  const bool day_time = qualifier.from == TimeUnit::kDay || qualifier.from == TimeUnit::kHour ||
                        qualifier.from == TimeUnit::kMinute;
  const bool finer = to != nullptr &&
                     (qualifier.from == TimeUnit::kYear
                          ? to->unit == TimeUnit::kMonth
                          : day_time && to->unit > qualifier.from && to->unit <= TimeUnit::kSecond);
  if (finer && cursor_.Accept(Keyword::kTo)) {
    qualifier.to = AcceptTimeUnit();
    if (qualifier.to == TimeUnit::kSecond && cursor_.Accept(TokenKind::kLeftParen)) {
      LW_ASSIGN(qualifier.fractional_precision, ParseSmallInteger("a precision"));
      LW_TRY(cursor_.Expect(TokenKind::kRightParen));
    }
  }
  return qualifier;
}

Status Parser::ParseNullability(TypeName* type) {
  TokenCursor::MinorScope minor(&cursor_);
  if (cursor_.Accept({Keyword::kNot, Keyword::kNull})) {
    type->nullable = false;
  } else {
    cursor_.Accept(Keyword::kNull);
  }
  return Status::OK();
}

Result<TypeNamePtr> Parser::ParseTypeName(Nullability nullability) {
  Nesting nesting(&nesting_, &frames_);
  LW_TRY(CheckNesting());
  LW_ASSIGN(std::shared_ptr<TypeName> type, ParseTypeNameBase());
  const bool nullability_allowed = nullability == Nullability::kAllowed;
  if (nullability_allowed) {
    LW_TRY(ParseNullability(type.get()));
  }
  // `INT NOT NULL ARRAY`, `INT MULTISET`: each one wraps what stands before it.
  for (int wrapped = nesting_; cursor_.current().keyword == Keyword::kArray ||
                               cursor_.current().keyword == Keyword::kMultiset;
       ++wrapped) {
    if (wrapped > options_.nesting_depth_max) {
      return NestingError(cursor_.position());
    }
    const bool array = cursor_.current().keyword == Keyword::kArray;
    cursor_.Advance();
    auto collection =
        MakeNode<TypeName>(type->position, array ? TypeNameKind::kArray : TypeNameKind::kMultiset);
    collection->element = std::move(type);
    type = std::move(collection);
    if (nullability_allowed) {
      LW_TRY(ParseNullability(type.get()));
    }
  }
  return type;
}

Result<std::shared_ptr<TypeName>> Parser::ParseTypeNameBase() {
  const SqlPosition at = cursor_.position();
  const std::optional<TypeNameKind> kind = SimpleTypeKind(cursor_.current().keyword);
  if (!kind.has_value()) {
    if (!cursor_.AtIdentifier("a data type")) {
      return cursor_.Unexpected();
    }
    auto type = MakeNode<TypeName>(at, TypeNameKind::kUserDefined);
    LW_ASSIGN(type->user_defined, ParseQualifiedName("a data type"));
    return type;
  }
  const Keyword keyword = cursor_.current().keyword;
  auto type = MakeNode<TypeName>(at, *kind);
  cursor_.Advance();
  TokenCursor::MinorScope minor(&cursor_);
  switch (*kind) {
    case TypeNameKind::kDouble:
      cursor_.Accept(Keyword::kPrecision);
      break;
    case TypeNameKind::kChar:
      if (keyword == Keyword::kCharacter && cursor_.Accept(Keyword::kVarying)) {
        type->kind = TypeNameKind::kVarChar;
      }
      break;
    case TypeNameKind::kBinary:
      if (cursor_.Accept(Keyword::kVarying)) {
        type->kind = TypeNameKind::kVarBinary;
      }
      break;
    case TypeNameKind::kInterval: {
      LW_ASSIGN(type->interval, ParseIntervalQualifier());
      break;
    }
    case TypeNameKind::kArray:
    case TypeNameKind::kMultiset: {
      LW_TRY(cursor_.Expect(TokenKind::kLess));
      LW_ASSIGN(type->element, ParseTypeName());
      LW_TRY(cursor_.Expect(TokenKind::kGreater));
      break;
    }
    case TypeNameKind::kMap: {
      LW_TRY(cursor_.Expect(TokenKind::kLess));
      LW_ASSIGN(type->key, ParseTypeName());
      LW_TRY(cursor_.Expect(TokenKind::kComma));
      LW_ASSIGN(type->element, ParseTypeName());
      LW_TRY(cursor_.Expect(TokenKind::kGreater));
      break;
    }
    case TypeNameKind::kRow:
      if (cursor_.Accept(TokenKind::kNotEqual)) {  // ROW<> without fields
        break;
      }
      if (cursor_.Accept(TokenKind::kLess)) {
        LW_ASSIGN(type->fields, ParseRowTypeFields(TokenKind::kGreater));
      } else {
        LW_TRY(cursor_.Expect(TokenKind::kLeftParen));
        LW_ASSIGN(type->fields, ParseRowTypeFields(TokenKind::kRightParen));
      }
      break;
    case TypeNameKind::kRaw: {
      LW_TRY(cursor_.Expect(TokenKind::kLeftParen));
      LW_ASSIGN(type->raw_class, ParseString());
      LW_TRY(cursor_.Expect(TokenKind::kComma));
      LW_ASSIGN(type->raw_snapshot, ParseString());
      LW_TRY(cursor_.Expect(TokenKind::kRightParen));
      break;
    }
    default:
      break;
  }
  LW_TRY(ParseTypeLength(type.get()));
  LW_TRY(ParseTimeTypeTail(type.get()));
  return type;
}

Status Parser::ParseTypeLength(TypeName* type) {
  if (!HasLength(type->kind) || !cursor_.Accept(TokenKind::kLeftParen)) {
    return Status::OK();
  }
  LW_ASSIGN(type->precision, ParseSmallInteger("a length or precision"));
  if (type->kind == TypeNameKind::kDecimal && cursor_.Accept(TokenKind::kComma)) {
    LW_ASSIGN(type->scale, ParseSmallInteger("a scale"));
  }
  return cursor_.Expect(TokenKind::kRightParen);
}

Status Parser::ParseTimeTypeTail(TypeName* type) {
  if (type->kind != TypeNameKind::kTime && type->kind != TypeNameKind::kTimestamp) {
    return Status::OK();
  }
  if (cursor_.Accept({Keyword::kWithout, Keyword::kTime, Keyword::kZone})) {
    return Status::OK();
  }
  const SqlPosition at = cursor_.position();
  if (type->kind == TypeNameKind::kTimestamp &&
      cursor_.Accept({Keyword::kWith, Keyword::kLocal, Keyword::kTime, Keyword::kZone})) {
    type->kind = TypeNameKind::kTimestampLtz;
  } else if (cursor_.Accept({Keyword::kWith, Keyword::kTime, Keyword::kZone})) {
    return MakeError(
        ErrorKind::kUnsupported, "not supported: the type TIMESTAMP WITH TIME ZONE",
        "Use TIMESTAMP_LTZ, which holds an instant and is shown in the session's zone.", at);
  }
  return Status::OK();
}

Result<std::vector<TypeNameField>> Parser::ParseRowTypeFields(TokenKind close) {
  std::vector<TypeNameField> fields;
  if (cursor_.Accept(close)) {
    return fields;
  }
  do {
    TypeNameField field;
    LW_ASSIGN(field.name, cursor_.ExpectIdentifier("the name of a field"));
    LW_ASSIGN(field.type, ParseTypeName());
    if (AtStringLiteral()) {
      LW_ASSIGN(field.comment, ParseString());
    }
    fields.push_back(std::move(field));
  } while (cursor_.Accept(TokenKind::kComma));
  LW_TRY(cursor_.Expect(close));
  return fields;
}

}  // namespace lakeward::sql
