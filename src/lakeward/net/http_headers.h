#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lakeward::net {

/// Header fields in their order; names are compared without regard to case.
class HttpHeaders {
 public:
  using Field = std::pair<std::string, std::string>;

  HttpHeaders() = default;
  HttpHeaders(std::initializer_list<Field> fields) : fields_(fields) {}

  void Add(std::string name, std::string value);
  /// Replaces every field of the name.
  void Set(std::string_view name, std::string value);
  void Remove(std::string_view name);
  /// The first value of the name; null when there is none. Valid until the next change.
  const std::string* Find(std::string_view name) const;
  /// The first value of the name or an empty string.
  std::string Get(std::string_view name) const;

  auto begin() const { return fields_.begin(); }
  auto end() const { return fields_.end(); }

 private:
  std::vector<Field> fields_;
};

}  // namespace lakeward::net
