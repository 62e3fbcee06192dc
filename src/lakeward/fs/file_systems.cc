#include "lakeward/fs/file_systems.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <utility>
#include <vector>

#include "fmt/format.h"
#include "lakeward/base/environment.h"
#include "lakeward/base/local_file.h"
#include "lakeward/base/log.h"
#include "lakeward/base/mutex.h"
#include "lakeward/base/percent_text.h"
#include "lakeward/fs/local.h"
#include "lakeward/fs/memory.h"

namespace lakeward::fs {
namespace {

constexpr std::string_view kLocalScheme = "file";

struct UriParts {
  std::string scheme;  // lower case; empty for a bare path
  std::string authority;
  std::string path;
};

// Bare paths may hold colons: only "<scheme>:/" makes a URI.
UriParts SplitUri(const std::string& uri) {
  size_t end = 0;
  while (end < uri.size() && (std::isalnum(static_cast<unsigned char>(uri[end])) != 0 ||
                              uri[end] == '+' || uri[end] == '-' || uri[end] == '.')) {
    ++end;
  }
  const bool has_scheme = end > 0 && std::isalpha(static_cast<unsigned char>(uri[0])) != 0 &&
                          uri.compare(end, 2, ":/") == 0;
  if (!has_scheme) {
    return {"", "", uri};
  }
  UriParts parts;
  parts.scheme = uri.substr(0, end);
  std::transform(parts.scheme.begin(), parts.scheme.end(), parts.scheme.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  std::string rest = uri.substr(end + 1);
  if (rest.starts_with("//")) {
    const size_t slash = std::min(rest.size(), rest.find('/', 2));
    parts.authority = rest.substr(2, slash - 2);
    rest = rest.substr(slash);
  }
  parts.path = std::move(rest);
  return parts;
}

// "/a/b" of "//a/./x/../b/"; empty for the root. ".." above the root stays there.
std::string Normalise(std::string_view path) {
  std::vector<std::string_view> names;
  while (!path.empty()) {
    const size_t slash = std::min(path.size(), path.find('/'));
    const std::string_view name = path.substr(0, slash);
    path.remove_prefix(std::min(path.size(), slash + 1));
    if (name == "..") {
      if (!names.empty()) {
        names.pop_back();
      }
    } else if (!name.empty() && name != ".") {
      names.push_back(name);
    }
  }
  std::string normalised;
  for (const std::string_view name : names) {
    normalised += '/';
    normalised += name;
  }
  return normalised;
}

// One in-memory store per name, for the life of the factory.
class MemoryStores {
 public:
  Result<std::shared_ptr<FileSystem>> Get(std::string_view name) {
    MutexLock lock(&mutex_);
    std::shared_ptr<FileSystem>& store = stores_[std::string(name)];
    if (store == nullptr) {
      store = MakeMemoryFileSystem();
    }
    return store;
  }

 private:
  Mutex mutex_;
  std::map<std::string, std::shared_ptr<FileSystem>> stores_;
};

// The path on this machine that a bare path or the rest of a file URI means.
Result<std::string> LocalPath(const UriParts& parts, const std::string& uri) {
  if (!parts.authority.empty() && parts.authority != "localhost") {
    return MakeError(ErrorKind::kConfig,
                     fmt::format("'{}' names a file of the host '{}'", uri, parts.authority),
                     fmt::format("For a file of this machine write 'file:///{}{}'.",
                                 parts.authority, parts.path));
  }
  std::string path = parts.path;
  if (!parts.scheme.empty()) {
    path = DecodePercent(path);
  } else if (!path.starts_with('/')) {
    LW_ASSIGN(const std::string working_directory, WorkingDirectory());
    path = JoinPath(working_directory, path);
  }
  path = Normalise(path);
  return path.empty() ? "/" : path;
}

}  // namespace

void FileSystems::Register(std::string scheme, Factory factory) {
  factories_.insert_or_assign(std::move(scheme), std::move(factory));
}

void FileSystems::AddOptionPrefixes(const std::vector<std::string>& prefixes) {
  option_prefixes_.insert(option_prefixes_.end(), prefixes.begin(), prefixes.end());
}

void FileSystems::AddStorageOptions(const config::OptionMap& options, config::Level level,
                                    const std::string& origin,
                                    config::Configuration* settings) const {
  for (const auto& [key, value] : options) {
    if (std::any_of(option_prefixes_.begin(), option_prefixes_.end(),
                    [&key = key](const std::string& prefix) { return key.starts_with(prefix); })) {
      settings->Set(key, value, level, origin);
    }
  }
}

void FileSystems::InjectFaults(std::shared_ptr<FaultPlan> faults) { faults_ = std::move(faults); }

Result<Location> FileSystems::Resolve(const std::string& uri,
                                      const config::Configuration& settings) const {
  LW_TRY(malformed_faults_);
  if (uri.empty() || uri.find('\0') != std::string::npos) {
    return MakeError(ErrorKind::kConfig, fmt::format("'{}' is no path", uri),
                     "Give a path such as '/data/t' or a URI such as 's3://bucket/t'.");
  }
  UriParts parts = SplitUri(uri);
  const bool is_local = parts.scheme.empty() || parts.scheme == kLocalScheme;
  const auto factory = factories_.find(is_local ? kLocalScheme : std::string_view(parts.scheme));
  if (factory == factories_.end()) {
    std::vector<std::string> known;
    for (const auto& [scheme, unused] : factories_) {
      known.push_back(scheme + "://");
    }
    return MakeError(
        ErrorKind::kUnsupported,
        fmt::format("No file system for '{}://' (in '{}')", parts.scheme, uri),
        fmt::format("Use one of {}, or a plain path for local files.", fmt::join(known, ", ")));
  }

  Location location;
  if (is_local) {
    LW_ASSIGN(location.path, LocalPath(parts, uri));
    location.uri = location.path;
    parts.authority.clear();
  } else {
    if (parts.authority.empty()) {
      return MakeError(ErrorKind::kConfig,
                       fmt::format("'{}' lacks the name that follows '{}://'", uri, parts.scheme),
                       fmt::format("Write '{}://<name>/<path>'.", parts.scheme));
    }
    const std::string path = Normalise(parts.path);
    location.path = parts.authority + path;
    location.uri = fmt::format("{}://{}{}", parts.scheme, parts.authority, path);
  }
  if (location.path.find('\0') != std::string::npos) {
    return MakeError(ErrorKind::kConfig, fmt::format("'{}' holds an escaped NUL byte", uri));
  }
  LW_ASSIGN(location.file_system, factory->second(parts.authority, settings));
  if (faults_ != nullptr) {
    location.file_system = MakeFaultyFileSystem(std::move(location.file_system), faults_);
  }
  return location;
}

std::shared_ptr<FileSystems> FileSystems::Builtin() {
  auto file_systems = std::make_shared<FileSystems>();
  file_systems->Register(
      std::string(kLocalScheme),
      [local = MakeLocalFileSystem()](std::string_view, const auto&) { return local; });
  file_systems->Register(
      "memory", [stores = std::make_shared<MemoryStores>()](std::string_view name, const auto&) {
        return stores->Get(name);
      });
  if (const auto text = GetEnvironment("LAKEWARD_FAULTS"); text.has_value()) {
    Result<std::shared_ptr<FaultPlan>> faults = FaultPlan::Parse(*text);
    if (faults.ok()) {
      Log(LogLevel::kWarn, "fs", fmt::format("LAKEWARD_FAULTS is set: files fail on purpose"));
      file_systems->InjectFaults(*std::move(faults));
    } else {
      file_systems->malformed_faults_ = WithContext(faults.status(), "LAKEWARD_FAULTS");
    }
  }
  return file_systems;
}

}  // namespace lakeward::fs
