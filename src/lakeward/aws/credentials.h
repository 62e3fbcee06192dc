#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "lakeward/base/secret.h"

namespace lakeward::aws {

/// What a request is signed with. Without key id: requests go out unsigned (public buckets).
struct Credentials {
  std::string access_key_id;
  Secret secret_access_key;
  Secret session_token;                  ///< empty for keys that do not expire
  std::optional<int64_t> expiration_us;  ///< wall time
  std::string origin;                    ///< "fs.s3a.access.key from conf/config.yaml line 3"

  bool is_anonymous() const { return access_key_id.empty(); }
};

}  // namespace lakeward::aws
