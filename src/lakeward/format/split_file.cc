#include <algorithm>

#include "lakeward/format/format.h"

namespace lakeward::format {

std::vector<FileRange> SplitFile(const Format& format, const fs::Location& file,
                                 int64_t file_size_bytes, int parts_max, int64_t part_bytes_min) {
  FileRange whole{.file = file, .file_size_bytes = file_size_bytes};
  if (format.splitting == Splitting::kWholeFile) {
    return {std::move(whole)};
  }
  const int64_t parts = std::clamp<int64_t>(file_size_bytes / std::max<int64_t>(part_bytes_min, 1),
                                            1, std::max(parts_max, 1));
  std::vector<FileRange> ranges;
  for (int64_t i = 0; i < parts; ++i) {
    FileRange range = whole;
    // Parts differ by one byte at most; the division is taken apart so that it cannot overflow.
    const auto bound = [&](int64_t part) {
      return file_size_bytes / parts * part + std::min(part, file_size_bytes % parts);
    };
    range.offset = bound(i);
    range.length = bound(i + 1) - range.offset;
    ranges.push_back(std::move(range));
  }
  return ranges;
}

}  // namespace lakeward::format
