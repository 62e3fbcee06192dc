#pragma once

#include <memory>

#include "lakeward/connector/connector.h"

namespace lakeward::connector {

/// 'connector' = 'filesystem': plain files in a folder (or one file), any format, with Hive-style
/// partition folders. Written files appear whole and only once their checkpoint is durable.
std::shared_ptr<const Connector> MakeFilesystemConnector();

}  // namespace lakeward::connector
