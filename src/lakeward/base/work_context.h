#pragma once

#include <memory>
#include <string>

#include "lakeward/base/request_journal.h"

namespace lakeward {

/// For whom a thread works. Log lines and errors of the layers below tell it; they do nothing else
/// with it.
struct WorkContext {
  std::string job;   ///< its name; empty outside of jobs
  std::string task;  ///< "Source: t -> Sink: u (1/2)", or what else of the job is at work
  /// Takes what becomes of the requests that are made for it; may be null.
  std::shared_ptr<RequestJournal> requests;
};

/// What the calling thread works for; never null. Work that is given to an Executor keeps it.
std::shared_ptr<const WorkContext> CurrentWorkContext();

/// Makes the calling thread work for somebody until the end of the scope. Scopes nest.
class ScopedWorkContext {
 public:
  explicit ScopedWorkContext(std::shared_ptr<const WorkContext> context);
  explicit ScopedWorkContext(WorkContext context);
  ~ScopedWorkContext();
  ScopedWorkContext(const ScopedWorkContext&) = delete;
  ScopedWorkContext& operator=(const ScopedWorkContext&) = delete;

 private:
  std::shared_ptr<const WorkContext> before_;
};

/// "[job j, task t, thread s3-1]", without what is empty.
std::string DescribeWork();

}  // namespace lakeward
