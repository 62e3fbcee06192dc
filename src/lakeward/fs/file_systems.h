#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "lakeward/base/status.h"
#include "lakeward/fs/faulty.h"
#include "lakeward/fs/file_system.h"

namespace lakeward::fs {

/// A place in a store: the file system and the path within it.
struct Location {
  std::shared_ptr<FileSystem> file_system;
  std::string path;  ///< normalised: no "//", no trailing '/', "." and ".." resolved; begins with
                     ///< the authority where there is one ("bucket/t")
  std::string uri;   ///< what a person would write: "/tmp/t" for local files, "s3://b/t" otherwise
};

/// Finds the FileSystem that a URI or bare path means. Built once at start and passed down.
/// Thread-safe after registration.
class FileSystems {
 public:
  using Factory = std::function<Result<std::shared_ptr<FileSystem>>(std::string_view authority)>;

  /// `scheme` without "://". Registering one twice replaces it (tests wrap a faulty one round it).
  void Register(std::string scheme, Factory factory);

  /// `file://` and bare paths (relative ones against the working directory) are local; percent
  /// escapes of URIs are decoded. An unknown scheme is kUnsupported and lists the known ones.
  /// Resolving a Location's `uri` gives the same Location.
  Result<Location> Resolve(const std::string& uri) const;

  /// Every FileSystem resolved from now on fails as `faults` say; null: none does.
  void InjectFaults(std::shared_ptr<FaultPlan> faults);

  /// Local and memory (`memory://name/…`, one store per name). For tests of the whole program the
  /// environment variable LAKEWARD_FAULTS injects faults (FaultPlan::Parse); a malformed one fails
  /// every Resolve.
  static std::shared_ptr<FileSystems> Builtin();

 private:
  Status malformed_faults_;
  std::shared_ptr<FaultPlan> faults_;
  std::map<std::string, Factory, std::less<>> factories_;
};

}  // namespace lakeward::fs
