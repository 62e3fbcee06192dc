#include "lakeward/runtime/result_queue.h"

#include <utility>

namespace lakeward::runtime {
namespace {

class CollectWriter final : public stream::Writer {
 public:
  explicit CollectWriter(std::shared_ptr<ResultQueue> queue) : queue_(std::move(queue)) {}

  Status Write(const stream::Batch& batch) override {
    if (!queue_->Push(batch)) {
      return MakeError(ErrorKind::kCancelled, "nobody reads the result any more");
    }
    return Status::OK();
  }

  Result<std::vector<stream::Committable>> PrepareCommit(int64_t checkpoint_id) override {
    return std::vector<stream::Committable>{};
  }

 private:
  const std::shared_ptr<ResultQueue> queue_;
};

class CollectSink final : public stream::Sink {
 public:
  explicit CollectSink(std::shared_ptr<ResultQueue> queue) : queue_(std::move(queue)) {}

  Result<std::unique_ptr<stream::Writer>> MakeWriter(
      const stream::WriterContext& context) override {
    return std::make_unique<CollectWriter>(queue_);
  }

 private:
  const std::shared_ptr<ResultQueue> queue_;
};

}  // namespace

std::shared_ptr<stream::Sink> MakeCollectSink(std::shared_ptr<ResultQueue> queue) {
  return std::make_shared<CollectSink>(std::move(queue));
}

}  // namespace lakeward::runtime
