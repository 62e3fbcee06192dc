#include "lakeward/sql/operator_precedence.h"

namespace lakeward::sql {

int PrecedenceOf(BinaryOperator op) {
  switch (op) {
    case BinaryOperator::kOr:
      return kOrPrecedence;
    case BinaryOperator::kAnd:
      return kAndPrecedence;
    case BinaryOperator::kPlus:
    case BinaryOperator::kMinus:
      return kAdditivePrecedence;
    case BinaryOperator::kMultiply:
    case BinaryOperator::kDivide:
    case BinaryOperator::kModulo:
    case BinaryOperator::kConcat:
      return kMultiplicativePrecedence;
    case BinaryOperator::kMultisetUnion:
    case BinaryOperator::kMultisetUnionDistinct:
    case BinaryOperator::kMultisetExcept:
    case BinaryOperator::kMultisetExceptDistinct:
      return kMultisetUnionPrecedence;
    case BinaryOperator::kMultisetIntersect:
    case BinaryOperator::kMultisetIntersectDistinct:
      return kMultisetIntersectPrecedence;
    default:
      return kComparisonPrecedence;
  }
}

}  // namespace lakeward::sql
