#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

namespace lakeward::test {

/// The path of `name` in the folder of reference data that others wrote: $LAKEWARD_SHARED, else
/// "shared" beside the repository in which the test runs. Empty when it is not there; the test then
/// skips with that reason.
inline std::string ReferencePath(const std::string& name) {
  namespace files = std::filesystem;
  files::path root;
  if (const char* variable = std::getenv("LAKEWARD_SHARED")) {
    root = variable;
  } else {
    files::path folder = files::current_path();
    while (!files::exists(folder / "CMakePresets.json") && folder.has_relative_path()) {
      folder = folder.parent_path();
    }
    root = folder.parent_path() / "shared";
  }
  const files::path path = root / name;
  return files::exists(path) ? path.string() : "";
}

}  // namespace lakeward::test
