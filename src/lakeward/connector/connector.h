#pragma once

#include <memory>
#include <vector>

#include "lakeward/base/status.h"
#include "lakeward/catalog/table_factory.h"
#include "lakeward/stream/sink.h"
#include "lakeward/stream/source.h"

namespace lakeward::connector {

/// A table factory that can also be run: the whole of what a connector is. One folder each, one
/// line in builtin.cc.
class Connector : public catalog::TableFactory {
 public:
  /// `negotiation` was made by this connector's NegotiateScan and is final.
  virtual Result<std::unique_ptr<stream::Source>> MakeSource(
      const catalog::TableContext& context, const catalog::ScanNegotiation& negotiation) const = 0;
  virtual Result<std::unique_ptr<stream::Sink>> MakeSink(
      const catalog::TableContext& context, const catalog::SinkNegotiation& negotiation) const = 0;
};

/// Every connector of the program.
std::vector<std::shared_ptr<const Connector>> BuiltinConnectors();

}  // namespace lakeward::connector
