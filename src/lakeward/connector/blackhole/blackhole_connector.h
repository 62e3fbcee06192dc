#pragma once

#include <memory>

#include "lakeward/connector/connector.h"

namespace lakeward::connector {

/// 'connector' = 'blackhole': takes every row and keeps none; for measuring. Takes any changelog.
std::shared_ptr<const Connector> MakeBlackholeConnector();

}  // namespace lakeward::connector
