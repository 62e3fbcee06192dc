#include "bin/sql_command.h"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "bin/interrupt.h"
#include "bin/progress.h"
#include "bin/settings.h"
#include "fmt/format.h"
#include "lakeward/base/local_file.h"
#include "lakeward/base/log.h"
#include "lakeward/session/script.h"
#include "lakeward/session/session.h"
#include "lakeward/session/settings_report.h"

namespace lakeward::bin {
namespace {

constexpr int kExitFailed = 1;
constexpr int kExitStopped = 130;
constexpr int kExitNoReader = 141;
constexpr int64_t kTickMicros = 50'000;

bool PrintTo(std::FILE* stream, std::string_view text) {
  return std::fwrite(text.data(), 1, text.size(), stream) == text.size() &&
         std::fflush(stream) == 0;
}

Result<std::string> ReadStandardInput() {
  std::string text;
  char buffer[65'536];
  while (true) {
    const ssize_t count = read(STDIN_FILENO, buffer, sizeof(buffer));
    if (count == 0) {
      return text;
    }
    if (count < 0) {
      return MakeError(ErrorKind::kIo, "Standard input cannot be read");
    }
    text.append(buffer, static_cast<size_t>(count));
  }
}

struct Script {
  std::string name;
  std::string text;
};

Result<Script> ReadScript(const CommandLine& line) {
  if (!line.text.empty()) {
    return Script{"-e", line.text};
  }
  if (!line.file.empty()) {
    LW_ASSIGN(std::string text, ReadWholeLocalFile(line.file));
    return Script{line.file, std::move(text)};
  }
  LW_ASSIGN(std::string text, ReadStandardInput());
  return Script{"standard input", std::move(text)};
}

/// Watches over a session while it waits: progress on the terminal, Ctrl-C passed on.
class Attendant {
 public:
  void Tick(session::Session* session) {
    progress_.Update(*session);
    for (const int now = InterruptCount(); seen_ < now; ++seen_) {
      progress_.Clear();
      session->Interrupt();
    }
  }
  void BeforePrinting() { progress_.Clear(); }

  /// Stays until the jobs have ended that nobody waited for; gives those that failed.
  /// With `stop` they are asked to end first.
  std::vector<runtime::JobStatus> AwaitJobs(session::Session* session, bool stop) {
    std::vector<std::shared_ptr<runtime::Job>> running;
    for (const auto& job : session->jobs()) {
      if (!job->WaitForMicros(0)) {
        running.push_back(job);
        if (stop) {
          job->Stop();
        }
      }
    }
    bool stopping = stop || seen_ > 0;
    std::vector<runtime::JobStatus> failed;
    for (const auto& job : running) {
      while (!job->WaitForMicros(kTickMicros)) {
        progress_.Update(*session);
        for (const int now = InterruptCount(); seen_ < now; ++seen_) {
          progress_.Clear();
          for (const auto& other : running) {
            stopping ? other->Cancel() : other->Stop();
          }
          stopping = true;
        }
      }
      progress_.Clear();
      if (job->status().state == runtime::JobState::kFailed) {
        failed.push_back(job->status());
      }
    }
    return failed;
  }

 private:
  ProgressLine progress_;
  int seen_ = 0;
};

}  // namespace

int RunSql(const CommandLine& line) {
  SetLogLevel(ParseLogLevel(line.log_level).value_or(LogLevel::kWarn));
  SetLogFile(line.log_file);
  const auto fail = [](const Status& status) {
    PrintTo(stderr, "[ERROR] " + Describe(status) + "\n");
    return kExitFailed;
  };
  const Result<Script> script = ReadScript(line);
  if (!script.ok()) {
    return fail(script.status());
  }
  auto engine = session::MakeEngine();
  if (!engine.ok()) {
    return fail(engine.status());
  }
  session::SessionOptions options;
  options.state_directory = line.state_directory;
  options.script_name = script->name;
  Result<config::Configuration> settings = SettingsOf(line);
  if (!settings.ok()) {
    return fail(settings.status());
  }
  options.settings = *std::move(settings);
  for (const std::string& mistyped : session::MistypedSettings(options.settings)) {
    PrintTo(stderr, "[WARNING] " + mistyped + "\n");
  }
  Attendant attendant;
  session::Session* waiting = nullptr;
  options.on_wait = [&attendant, &waiting] { attendant.Tick(waiting); };
  auto session = session::Session::Make(*engine, std::move(options));
  if (!session.ok()) {
    return fail(session.status());
  }
  waiting = session->get();

  CountInterrupts();
  int print_error = 0;
  session::ScriptOutput output;
  output.print = [&](std::string_view text) {
    attendant.BeforePrinting();
    errno = 0;
    const bool printed = PrintTo(stdout, text);
    print_error = printed ? 0 : errno;
    return printed;
  };
  output.print_error = [&](std::string_view text) {
    attendant.BeforePrinting();
    PrintTo(stderr, text);
  };
  bool succeeded = session::RunScript(session->get(), script->text, {.name = script->name}, output);
  for (const runtime::JobStatus& status :
       attendant.AwaitJobs(session->get(), /*stop=*/print_error != 0 || InterruptCount() > 0)) {
    succeeded = false;
    PrintTo(stderr, fmt::format("[ERROR] Job '{}' ({}) failed:\n{}\n", status.name, status.id,
                                Describe(status.root_cause)));
  }
  if (print_error == EPIPE) {
    return kExitNoReader;  // as in a pipe to "head": nothing that anybody has to be told
  }
  if (print_error != 0) {
    PrintTo(stderr, fmt::format("[ERROR] Standard output cannot be written: {}\n",
                                std::strerror(print_error)));
    return kExitFailed;
  }
  for (const auto& job : (*session)->jobs()) {
    if (job->status().state == runtime::JobState::kCanceled) {
      return kExitStopped;
    }
  }
  if (!succeeded && InterruptCount() > 0) {
    return kExitStopped;
  }
  return succeeded ? 0 : kExitFailed;
}

}  // namespace lakeward::bin
