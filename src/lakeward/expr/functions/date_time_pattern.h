#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lakeward/base/status.h"

namespace lakeward::expr {

/// A compiled pattern of Java's DateTimeFormatter, as DATE_FORMAT and TO_TIMESTAMP take it:
/// y u M d D H h K k m s S n a E, text in single quotes, and any other sign for itself. Immutable.
class DateTimePattern {
 public:
  /// kValidation names the letter that has no meaning here.
  static Result<DateTimePattern> Make(std::string_view pattern);

  /// `micros` since the epoch on the wall's clock, and nanoseconds below.
  void Format(int64_t micros, int32_t nanos, std::string* out) const;

  /// Wall clock microseconds; nothing when the text does not match. Missing fields are those of
  /// 1970-01-01 00:00:00.
  std::optional<int64_t> Parse(std::string_view text) const;

 private:
  struct Element {
    char letter = 0;      ///< 0 for literal text
    int count = 0;        ///< how often the letter stands
    std::string literal;  ///< of literal text
  };
  struct Fields;

  static bool ParseElement(const Element& element, bool is_adjacent, std::string_view* text,
                           Fields* fields);

  std::vector<Element> elements_;
};

}  // namespace lakeward::expr
