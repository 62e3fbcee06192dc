#include "lakeward/base/work_context.h"

#include <pthread.h>

#include <utility>

namespace lakeward {
namespace {

std::shared_ptr<const WorkContext>& Current() {
  thread_local std::shared_ptr<const WorkContext> current = std::make_shared<WorkContext>();
  return current;
}

std::string ThreadName() {
  char name[16] = {};
  return pthread_getname_np(pthread_self(), name, sizeof(name)) == 0 ? name : "";
}

}  // namespace

std::shared_ptr<const WorkContext> CurrentWorkContext() { return Current(); }

ScopedWorkContext::ScopedWorkContext(std::shared_ptr<const WorkContext> context)
    : before_(std::exchange(Current(), std::move(context))) {}

ScopedWorkContext::ScopedWorkContext(WorkContext context)
    : ScopedWorkContext(std::make_shared<WorkContext>(std::move(context))) {}

ScopedWorkContext::~ScopedWorkContext() { Current() = std::move(before_); }

std::string DescribeWork() {
  const std::shared_ptr<const WorkContext> work = CurrentWorkContext();
  std::string text = "[";
  if (!work->job.empty()) {
    text += "job " + work->job + ", ";
  }
  if (!work->task.empty()) {
    text += "task " + work->task + ", ";
  }
  return text + "thread " + ThreadName() + "]";
}

}  // namespace lakeward
