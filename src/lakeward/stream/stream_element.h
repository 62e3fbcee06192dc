#pragma once

#include <cstdint>
#include <variant>

#include "lakeward/stream/batch.h"

namespace lakeward::stream {

/// Separates what belongs to checkpoint `checkpoint_id` from what comes after.
struct Barrier {
  int64_t checkpoint_id = 0;
};

/// No more elements will come on this channel.
struct EndOfInput {};

/// What travels through a channel, in order; a barrier never overtakes a batch. The variant is per
/// batch, not per row.
using StreamElement = std::variant<Batch, Barrier, EndOfInput>;

}  // namespace lakeward::stream
