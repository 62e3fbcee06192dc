#include "arrow/compute/initialize.h"
#include "lakeward/connector/connector.h"
#include "lakeward/expr/function.h"
#include "lakeward/fs/file_systems.h"
#include "lakeward/fs/s3/s3_file_system.h"
#include "lakeward/session/engine.h"
#include "lakeward/session/session.h"

namespace lakeward::session {

// The composition root: the only place that puts every built-in list together.
Result<std::shared_ptr<Engine>> MakeEngine() {
  LW_TRY(arrow::compute::Initialize());
  auto engine = std::make_shared<Engine>();
  engine->context.file_systems = fs::FileSystems::Builtin();
  fs::RegisterS3(engine->context.file_systems.get(), fs::S3FileSystems::Real());
  engine->context.clock = SystemClock();
  engine->context.random = SystemRandom();
  for (const auto& connector : connector::BuiltinConnectors()) {
    engine->factories.Add(connector);
  }
  engine->functions = expr::FunctionRegistry::Builtin();
  return engine;
}

}  // namespace lakeward::session
