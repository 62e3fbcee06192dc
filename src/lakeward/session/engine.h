#pragma once

#include <memory>

#include "lakeward/catalog/table_factory.h"
#include "lakeward/expr/function.h"

namespace lakeward::session {

/// What is built once per program and shared by all sessions. Immutable after MakeEngine.
struct Engine {
  catalog::EngineContext context;
  catalog::TableFactories factories;
  const expr::FunctionRegistry* functions = nullptr;
};

}  // namespace lakeward::session
