#include "lakeward/net/http_headers.h"

#include <algorithm>
#include <cctype>

namespace lakeward::net {
namespace {

bool IsSameName(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](unsigned char x, unsigned char y) {
    return std::tolower(x) == std::tolower(y);
  });
}

}  // namespace

void HttpHeaders::Add(std::string name, std::string value) {
  fields_.emplace_back(std::move(name), std::move(value));
}

void HttpHeaders::Set(std::string_view name, std::string value) {
  Remove(name);
  fields_.emplace_back(std::string(name), std::move(value));
}

void HttpHeaders::Remove(std::string_view name) {
  std::erase_if(fields_, [&](const Field& field) { return IsSameName(field.first, name); });
}

const std::string* HttpHeaders::Find(std::string_view name) const {
  const auto found = std::find_if(fields_.begin(), fields_.end(), [&](const Field& field) {
    return IsSameName(field.first, name);
  });
  return found == fields_.end() ? nullptr : &found->second;
}

std::string HttpHeaders::Get(std::string_view name) const {
  const std::string* value = Find(name);
  return value == nullptr ? std::string() : *value;
}

}  // namespace lakeward::net
