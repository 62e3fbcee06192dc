#pragma once

#include <string>
#include <string_view>

namespace lakeward::aws {

/// The 32 bytes of a SHA-256.
std::string Sha256(std::string_view bytes);
/// The 32 bytes of HMAC-SHA-256 (RFC 2104).
std::string HmacSha256(std::string_view key, std::string_view bytes);
/// The 16 bytes of an MD5, which S3 still asks for in places.
std::string Md5(std::string_view bytes);

/// Lower-case hexadecimal digits.
std::string Hex(std::string_view bytes);
/// RFC 4648 with padding.
std::string Base64(std::string_view bytes);

}  // namespace lakeward::aws
