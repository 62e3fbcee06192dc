#include "lakeward/format/json/json_format.h"

#include "lakeward/format/json/json_options.h"
#include "lakeward/format/json/json_reader.h"
#include "lakeward/format/json/json_writer.h"

namespace lakeward::format {

Format JsonFormat() {
  Format format{.name = "json",
                .splitting = Splitting::kNewline,
                .file_extension = "",
                .options = JsonOptions::Declared(),
                .open_reader = OpenJsonReader,
                .open_writer = OpenJsonWriter};
  for (config::OptionInfo& option : format.options) {
    option.key = "json." + option.key;
  }
  return format;
}

}  // namespace lakeward::format
