#include "lakeward/table/delta/table_properties.h"

#include <charconv>
#include <sstream>

namespace lakeward::delta {
namespace {

int64_t MillisOf(std::string unit) {
  if (unit.size() > 1 && unit.back() == 's') {
    unit.pop_back();
  }
  static const std::map<std::string, int64_t, std::less<>> kUnits{
      {"week", 7 * 86'400'000LL}, {"day", 86'400'000}, {"hour", 3'600'000},
      {"minute", 60'000},         {"second", 1'000},   {"millisecond", 1},
  };
  const auto found = kUnits.find(unit);
  return found == kUnits.end() ? -1 : found->second;
}

bool IsValue(const std::map<std::string, std::string>& configuration, const char* key,
             std::string_view value) {
  const auto found = configuration.find(key);
  return found != configuration.end() && found->second == value;
}

}  // namespace

int64_t ParseInterval(std::string_view text) {
  std::istringstream words{std::string(text)};
  std::string word;
  int64_t total = 0;
  bool any = false;
  while (words >> word) {
    if (!any && (word == "interval" || word == "INTERVAL")) {
      continue;
    }
    int64_t count = 0;
    const auto parsed = std::from_chars(word.data(), word.data() + word.size(), count);
    std::string unit;
    if (parsed.ec != std::errc() || parsed.ptr != word.data() + word.size() || !(words >> unit)) {
      return -1;
    }
    const int64_t millis = MillisOf(unit);
    int64_t product = 0;
    if (count < 0 || millis < 0 || __builtin_mul_overflow(count, millis, &product) ||
        __builtin_add_overflow(total, product, &total)) {
      return -1;
    }
    any = true;
  }
  return any ? total : -1;
}

LogProperties LogProperties::From(const std::map<std::string, std::string>& configuration) {
  LogProperties properties;
  if (const auto interval = configuration.find("delta.checkpointInterval");
      interval != configuration.end()) {
    int64_t value = 0;
    const std::string& text = interval->second;
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
    if (parsed.ec == std::errc() && value > 0) {
      properties.checkpoint_interval = value;
    }
  }
  if (const auto retention = configuration.find("delta.deletedFileRetentionDuration");
      retention != configuration.end()) {
    const int64_t millis = ParseInterval(retention->second);
    if (millis >= 0) {
      properties.tombstone_retention_ms = millis;
    }
  }
  properties.writes_plain_checkpoints =
      !IsValue(configuration, "delta.checkpoint.writeStatsAsStruct", "true") &&
      !IsValue(configuration, "delta.checkpoint.writeStatsAsJson", "false");
  return properties;
}

}  // namespace lakeward::delta
