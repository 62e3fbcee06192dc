#pragma once

#include <memory>

#include "lakeward/connector/connector.h"

namespace lakeward::connector {

/// 'connector' = 'result-file': keeps the whole current result of a query, whatever changes it
/// emits, in one JSON file that is replaced at each checkpoint:
///
///   {"sink_id": "…", "checkpoint": 7, "rows": [{"k":"a","n":3}, …]}
///
/// For small results and for tests: the rows live in memory and in every checkpoint.
std::shared_ptr<const Connector> MakeResultFileConnector();

}  // namespace lakeward::connector
