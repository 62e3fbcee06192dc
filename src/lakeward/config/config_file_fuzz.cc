#include <cstddef>
#include <cstdint>
#include <string_view>

#include "lakeward/config/config_file.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (const char* path : {"config.yaml", "flink-conf.yaml"}) {
    const auto entries = lakeward::config::ParseConfigFile(text, path);
    if (entries.ok()) {
      for (const auto& entry : *entries) {
        LW_CHECK(!entry.key.empty() && entry.line > 0);
      }
    }
  }
  return 0;
}
