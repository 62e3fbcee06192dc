#include "lakeward/connector/blackhole/blackhole_connector.h"
#include "lakeward/connector/connector.h"
#include "lakeward/connector/datagen/datagen_connector.h"
#include "lakeward/connector/delta/delta_connector.h"
#include "lakeward/connector/filesystem/filesystem_connector.h"
#include "lakeward/connector/print/print_connector.h"
#include "lakeward/connector/result_file/result_file_connector.h"

namespace lakeward::connector {

// The table of contents: a new connector is one folder and one line here.
std::vector<std::shared_ptr<const Connector>> BuiltinConnectors() {
  return {
      MakeBlackholeConnector(),  MakeDatagenConnector(), MakeDeltaConnector(),
      MakeFilesystemConnector(), MakePrintConnector(),   MakeResultFileConnector(),
  };
}

}  // namespace lakeward::connector
