#include "lakeward/table/delta/file_path.h"

#include "lakeward/base/percent_text.h"

namespace lakeward::delta {
namespace {

bool MayStandInPath(char c) {
  if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')) {
    return true;
  }
  // RFC 2396: unreserved marks and what a path segment allows besides.
  return c != '\0' && std::string_view("-_.!~*'(),;:$&+=@/").find(c) != std::string_view::npos;
}

/// The length of "scheme" when the text begins with "scheme:", else 0.
size_t SchemeLength(std::string_view text) {
  size_t length = 0;
  while (length < text.size()) {
    const char c = text[length];
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    const bool other = (c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.';
    if (c == ':') {
      return length;
    }
    if (!letter && !(other && length > 0)) {
      return 0;
    }
    ++length;
  }
  return 0;
}

/// Whether the text is a URI and not a relative path that happens to hold a colon ("a:b/c").
bool IsAbsoluteUri(std::string_view text) {
  const size_t length = SchemeLength(text);
  return length > 1 && length + 1 < text.size() && text[length + 1] == '/';
}

/// "s3a" and "s3n" are other spellings of "s3".
std::string_view CanonicalScheme(std::string_view scheme) {
  return scheme == "s3a" || scheme == "s3n" ? std::string_view("s3") : scheme;
}

/// "s3://bucket" of "s3a://bucket/x/y".
std::string StoreOf(std::string_view uri) {
  const size_t scheme_length = SchemeLength(uri);
  std::string store(CanonicalScheme(uri.substr(0, scheme_length)));
  store += "://";
  std::string_view rest = uri.substr(scheme_length + 1);
  if (rest.starts_with("//")) {
    rest.remove_prefix(2);
    store += rest.substr(0, rest.find('/'));
  }
  return store;
}

/// "/x/y" of "s3a://bucket/x/y".
std::string_view PathInStore(std::string_view uri) {
  std::string_view rest = uri.substr(SchemeLength(uri) + 1);
  if (rest.starts_with("//")) {
    rest.remove_prefix(2);
    const size_t slash = rest.find('/');
    return slash == std::string_view::npos ? std::string_view() : rest.substr(slash);
  }
  return rest;
}

}  // namespace

std::string PercentEncodePath(std::string_view path) {
  std::string encoded;
  encoded.reserve(path.size());
  for (const char c : path) {
    if (MayStandInPath(c)) {
      encoded += c;
      continue;
    }
    AppendPercent(c, &encoded);
  }
  return encoded;
}

std::string PathFromLog(std::string_view path_in_log) {
  if (!IsAbsoluteUri(path_in_log)) {
    return DecodePercent(path_in_log);
  }
  if (path_in_log.starts_with("file:/")) {
    // "file:/a", "file:///a" and "file://localhost/a" are one file, whoever wrote them.
    return DecodePercent(PathInStore(path_in_log));
  }
  return std::string(path_in_log);
}

std::string PathToLog(std::string_view path) {
  if (IsAbsoluteUri(path)) {
    return std::string(path);
  }
  if (path.starts_with('/')) {
    return "file://" + PercentEncodePath(path);
  }
  return PercentEncodePath(path);
}

Result<fs::Location> LocateFile(const fs::Location& root, const std::string& path) {
  if (!IsAbsoluteUri(path)) {
    if (!path.starts_with('/')) {
      return fs::Location{root.file_system, fs::JoinPath(root.path, path),
                          fs::JoinPath(root.uri, path)};
    }
    if (root.file_system->type_name() == "local") {
      return fs::Location{root.file_system, path, path};
    }
  }
  const std::string store = IsAbsoluteUri(path) ? StoreOf(path) : "file://";
  if (IsAbsoluteUri(root.uri) && IsAbsoluteUri(path) && StoreOf(root.uri) == store) {
    const std::string_view root_in_store = PathInStore(root.uri);
    const std::string decoded = DecodePercent(PathInStore(path));
    // What the file system puts before the URI's path ("bucket") it puts before this one too.
    if (root.path.ends_with(root_in_store)) {
      const std::string prefix = root.path.substr(0, root.path.size() - root_in_store.size());
      return fs::Location{root.file_system, prefix + decoded, path};
    }
  }
  return MakeError(ErrorKind::kUnsupported,
                   "table " + root.uri + " refers to the file " + path +
                       ", which lies in another store (" + store + ") than the table",
                   "Such tables are made by SHALLOW CLONE; copy the data into the table's own "
                   "store to read it here.");
}

std::string LogFolder(const fs::Location& root) { return fs::JoinPath(root.path, "_delta_log"); }

std::string LogPath(const fs::Location& root, std::string_view name) {
  return fs::JoinPath(LogFolder(root), name);
}

}  // namespace lakeward::delta
