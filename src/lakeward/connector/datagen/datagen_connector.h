#pragma once

#include <memory>

#include "lakeward/connector/connector.h"

namespace lakeward::connector {

/// 'connector' = 'datagen': random values and sequences at a given rate, with Flink's options. A
/// row's values depend only on the job's seed and the row's number, so that a restored job goes on
/// exactly.
std::shared_ptr<const Connector> MakeDatagenConnector();

}  // namespace lakeward::connector
