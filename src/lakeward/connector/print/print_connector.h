#pragma once

#include <memory>

#include "lakeward/connector/connector.h"

namespace lakeward::connector {

/// 'connector' = 'print': writes each row to standard output (or standard error), `+I[1, a]` a
/// line.
std::shared_ptr<const Connector> MakePrintConnector();

}  // namespace lakeward::connector
