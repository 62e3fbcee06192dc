#include "bin/interrupt.h"

#include <csignal>

namespace lakeward::bin {
namespace {

volatile std::sig_atomic_t interrupt_count = 0;

void Count(int) { interrupt_count = interrupt_count + 1; }

}  // namespace

void CountInterrupts() {
  struct sigaction action = {};
  action.sa_handler = &Count;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  // A reader of our output that goes away is an error of the write, not a death.
  std::signal(SIGPIPE, SIG_IGN);
}

int InterruptCount() { return interrupt_count; }

}  // namespace lakeward::bin
