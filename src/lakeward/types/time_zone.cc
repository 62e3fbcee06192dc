// The only file that knows Howard Hinnant's date library; it reads the system's tz database.
#include "lakeward/types/time_zone.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <stdexcept>
#include <vector>

#include "date/tz.h"
#include "fmt/format.h"
#include "lakeward/base/environment.h"
#include "lakeward/base/similar_names.h"
#include "lakeward/types/civil_time.h"

namespace lakeward::types {

/// A zone's offsets as sorted transitions; no transition at all for a fixed offset.
struct TimeZone::Rules {
  int64_t first_offset_s = 0;           ///< before the first transition
  std::vector<int64_t> instants_s;      ///< UTC seconds at which offsets_s[i] begins to count
  std::vector<int64_t> local_begins_s;  ///< wall-clock seconds from which ToInstant uses it
  std::vector<int64_t> offsets_s;

  int64_t OffsetAtInstant(int64_t instant_s) const { return OffsetFrom(instants_s, instant_s); }
  int64_t OffsetAtLocal(int64_t local_s) const { return OffsetFrom(local_begins_s, local_s); }

 private:
  int64_t OffsetFrom(const std::vector<int64_t>& begins, int64_t at) const {
    const auto next = std::upper_bound(begins.begin(), begins.end(), at);
    return next == begins.begin() ? first_offset_s : offsets_s[(next - begins.begin()) - 1];
  }
};

namespace {

constexpr int64_t kSecondsPerHour = 3'600;
constexpr int64_t kMaxOffsetSeconds = 18 * kSecondsPerHour;

/// Reads 1 to 2 digits (exactly 2 when `fixed_width`) from the front of `text`.
std::optional<int64_t> TakeNumber(std::string_view* text, bool fixed_width) {
  size_t digits = 0;
  int64_t value = 0;
  while (digits < 2 && digits < text->size() && (*text)[digits] >= '0' && (*text)[digits] <= '9') {
    value = value * 10 + ((*text)[digits] - '0');
    ++digits;
  }
  if (digits == 0 || (fixed_width && digits != 2)) {
    return std::nullopt;
  }
  text->remove_prefix(digits);
  return value;
}

/// "+h", "+hh", "+hh:mm", "+hhmm", "+hh:mm:ss", "+hhmmss" and the same with "-": seconds east.
std::optional<int64_t> ParseOffset(std::string_view text) {
  if (text.empty() || (text[0] != '+' && text[0] != '-')) {
    return std::nullopt;
  }
  const int64_t sign = text[0] == '-' ? -1 : 1;
  text.remove_prefix(1);
  const std::optional<int64_t> hours = TakeNumber(&text, /*fixed_width=*/false);
  if (!hours) {
    return std::nullopt;
  }
  int64_t seconds = *hours * kSecondsPerHour;
  for (int64_t unit : {60, 1}) {
    if (text.empty()) {
      break;
    }
    if (text[0] == ':') {
      text.remove_prefix(1);
    }
    const std::optional<int64_t> part = TakeNumber(&text, /*fixed_width=*/true);
    if (!part || *part > 59) {
      return std::nullopt;
    }
    seconds += *part * unit;
  }
  if (!text.empty() || seconds > kMaxOffsetSeconds) {
    return std::nullopt;
  }
  return sign * seconds;
}

/// The offset of names that need no database: UTC, GMT, Z, UT and these followed by an offset.
std::optional<int64_t> FindFixedOffset(std::string_view name) {
  for (std::string_view prefix : {"UTC", "GMT", "UT", "Z"}) {
    if (name == prefix) {
      return 0;
    }
    if (prefix != "Z" && name.starts_with(prefix)) {
      if (const auto offset = ParseOffset(name.substr(prefix.size()))) {
        return offset;
      }
    }
  }
  return ParseOffset(name);
}

void Append(const date::sys_info& info, int64_t* previous_offset_s,
            std::vector<int64_t>* instants_s, std::vector<int64_t>* local_begins_s,
            std::vector<int64_t>* offsets_s) {
  const int64_t begin_s = info.begin.time_since_epoch().count();
  const int64_t offset_s = info.offset.count();
  if (offset_s != *previous_offset_s) {
    instants_s->push_back(begin_s);
    // In a gap and in an overlap java.time keeps the offset from before the transition.
    local_begins_s->push_back(begin_s + std::max(offset_s, *previous_offset_s));
    offsets_s->push_back(offset_s);
    *previous_offset_s = offset_s;
  }
}

std::vector<std::string> ZoneNames() {
  std::vector<std::string> names = {"UTC"};
  try {
    for (const date::time_zone& zone : date::get_tzdb().zones) {
      names.push_back(zone.name());
    }
  } catch (const std::exception&) {
    return names;
  }
  return names;
}

}  // namespace

TimeZone::TimeZone() : name_("UTC") {}

Result<TimeZone> TimeZone::Find(std::string_view name) {
  TimeZone result;
  if (name == "UTC") {
    return result;
  }
  result.name_ = std::string(name);
  auto rules = std::make_shared<Rules>();
  if (const auto offset = FindFixedOffset(name)) {
    rules->first_offset_s = *offset;
    result.rules_ = std::move(rules);
    return result;
  }
  try {
    const date::time_zone* zone = date::locate_zone(result.name_);
    // The database lists transitions up to 2037; nothing changes after the last one.
    const date::sys_seconds last = date::sys_days{date::year{2100} / 1 / 1};
    date::sys_info info =
        zone->get_info(date::sys_seconds{date::sys_days{date::year{1800} / 1 / 1}});
    rules->first_offset_s = info.offset.count();
    int64_t previous_offset_s = rules->first_offset_s;
    while (info.end < last) {
      info = zone->get_info(info.end);
      Append(info, &previous_offset_s, &rules->instants_s, &rules->local_begins_s,
             &rules->offsets_s);
    }
  } catch (const std::exception&) {
    const std::string near = DidYouMean(name, ZoneNames());
    return MakeError(
        ErrorKind::kConfig, fmt::format("time zone '{}' is not known", name),
        near.empty() ? "Use a name such as 'Europe/Zurich', 'UTC' or 'GMT+08:00'." : near);
  }
  result.rules_ = std::move(rules);
  return result;
}

TimeZone TimeZone::Local() {
  if (const auto name = GetEnvironment("TZ"); name && !name->empty()) {
    const std::string_view bare = std::string_view(*name).substr(name->front() == ':' ? 1 : 0);
    return Find(bare).ValueOr(TimeZone());
  }
  try {
    return Find(date::current_zone()->name()).ValueOr(TimeZone());
  } catch (const std::exception&) {
    return TimeZone();
  }
}

int64_t TimeZone::ToLocal(int64_t instant_us) const {
  if (rules_ == nullptr) {
    return instant_us;
  }
  const int64_t instant_s = FloorDivide(instant_us, kMicrosPerSecond);
  return instant_us + rules_->OffsetAtInstant(instant_s) * kMicrosPerSecond;
}

int64_t TimeZone::ToInstant(int64_t local_us) const {
  if (rules_ == nullptr) {
    return local_us;
  }
  const int64_t local_s = FloorDivide(local_us, kMicrosPerSecond);
  return local_us - rules_->OffsetAtLocal(local_s) * kMicrosPerSecond;
}

}  // namespace lakeward::types
