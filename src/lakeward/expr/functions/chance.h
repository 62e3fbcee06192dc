#pragma once

#include "lakeward/base/random.h"
#include "lakeward/expr/evaluator.h"

namespace lakeward::expr {

/// The context's source of chance, the system's when it has none.
inline Random* RandomOf(const EvaluationContext& context) {
  return context.random == nullptr ? SystemRandom() : context.random;
}

}  // namespace lakeward::expr
