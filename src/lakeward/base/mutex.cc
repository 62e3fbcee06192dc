#include "lakeward/base/mutex.h"

#include <chrono>

namespace lakeward {

void CondVar::Wait(Mutex* mutex) {
  std::unique_lock<std::mutex> lock(mutex->mutex_, std::adopt_lock);
  condition_.wait(lock);
  lock.release();
}

bool CondVar::WaitForMicros(Mutex* mutex, int64_t timeout_us) {
  std::unique_lock<std::mutex> lock(mutex->mutex_, std::adopt_lock);
  const auto outcome = condition_.wait_for(lock, std::chrono::microseconds(timeout_us));
  lock.release();
  return outcome == std::cv_status::no_timeout;
}

}  // namespace lakeward
