#include "lakeward/fs/file_system_contract.h"

#include <memory>
#include <string>

#include "lakeward/fs/faulty.h"
#include "lakeward/fs/local.h"
#include "lakeward/fs/memory.h"

namespace lakeward::fs {
namespace {

// Every file system that keeps the contract. A new one gets all the tests by a line here.
INSTANTIATE_TEST_SUITE_P(
    , FileSystemContractTest,
    ::testing::Values(FileSystemKind{"Local", [] { return MakeLocalFileSystem(); }},
                      FileSystemKind{"Memory", [] { return MakeMemoryFileSystem(); }},
                      FileSystemKind{"FaultyLocal",
                                     [] {
                                       return MakeFaultyFileSystem(MakeLocalFileSystem(),
                                                                   std::make_shared<FaultPlan>());
                                     }},
                      FileSystemKind{"FaultyMemory",
                                     [] {
                                       return MakeFaultyFileSystem(MakeMemoryFileSystem(),
                                                                   std::make_shared<FaultPlan>());
                                     }}),
    [](const auto& parameter) { return std::string(parameter.param.name); });

}  // namespace
}  // namespace lakeward::fs
