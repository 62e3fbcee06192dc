#pragma once

#include <string>
#include <string_view>

#include "lakeward/base/status.h"
#include "lakeward/fs/file_systems.h"

namespace lakeward::delta {

/// Every byte that may not stand in a URI's path becomes "%XX" (non-ASCII bytes too); '/' stays.
/// What `add.path` and `remove.path` hold. Source: protocol, "Add File and Remove File" (RFC 2396).
std::string PercentEncodePath(std::string_view path);

/// A path of the log in the one form in which it is compared and kept: relative paths and absolute
/// local ones ("/a b", also written "file:/a%20b" or "file:///a%20b") percent-decoded, other URIs
/// as written.
std::string PathFromLog(std::string_view path_in_log);

/// The reverse of PathFromLog.
std::string PathToLog(std::string_view path);

/// Where a file of the table (path as PathFromLog gives it) lies. kUnsupported when an absolute URI
/// names another store than the table's.
Result<fs::Location> LocateFile(const fs::Location& root, const std::string& path);

/// "<root>/_delta_log" and "<root>/_delta_log/<name>", as paths of the root's file system.
std::string LogFolder(const fs::Location& root);
std::string LogPath(const fs::Location& root, std::string_view name);

}  // namespace lakeward::delta
