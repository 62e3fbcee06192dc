#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "lakeward/base/status.h"
#include "lakeward/config/configuration.h"
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

/// Finds the FileSystem that a URI or bare path means. Built once per program and passed down; what
/// differs between sessions, catalogs and tables comes with each Resolve. Thread-safe after
/// registration.
class FileSystems {
 public:
  using Factory = std::function<Result<std::shared_ptr<FileSystem>>(
      std::string_view authority, const config::Configuration& settings)>;

  /// `scheme` without "://". Registering one twice replaces it (tests wrap a faulty one round it).
  void Register(std::string scheme, Factory factory);
  /// Says that options which begin so are a file system's, wherever they stand.
  void AddOptionPrefixes(const std::vector<std::string>& prefixes);
  const std::vector<std::string>& option_prefixes() const { return option_prefixes_; }

  /// `file://` and bare paths (relative ones against the working directory) are local. Percent
  /// escapes are decoded in file URIs only: paths of other stores are keys, and stand for
  /// themselves as they do in Flink. An unknown scheme is kUnsupported and lists the known ones.
  /// Resolving a Location's `uri` gives the same Location. `settings` are those of whoever wants
  /// the file, its catalog's and table's options among them (AddStorageOptions).
  Result<Location> Resolve(const std::string& uri, const config::Configuration& settings) const;

  /// Adds those of a catalog's or table's options that are a file system's, so that they beat the
  /// session's. `origin` tells people where they stand: "WITH of catalog c".
  void AddStorageOptions(const config::OptionMap& options, config::Level level,
                         const std::string& origin, config::Configuration* settings) const;

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
  std::vector<std::string> option_prefixes_;
};

}  // namespace lakeward::fs
