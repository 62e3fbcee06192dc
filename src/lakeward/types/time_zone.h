#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "lakeward/base/status.h"

namespace lakeward::types {

/// A time zone of the tz database or a fixed offset. Immutable, cheap to copy, thread-safe.
class TimeZone {
 public:
  /// UTC.
  TimeZone();
  /// "Europe/Zurich", "UTC", "GMT+08:00", "+08:00". kConfig for others, with near misses as hint.
  static Result<TimeZone> Find(std::string_view name);
  /// The operating system's zone (TZ variable, /etc/localtime), UTC when it is not known.
  static TimeZone Local();

  const std::string& name() const { return name_; }

  /// Microseconds since the epoch of the wall clock that shows `instant_us` here.
  int64_t ToLocal(int64_t instant_us) const;
  /// The instant at which the wall clock shows `local_us`; in a gap the one after it, in an overlap
  /// the earlier one (as java.time does).
  int64_t ToInstant(int64_t local_us) const;

 private:
  struct Rules;
  std::string name_;
  std::shared_ptr<const Rules> rules_;
};

}  // namespace lakeward::types
