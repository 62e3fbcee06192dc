#pragma once

namespace lakeward::bin {

/// Counts Ctrl-C (SIGINT), SIGTERM and SIGHUP instead of dying from them. Call once, before threads
/// start.
void CountInterrupts();

/// How many have come so far.
int InterruptCount();

}  // namespace lakeward::bin
