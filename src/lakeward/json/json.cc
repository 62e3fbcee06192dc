#include "lakeward/json/json.h"

#include <algorithm>
#include <exception>

#include "fmt/format.h"

namespace lakeward::json {
namespace {

constexpr int kDepthMax = 200;

Status Corrupt(std::string_view what, std::string_view reason) {
  return MakeError(ErrorKind::kCorruptData, fmt::format("{}: {}", what, reason));
}

// Known before parsing, because the library frees and writes a tree by recursion.
int NestingDepth(std::string_view text) {
  int depth = 0;
  int deepest = 0;
  bool in_string = false;
  for (size_t i = 0; i < text.size(); ++i) {
    switch (text[i]) {
      case '"':
        in_string = !in_string;
        break;
      case '\\':
        i += in_string ? 1 : 0;
        break;
      case '{':
      case '[':
        depth += in_string ? 0 : 1;
        deepest = std::max(deepest, depth);
        break;
      case '}':
      case ']':
        depth -= in_string ? 0 : 1;
        break;
      default:
        break;
    }
  }
  return deepest;
}

// The library's text without "[json.exception.parse_error.101] ".
std::string_view WithoutCode(std::string_view message) {
  const size_t end = message.find("] ");
  return message.starts_with("[json.exception") && end != std::string_view::npos
             ? message.substr(end + 2)
             : message;
}

std::string WriteIndented(const Json& value, int indent) {
  return value.dump(indent, ' ', false, Json::error_handler_t::replace);
}

Status WrongMember(const char* member, std::string_view wanted, const Json* found,
                   std::string_view what) {
  if (found == nullptr) {
    return Corrupt(what, fmt::format("'{}' is missing; it must be {}", member, wanted));
  }
  return Corrupt(what, fmt::format("'{}' must be {}, not {}", member, wanted, found->type_name()));
}

bool IsAbsent(const Json* value) { return value == nullptr || value->is_null(); }

Result<std::string> StringOf(const Json* value, const char* member, std::string_view what) {
  if (value == nullptr || !value->is_string()) {
    return WrongMember(member, "a string", value, what);
  }
  return *value->get_ptr<const Json::string_t*>();
}

Result<int64_t> Int64Of(const Json* value, const char* member, std::string_view what) {
  if (value == nullptr || !value->is_number_integer()) {
    return WrongMember(member, "a whole number", value, what);
  }
  if (const auto* number = value->get_ptr<const Json::number_unsigned_t*>();
      number != nullptr && *number > static_cast<uint64_t>(INT64_MAX)) {
    return Corrupt(what, fmt::format("'{}' is {}, which does not fit 64 bits", member, *number));
  }
  return value->get<int64_t>();
}

Result<bool> BoolOf(const Json* value, const char* member, std::string_view what) {
  if (value == nullptr || !value->is_boolean()) {
    return WrongMember(member, "true or false", value, what);
  }
  return *value->get_ptr<const Json::boolean_t*>();
}

template <typename T>
Result<std::optional<T>> OptionalOf(const Json* value, const char* member, std::string_view what,
                                    Result<T> (*read)(const Json*, const char*, std::string_view)) {
  if (IsAbsent(value)) {
    return std::optional<T>();
  }
  LW_ASSIGN(T present, read(value, member, what));
  return std::optional<T>(std::move(present));
}

}  // namespace

Result<Json> Parse(std::string_view text, std::string_view what) {
  const int depth = NestingDepth(text);
  if (depth > kDepthMax) {
    return Corrupt(
        what, fmt::format("JSON nested {} levels deep; at most {} are read", depth, kDepthMax));
  }
  try {
    return Json::parse(text.begin(), text.end());
  } catch (const std::exception& error) {
    return Corrupt(what, fmt::format("not valid JSON: {}", WithoutCode(error.what())));
  }
}

std::string Write(const Json& value) { return WriteIndented(value, -1); }

std::string WritePretty(const Json& value) { return WriteIndented(value, 2); }

const Json* Find(const Json& object, const char* member) {
  const auto found = object.find(member);
  return found == object.end() ? nullptr : &*found;
}

Result<std::string> GetString(const Json& object, const char* member, std::string_view what) {
  return StringOf(Find(object, member), member, what);
}

Result<int64_t> GetInt64(const Json& object, const char* member, std::string_view what) {
  return Int64Of(Find(object, member), member, what);
}

Result<bool> GetBool(const Json& object, const char* member, std::string_view what) {
  return BoolOf(Find(object, member), member, what);
}

Result<std::optional<std::string>> GetOptionalString(const Json& object, const char* member,
                                                     std::string_view what) {
  return OptionalOf(Find(object, member), member, what, &StringOf);
}

Result<std::optional<int64_t>> GetOptionalInt64(const Json& object, const char* member,
                                                std::string_view what) {
  return OptionalOf(Find(object, member), member, what, &Int64Of);
}

Result<std::optional<bool>> GetOptionalBool(const Json& object, const char* member,
                                            std::string_view what) {
  return OptionalOf(Find(object, member), member, what, &BoolOf);
}

}  // namespace lakeward::json
