#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "lakeward/base/status.h"
#include "lakeward/format/format.h"
#include "lakeward/stream/source.h"

namespace lakeward::connector {

/// Reads a split through a file reader; the split's position is the reader's, as decimal text.
class FileSplitReader final : public stream::SplitReader {
 public:
  explicit FileSplitReader(std::unique_ptr<format::FileReader> reader)
      : reader_(std::move(reader)) {}

  Result<stream::PollResult> Poll() override;
  std::string Position() const override { return std::to_string(reader_->position()); }

 private:
  std::unique_ptr<format::FileReader> reader_;
};

/// The resume position that a split's text stands for; kCorruptData when it is not a number.
Result<std::optional<int64_t>> ParseFilePosition(const stream::Split& split);

}  // namespace lakeward::connector
