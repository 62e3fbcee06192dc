#include "lakeward/fs/partition_path.h"

#include "lakeward/base/percent_text.h"

namespace lakeward::fs {
namespace {

bool MustEscape(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte < 0x20 || byte == 0x7F ||
         std::string_view("\"#%'*/:=?\\{[]^").find(c) != std::string_view::npos;
}

}  // namespace

std::string EscapePartitionPart(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (MustEscape(c)) {
      AppendPercent(c, &escaped);
    } else {
      escaped += c;
    }
  }
  return escaped;
}

std::string UnescapePartitionPart(std::string_view text) { return DecodePercent(text); }

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
