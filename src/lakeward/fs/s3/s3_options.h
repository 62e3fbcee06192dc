#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lakeward/config/configuration.h"
#include "lakeward/config/option.h"

namespace lakeward::fs {

/// An option of the S3 client with all names that people have for it. `key` is the canonical name,
/// "fs.s3a.<…>"; the same is read with the prefixes of S3OptionPrefixes(), and per bucket.
struct S3Option {
  std::string suffix;                   ///< "access.key"
  std::vector<std::string> also;        ///< other suffixes: "access-key", "access-key-id"
  std::vector<std::string> also_whole;  ///< names that take no prefix: "client.region"
  std::vector<std::string> variables;   ///< environment variables, nearest first; below all levels
  std::string type;                     ///< as in config::OptionInfo
  std::string default_text;             ///< empty: none
  std::string doc;

  /// The general option, or the one of a bucket ("fs.s3a.bucket.<name>.<suffix>").
  config::OptionInfo Info() const;
  config::OptionInfo InfoOf(std::string_view bucket) const;
};

/// Prefixes under which the options are read, the canonical one first: "fs.s3a.", Flink's "s3.",
/// "s3a.", "flink.hadoop.fs.s3a." …
const std::vector<std::string>& S3OptionPrefixes();

/// Every option that has a meaning here.
const std::vector<S3Option>& S3Options();
/// The option of a suffix that S3Options() lists; the process ends for any other.
const S3Option& S3OptionOf(std::string_view suffix);

/// Whether a key begins like S3's, so that what it means is told here.
bool IsS3Key(std::string_view key);

/// What becomes of a key that begins like S3's but does nothing, to follow its name: "has no effect
/// in Lakeward" of known names without a meaning here, "is no known setting of S3. Did you mean
/// '…'?" of others. Nothing for every other key.
std::optional<std::string> S3SettingNotice(std::string_view key);

/// Sentences with origins about such keys of a configuration, each once. Those of the session are
/// left out: SET has told them.
std::vector<std::string> S3SettingNotices(const config::Configuration& configuration);

}  // namespace lakeward::fs
