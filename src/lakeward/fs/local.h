#pragma once

#include <memory>

#include "lakeward/base/random.h"
#include "lakeward/fs/file_system.h"

namespace lakeward::fs {

/// The operating system's files; paths are absolute. A file is written under the temporary name
/// `.<name>.<uuid>.tmp` in its final folder, handed to the device, and then linked (if_absent) or
/// renamed to its own name; after that the folder is handed to the device too. Files of temporary
/// names are never listed. RemoveAll removes the folders that it leaves empty, too. `random` names
/// them and must outlive the FileSystem.
std::shared_ptr<FileSystem> MakeLocalFileSystem(Random* random = SystemRandom());

/// The temporary name under which the file `name` (without folder) is written. Names longer than
/// 200 bytes are cut, because file systems allow 255 bytes.
std::string TemporaryName(std::string_view name, Random* random);
bool IsTemporaryName(std::string_view name);

}  // namespace lakeward::fs
