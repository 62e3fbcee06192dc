#include <cstddef>
#include <cstdint>
#include <string_view>

#include "lakeward/json/json.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto document = lakeward::json::Parse(text, "input");
  if (document.ok()) {
    // What was read is written in a form that is read as the same document.
    const std::string written = lakeward::json::Write(*document);
    const auto again = lakeward::json::Parse(written, "written");
    LW_CHECK(again.ok() && lakeward::json::Write(*again) == written);
  }
  return 0;
}
