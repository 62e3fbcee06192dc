#pragma once

#include <memory>
#include <optional>

#include "lakeward/base/bounded_queue.h"
#include "lakeward/stream/sink.h"

namespace lakeward::runtime {

/// How many batches wait for a slow reader before the job does.
inline constexpr size_t kResultBatchesMax = 16;

using ResultQueue = BoundedQueue<stream::Batch>;

/// The sink of a query's result: hands rows to whoever reads the queue.
std::shared_ptr<stream::Sink> MakeCollectSink(std::shared_ptr<ResultQueue> queue);

}  // namespace lakeward::runtime
