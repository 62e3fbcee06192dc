#pragma once

#include <map>
#include <string>
#include <string_view>

namespace lakeward::fs {

/// A name or value of a partition as it stands in a folder's name "<name>=<value>": characters that
/// Hive escapes (control characters and `"#%'*/:=?\{[]^`) become %XX. Shared by Hive, Spark and
/// Flink.
std::string EscapePartitionPart(std::string_view text);
/// The reverse; a '%' without two hexadecimal digits stays.
std::string UnescapePartitionPart(std::string_view text);

/// The "name=value" folders of a relative path, unescaped; other folders are passed over.
std::map<std::string, std::string> ParsePartitionPath(std::string_view relative_path);

}  // namespace lakeward::fs
