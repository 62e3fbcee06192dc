#include "lakeward/runtime/job.h"

#include <utility>

#include "lakeward/runtime/job_runner.h"
#include "lakeward/runtime/options.h"

namespace lakeward::runtime {

std::string_view ToString(JobState state) {
  switch (state) {
    case JobState::kInitializing:
      return "INITIALIZING";
    case JobState::kCreated:
      return "CREATED";
    case JobState::kRunning:
      return "RUNNING";
    case JobState::kFailing:
      return "FAILING";
    case JobState::kFailed:
      return "FAILED";
    case JobState::kCancelling:
      return "CANCELLING";
    case JobState::kCanceled:
      return "CANCELED";
    case JobState::kFinished:
      return "FINISHED";
  }
  return "UNKNOWN";
}

Result<std::shared_ptr<Job>> Job::Start(JobDescription description,
                                        const catalog::EngineContext* engine) {
  LW_ASSIGN(JobSettings settings, JobSettings::Read(description.settings));
  auto job = std::make_shared<JobRunner>(std::move(description), std::move(settings), engine);
  LW_TRY(job->Start());
  return std::shared_ptr<Job>(std::move(job));
}

}  // namespace lakeward::runtime
