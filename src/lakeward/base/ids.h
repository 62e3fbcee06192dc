#pragma once

#include <string>
#include <string_view>

#include "lakeward/base/random.h"

namespace lakeward {

/// A random (version 4) UUID in the usual lower-case 8-4-4-4-12 form.
std::string MakeUuid(Random* random);

/// 32 lower-case hexadecimal digits, as Flink spells job ids.
std::string MakeJobId(Random* random);

/// Whether `text` is a UUID in the 8-4-4-4-12 form, either case.
bool IsUuid(std::string_view text);

}  // namespace lakeward
