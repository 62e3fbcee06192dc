#include <cstddef>
#include <cstdint>
#include <string_view>

#include "lakeward/aws/profile_file.h"
#include "lakeward/aws/timestamps.h"
#include "lakeward/aws/xml.h"

// Whatever a server or a file holds, reading it ends with a value or an error.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace lakeward::aws;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  (void)ParseXml(text);
  (void)ParseProfiles(text, ProfileFileKind::kConfig);
  (void)ParseProfiles(text, ProfileFileKind::kCredentials);
  (void)ParseIsoTimestamp(text);
  (void)ParseHttpDate(text);
  return 0;
}
