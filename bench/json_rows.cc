#include "json_rows.h"

#include <array>
#include <charconv>
#include <string_view>

namespace lakeward::bench {

namespace {

constexpr std::array<std::string_view, 20> kCountries = {"AT", "AU", "BE", "BR", "CA", "CH", "DE",
                                                         "DK", "ES", "FR", "GB", "IN", "IT", "JP",
                                                         "NL", "NO", "PL", "PT", "SE", "US"};
constexpr std::array<std::string_view, 8> kEvents = {"view",   "click", "search", "add_to_cart",
                                                     "remove", "pay",   "return", "review"};
constexpr std::string_view kHex = "0123456789abcdef";

template <typename T>
void AppendNumber(T value, std::string* out) {
  char digits[24];
  out->append(digits, std::to_chars(digits, digits + sizeof(digits), value).ptr);
}

/// `value` / 10^decimals, with all its decimals.
void AppendFixed(uint64_t value, int decimals, std::string* out) {
  uint64_t unit = 1;
  for (int i = 0; i < decimals; ++i) {
    unit *= 10;
  }
  AppendNumber(value / unit, out);
  out->push_back('.');
  for (uint64_t rest = value % unit; unit > 1;) {
    unit /= 10;
    out->push_back(static_cast<char>('0' + rest / unit));
    rest %= unit;
  }
}

}  // namespace

// SplitMix64.
uint64_t JsonRows::Next() {
  state_ += 0x9E3779B97F4A7C15;
  uint64_t z = state_;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
  return z ^ (z >> 31);
}

void JsonRows::AppendTwoDigits(int value, std::string* out) {
  out->push_back(static_cast<char>('0' + value / 10));
  out->push_back(static_cast<char>('0' + value % 10));
}

void JsonRows::AppendTimestamp(std::string* out) {
  const int64_t seconds = millis_ / 1000;
  const auto day = static_cast<int>(seconds / 86'400);
  *out += "2024-01-";
  AppendTwoDigits(1 + day % 31, out);
  out->push_back(' ');
  AppendTwoDigits(static_cast<int>(seconds / 3600 % 24), out);
  out->push_back(':');
  AppendTwoDigits(static_cast<int>(seconds / 60 % 60), out);
  out->push_back(':');
  AppendTwoDigits(static_cast<int>(seconds % 60), out);
  const auto fraction = static_cast<int>(millis_ % 1000);
  out->push_back('.');
  out->push_back(static_cast<char>('0' + fraction / 100));
  AppendTwoDigits(fraction % 100, out);
}

void JsonRows::AppendRow(std::string* out) {
  const uint64_t random = Next();
  *out += "{\"id\":";
  AppendNumber(++id_, out);
  *out += ",\"user_id\":";
  AppendNumber(random % 1'000'000, out);
  millis_ += static_cast<int64_t>(random >> 40 & 7);
  *out += ",\"ts\":\"";
  AppendTimestamp(out);
  const uint64_t other = Next();
  *out += "\",\"country\":\"";
  // The smaller of two draws: the first country is forty times as frequent as the last.
  const uint64_t first = other % 20;
  const uint64_t second = other / 20 % 20;
  *out += kCountries[first < second ? first : second];
  *out += "\",\"event\":\"";
  *out += kEvents[other >> 10 & 7];
  *out += "\",\"path\":\"/shop/item-";
  for (int shift = 16; shift < 40; shift += 4) {
    out->push_back(kHex[other >> shift & 15]);
  }
  *out += "\",\"amount\":";
  AppendFixed(other >> 40 & 0xFFFFF, 2, out);
  *out += ",\"ratio\":";
  AppendFixed(random >> 20 & 0xFFFFF, 6, out);
  *out += "}\n";
}

}  // namespace lakeward::bench
