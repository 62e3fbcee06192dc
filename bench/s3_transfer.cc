// One large object through the S3 client: `s3_transfer up URI BYTES` or `s3_transfer down URI`,
// with the settings of the environment's variables. Bytes are made and thrown away in blocks of 1
// MiB.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "lakeward/base/status.h"
#include "lakeward/fs/file_systems.h"
#include "lakeward/fs/s3/s3_file_system.h"

namespace lakeward {
namespace {

constexpr int64_t kBlockBytes = 1 << 20;

Status Up(const fs::Location& location, int64_t bytes) {
  std::vector<uint8_t> block(kBlockBytes);
  for (size_t i = 0; i < block.size(); ++i) {
    block[i] = static_cast<uint8_t>(i * 2654435761U >> 13);
  }
  LW_ASSIGN(const auto file, location.file_system->OpenOutput(location.path, {}));
  for (int64_t done = 0; done < bytes; done += kBlockBytes) {
    LW_TRY(file->Write(block.data(), std::min(kBlockBytes, bytes - done)));
  }
  return file->Close();
}

Status Down(const fs::Location& location) {
  std::vector<uint8_t> block(kBlockBytes);
  LW_ASSIGN(const auto file, location.file_system->OpenInput(location.path));
  LW_ASSIGN(const int64_t size, file->GetSize());
  for (int64_t done = 0; done < size;) {
    LW_ASSIGN(const int64_t count, file->ReadAt(done, kBlockBytes, block.data()));
    done += count;
  }
  return file->Close();
}

Status Transfer(const std::string& direction, const std::string& uri, int64_t bytes) {
  const auto file_systems = fs::FileSystems::Builtin();
  fs::RegisterS3(file_systems.get(), fs::S3FileSystems::Real());
  LW_ASSIGN(const auto location, file_systems->Resolve(uri, config::Configuration()));
  return direction == "up" ? Up(location, bytes) : Down(location);
}

}  // namespace
}  // namespace lakeward

int main(int argc, char** argv) {
  const bool is_up = argc == 4 && std::strcmp(argv[1], "up") == 0;
  if (!is_up && (argc != 3 || std::strcmp(argv[1], "down") != 0)) {
    std::fputs("Usage: s3_transfer up URI BYTES | s3_transfer down URI\n", stderr);
    return 2;
  }
  const lakeward::Status status =
      lakeward::Transfer(argv[1], argv[2], is_up ? std::strtoll(argv[3], nullptr, 10) : 0);
  if (!status.ok()) {
    std::fprintf(stderr, "%s\n", lakeward::Describe(status).c_str());
    return 1;
  }
  return 0;
}
