#include "lakeward/fs/file_system.h"

#include "fmt/format.h"

namespace lakeward::fs {

Result<std::string> FileSystem::ReadAll(const std::string& path) {
  LW_ASSIGN(const auto file, OpenInput(path));
  LW_ASSIGN(const int64_t size, file->GetSize());
  std::string bytes(static_cast<size_t>(size), '\0');
  LW_ASSIGN(const int64_t count, file->ReadAt(0, size, bytes.data()));
  if (count != size) {
    return MakeError(ErrorKind::kIo, fmt::format("Cannot read {}: it ended after {} of {} bytes",
                                                 path, count, size));
  }
  return bytes;
}

Status FileSystem::RemoveAll(const std::vector<std::string>& paths) {
  for (const std::string& path : paths) {
    LW_TRY(Remove(path));
  }
  return Status::OK();
}

std::string JoinPath(std::string_view folder, std::string_view name) {
  if (folder.empty()) {
    return std::string(name);
  }
  while (folder.ends_with('/')) {
    folder.remove_suffix(1);
  }
  while (name.starts_with('/')) {
    name.remove_prefix(1);
  }
  return fmt::format("{}/{}", folder, name);
}

std::string_view ParentOf(std::string_view path) {
  const size_t slash = path.rfind('/');
  if (slash == std::string_view::npos) {
    return {};
  }
  return slash == 0 ? path.substr(0, 1) : path.substr(0, slash);
}

std::string_view BaseNameOf(std::string_view path) {
  const size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

}  // namespace lakeward::fs
