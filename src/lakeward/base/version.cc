#include "lakeward/base/version.h"

namespace lakeward {

std::string_view Version() { return LAKEWARD_VERSION; }

}  // namespace lakeward
