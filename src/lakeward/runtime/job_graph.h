#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lakeward/base/status.h"
#include "lakeward/runtime/checkpoint_metadata.h"
#include "lakeward/stream/operator.h"
#include "lakeward/stream/sink.h"
#include "lakeward/stream/source.h"
#include "lakeward/types/row_schema.h"

namespace lakeward::runtime {

/// An operator of a chain, made once per subtask.
struct OperatorSpec {
  std::string id;
  std::string name;
  std::function<Result<std::unique_ptr<stream::Operator>>()> make;
};

struct SourceSpec {
  std::string id;
  std::string name;  ///< "c.db.t"
  std::shared_ptr<stream::Source> source;
  bool bounded = true;
  /// Where reading starts: what the job was restored with, or all splits unread.
  SourceCheckpoint start;
};

struct SinkSpec {
  std::string id;
  std::string name;
  std::shared_ptr<stream::Sink> sink;
  std::string sink_id;  ///< set once the checkpoint folder is claimed
  bool writes_tables = false;
};

/// A chain of operators between exchanges; runs as `parallelism` tasks. Begins with a source or an
/// incoming edge, ends with a sink or the outgoing edge.
struct JobVertex {
  std::string name;  ///< its operators' names, joined by " -> "
  int parallelism = 1;
  std::optional<SourceSpec> source;
  std::vector<OperatorSpec> operators;
  std::optional<SinkSpec> sink;
};

enum class EdgeRouting : uint8_t {
  /// Sender i to receiver i modulo the receivers: keeps each sender's order.
  kForward,
  kRebalance,
  kHash,
};

struct JobEdge {
  int from = 0;  ///< vertex numbers
  int to = 0;
  EdgeRouting routing = EdgeRouting::kForward;
  std::vector<int> key_columns;  ///< of kHash
};

/// What a plan becomes: tasks and the channels between them. Senders have lower numbers than their
/// receivers.
struct JobGraph {
  std::vector<JobVertex> vertices;
  std::vector<JobEdge> edges;  ///< each vertex is the `from` of at most one
  bool bounded = true;
};

}  // namespace lakeward::runtime
