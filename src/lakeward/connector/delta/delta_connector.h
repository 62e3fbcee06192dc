#pragma once

#include <memory>

#include "lakeward/connector/connector.h"

namespace lakeward::connector {

/// 'connector' = 'delta': the bridge between the engine and table/delta. Reads a table's newest
/// snapshot (or `versionAsOf`), appends to it with one log entry per checkpoint.
std::shared_ptr<const Connector> MakeDeltaConnector();

}  // namespace lakeward::connector
