#pragma once

/// The whole syntax tree: read statement.h first, then query.h and expression.h.

#include "lakeward/sql/expression.h"        // IWYU pragma: export
#include "lakeward/sql/node.h"              // IWYU pragma: export
#include "lakeward/sql/query.h"             // IWYU pragma: export
#include "lakeward/sql/statement.h"         // IWYU pragma: export
#include "lakeward/sql/table_definition.h"  // IWYU pragma: export
#include "lakeward/sql/type_name.h"         // IWYU pragma: export
