#pragma once

#include <string>
#include <string_view>
#include <utility>

namespace lakeward {

/// A value that must never be shown. It has no conversion to text and no stream operator; only the
/// code that signs or sends it calls Reveal().
class Secret {
 public:
  Secret() = default;
  explicit Secret(std::string value) : value_(std::move(value)) {}

  const std::string& Reveal() const { return value_; }
  bool empty() const { return value_.empty(); }

 private:
  std::string value_;
};

/// What stands in place of a secret wherever settings are shown.
inline constexpr std::string_view kHiddenValue = "******";

/// Whether the value of a setting of this name is a secret: names that contain `secret`,
/// `password`, `apikey`, `api-key`, `access-key`, `access.key` or another of Flink's sensitive
/// parts (secret.cc lists them), or end in `token` or `jaas.config`. Letters of either case.
bool IsSecretKey(std::string_view key);

}  // namespace lakeward
