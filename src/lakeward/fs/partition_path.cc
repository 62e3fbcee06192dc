#include "lakeward/fs/partition_path.h"

#include <optional>

namespace lakeward::fs {
namespace {

bool MustEscape(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte < 0x20 || byte == 0x7F ||
         std::string_view("\"#%'*/:=?\\{[]^").find(c) != std::string_view::npos;
}

std::optional<int> HexDigit(char c) {
  if (c >= '0' && c <= '9') {
    return c - '0';
  }
  if (c >= 'a' && c <= 'f') {
    return c - 'a' + 10;
  }
  if (c >= 'A' && c <= 'F') {
    return c - 'A' + 10;
  }
  return std::nullopt;
}

}  // namespace

std::string EscapePartitionPart(std::string_view text) {
  constexpr char kDigits[] = "0123456789ABCDEF";
  std::string escaped;
  for (const char c : text) {
    if (MustEscape(c)) {
      const auto byte = static_cast<unsigned char>(c);
      escaped += '%';
      escaped += kDigits[byte >> 4];
      escaped += kDigits[byte & 15];
    } else {
      escaped += c;
    }
  }
  return escaped;
}

std::string UnescapePartitionPart(std::string_view text) {
  std::string plain;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%' && i + 2 < text.size()) {
      const std::optional<int> high = HexDigit(text[i + 1]);
      const std::optional<int> low = HexDigit(text[i + 2]);
      if (high.has_value() && low.has_value()) {
        plain += static_cast<char>(*high * 16 + *low);
        i += 2;
        continue;
      }
    }
    plain += text[i];
  }
  return plain;
}

std::map<std::string, std::string> ParsePartitionPath(std::string_view relative_path) {
  std::map<std::string, std::string> parts;
  size_t begin = 0;
  while (begin < relative_path.size()) {
    const size_t end = relative_path.find('/', begin);
    if (end == std::string_view::npos) {
      break;  // What follows the last '/' is the file's name.
    }
    const std::string_view folder = relative_path.substr(begin, end - begin);
    const size_t equals = folder.find('=');
    if (equals != std::string_view::npos) {
      parts[UnescapePartitionPart(folder.substr(0, equals))] =
          UnescapePartitionPart(folder.substr(equals + 1));
    }
    begin = end + 1;
  }
  return parts;
}

}  // namespace lakeward::fs
