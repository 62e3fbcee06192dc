#include "lakeward/stream/operators/relabel.h"

#include <utility>

#include "arrow/record_batch.h"

namespace lakeward::stream {
namespace {

class RelabelOperator final : public Operator {
 public:
  explicit RelabelOperator(std::shared_ptr<arrow::Schema> schema) : schema_(std::move(schema)) {}

  Status Open(const TaskContext& context) override { return Status::OK(); }

  Status ProcessBatch(int input, const Batch& batch, Output* output) override {
    Batch relabelled = batch;
    relabelled.records =
        arrow::RecordBatch::Make(schema_, batch.records->num_rows(), batch.records->columns());
    return output->Emit(std::move(relabelled));
  }

 private:
  const std::shared_ptr<arrow::Schema> schema_;
};

}  // namespace

std::unique_ptr<Operator> MakeRelabelOperator(std::shared_ptr<arrow::Schema> schema) {
  return std::make_unique<RelabelOperator>(std::move(schema));
}

}  // namespace lakeward::stream
