#pragma once

namespace lakeward::bin {

/// Counts Ctrl-C (SIGINT) and SIGTERM instead of dying from them. Call once, before threads start.
void CountInterrupts();

/// How many have come so far.
int InterruptCount();

}  // namespace lakeward::bin
