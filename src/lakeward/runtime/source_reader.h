#pragma once

#include <memory>
#include <string>
#include <vector>

#include "lakeward/base/status.h"
#include "lakeward/runtime/split_assigner.h"
#include "lakeward/runtime/task_report.h"
#include "lakeward/stream/source.h"

namespace lakeward::runtime {

/// Reads a source on behalf of one subtask: takes splits from the assigner, polls the open ones in
/// turn and knows how far it has come. One thread.
class SourceReader {
 public:
  /// Everything pointed to outlives the reader.
  SourceReader(std::string name, stream::Source* source, SplitAssigner* assigner,
               const stream::TaskContext* context)
      : name_(std::move(name)), source_(source), assigner_(assigner), context_(context) {}

  /// kBatch: rows; kIdle: nothing for `wait_us`; kSplitEnd: everything is read. Errors name the
  /// source and the split.
  Result<stream::PollResult> Poll();

  SourceProgress Progress() const;

 private:
  struct OpenSplit {
    stream::Split split;
    std::unique_ptr<stream::SplitReader> reader;
  };

  Status OpenMore();
  Status Named(const Status& status, const stream::Split& split) const;

  const std::string name_;
  stream::Source* const source_;
  SplitAssigner* const assigner_;
  const stream::TaskContext* const context_;
  std::vector<OpenSplit> open_;
  size_t next_ = 0;
  std::vector<std::string> finished_;
};

}  // namespace lakeward::runtime
