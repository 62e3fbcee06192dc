#pragma once

#include <memory>

#include "lakeward/base/clock.h"
#include "lakeward/fs/file_system.h"

namespace lakeward::fs {

/// Files in this process' memory, for tests and `memory://` tables; empty at first, gone with the
/// object. `clock` gives the modification times and must outlive the FileSystem.
std::shared_ptr<FileSystem> MakeMemoryFileSystem(Clock* clock = SystemClock());

}  // namespace lakeward::fs
