#include "lakeward/session/options.h"

#include <algorithm>

#include "lakeward/fs/s3/s3_options.h"
#include "lakeward/plan/options.h"
#include "lakeward/runtime/options.h"

namespace lakeward::session {

const config::Option<bool>& DmlSyncOption() {
  static const config::Option<bool> option{"table.dml-sync",
                                           "Whether INSERT waits for its job: true or false; by "
                                           "default it waits for bounded jobs only."};
  return option;
}

const config::Option<std::string>& ResultModeOption() {
  static const auto option =
      config::Option<std::string>("sql-client.execution.result-mode", "tableau",
                                  "How query results are shown: tableau, changelog or table.")
          .Allowed({"tableau", "changelog", "table"});
  return option;
}

const config::Option<int64_t>& MaxColumnWidthOption() {
  static const auto option =
      config::Option<int64_t>("table.display.max-column-width", int64_t{30},
                              "Columns of variable length are shown at most this wide in "
                              "streaming results; longer values end in '...'.")
          .Also({"sql-client.display.max-column-width"});
  return option;
}

std::vector<config::OptionInfo> AllOptions() {
  std::vector<config::OptionInfo> all{DmlSyncOption().info(), ResultModeOption().info(),
                                      MaxColumnWidthOption().info()};
  for (const fs::S3Option& option : fs::S3Options()) {
    all.push_back(option.Info());
  }
  for (const auto& layer : {plan::PlanOptions(), runtime::RuntimeOptions()}) {
    all.insert(all.end(), layer.begin(), layer.end());
  }
  std::sort(all.begin(), all.end(),
            [](const auto& left, const auto& right) { return left.key < right.key; });
  return all;
}

}  // namespace lakeward::session
