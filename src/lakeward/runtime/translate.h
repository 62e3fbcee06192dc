#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "lakeward/base/status.h"
#include "lakeward/plan/physical_plan.h"
#include "lakeward/runtime/job_graph.h"
#include "lakeward/stream/sink.h"
#include "lakeward/stream/source.h"

namespace lakeward::runtime {

struct TranslateOptions {
  int parallelism = 1;
  /// Finds the splits of a source and how far they have been read.
  std::function<Result<SourceCheckpoint>(const std::string& operator_id, stream::Source* source)>
      find_splits;
  /// Takes the rows of the plan's CollectNode.
  std::shared_ptr<stream::Sink> collect_sink;
};

/// Turns a physical plan into a job graph: the only place that knows both. A node joins its input's
/// chain unless an exchange stands between them; an exchange between single tasks is left out.
Result<JobGraph> Translate(const plan::PhysicalPlan& plan, const TranslateOptions& options);

}  // namespace lakeward::runtime
