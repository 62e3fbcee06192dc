#pragma once

#include <string>
#include <string_view>

#include "lakeward/plan/physical_plan.h"

namespace lakeward::plan {

/// The identity of a node's state: its kind, its place ("0.1.0": root 0, its second input, that
/// one's first), and a hash of what it computes. Checkpoints are restored by it, so it must come
/// out the same for the same statement in every later version.
std::string MakeNodeId(const PhysicalNode& node, std::string_view place);

}  // namespace lakeward::plan
