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
  // Output that waits for its reader goes on after a signal.
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  struct sigaction before = {};
  // Under nohup it stays ignored.
  if (sigaction(SIGHUP, nullptr, &before) == 0 && before.sa_handler != SIG_IGN) {
    sigaction(SIGHUP, &action, nullptr);
  }
  // A reader of our output that goes away is an error of the write, not a death.
  std::signal(SIGPIPE, SIG_IGN);
}

int InterruptCount() { return interrupt_count; }

}  // namespace lakeward::bin
