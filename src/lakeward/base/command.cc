#include "lakeward/base/command.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>

#include "fmt/format.h"
#include "lakeward/base/clock.h"

namespace lakeward {
namespace {

// A child in a process group of its own, whose output comes through `read_end`.
struct Child {
  pid_t id = -1;
  int read_end = -1;
};

Status CannotRun(int number) {
  return MakeError(ErrorKind::kIo, fmt::format("Cannot run a command: {}", std::strerror(number)));
}

Result<Child> Start(const std::string& command) {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) {
    return CannotRun(errno);
  }
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  posix_spawnattr_setpgroup(&attributes, 0);
  std::string shell = "/bin/sh";
  std::string option = "-c";
  std::string text = command;
  char* const arguments[] = {shell.data(), option.data(), text.data(), nullptr};
  Child child;
  const int error =
      posix_spawn(&child.id, shell.c_str(), &actions, &attributes, arguments, environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  if (error != 0) {
    close(ends[0]);
    return CannotRun(error);
  }
  child.read_end = ends[0];
  return child;
}

// Everything up to the end of the output; false when that does not come in time.
bool ReadOutput(int descriptor, int64_t deadline_us, std::string* output) {
  std::array<char, 4096> buffer{};
  while (true) {
    const int64_t left_us = deadline_us - SystemClock()->MonotonicMicros();
    pollfd waited{descriptor, POLLIN, 0};
    const int ready = poll(&waited, 1, static_cast<int>(std::max<int64_t>(0, left_us / 1'000)));
    if (ready < 0 && errno == EINTR) {
      continue;
    }
    if (ready <= 0) {
      return false;
    }
    const ssize_t count = read(descriptor, buffer.data(), buffer.size());
    if (count == 0) {
      return true;
    }
    if (count > 0) {
      output->append(buffer.data(), static_cast<size_t>(count));
    } else if (errno != EINTR) {
      return true;
    }
  }
}

}  // namespace

Result<std::string> RunCommand(const std::string& command, int64_t timeout_ms) {
  LW_ASSIGN(const Child child, Start(command));
  std::string output;
  const bool is_complete =
      ReadOutput(child.read_end, SystemClock()->MonotonicMicros() + timeout_ms * 1'000, &output);
  close(child.read_end);
  if (!is_complete) {
    kill(-child.id, SIGKILL);
  }
  int state = 0;
  while (waitpid(child.id, &state, 0) < 0 && errno == EINTR) {
  }
  if (!is_complete) {
    return MakeError(ErrorKind::kIo,
                     fmt::format("The command did not end within {} ms", timeout_ms));
  }
  if (!WIFEXITED(state) || WEXITSTATUS(state) != 0) {
    return MakeError(ErrorKind::kIo,
                     WIFEXITED(state)
                         ? fmt::format("The command ended with code {}", WEXITSTATUS(state))
                         : fmt::format("The command was ended by signal {}", WTERMSIG(state)));
  }
  return output;
}

}  // namespace lakeward
