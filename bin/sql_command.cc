#include "bin/sql_command.h"

#include <unistd.h>

#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "bin/interrupt.h"
#include "bin/progress.h"
#include "fmt/format.h"
#include "lakeward/base/local_file.h"
#include "lakeward/base/log.h"
#include "lakeward/session/script.h"
#include "lakeward/session/session.h"

namespace lakeward::bin {
namespace {

constexpr int kExitFailed = 1;
constexpr int kExitStopped = 130;
constexpr int64_t kTickMicros = 50'000;

void PrintTo(std::FILE* stream, std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stream);
  std::fflush(stream);
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

LogLevel LevelNamed(const std::string& name) {
  constexpr std::pair<const char*, LogLevel> kLevels[] = {
      {"trace", LogLevel::kTrace}, {"debug", LogLevel::kDebug}, {"info", LogLevel::kInfo},
      {"warn", LogLevel::kWarn},   {"error", LogLevel::kError}, {"off", LogLevel::kOff}};
  for (const auto& [text, level] : kLevels) {
    if (name == text) {
      return level;
    }
  }
  return LogLevel::kWarn;
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
  std::vector<runtime::JobStatus> AwaitJobs(session::Session* session) {
    std::vector<std::shared_ptr<runtime::Job>> running;
    for (const auto& job : session->jobs()) {
      if (!job->WaitForMicros(0)) {
        running.push_back(job);
      }
    }
    bool stopping = seen_ > 0;
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
  SetLogLevel(LevelNamed(line.log_level));
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
  for (const auto& [key, value] : line.settings) {
    options.settings.Set(key, value, config::Level::kCommandLine, "-D on the command line");
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
  const auto print_to = [&attendant](std::FILE* stream) {
    return [&attendant, stream](std::string_view text) {
      attendant.BeforePrinting();
      PrintTo(stream, text);
    };
  };
  bool succeeded = session::RunScript(session->get(), script->text, {.name = script->name},
                                      {.print = print_to(stdout), .print_error = print_to(stderr)});
  for (const runtime::JobStatus& status : attendant.AwaitJobs(session->get())) {
    succeeded = false;
    PrintTo(stderr, fmt::format("[ERROR] Job '{}' ({}) failed:\n{}\n", status.name, status.id,
                                Describe(status.root_cause)));
  }
  for (const auto& job : (*session)->jobs()) {
    if (job->status().state == runtime::JobState::kCanceled) {
      return kExitStopped;
    }
  }
  return succeeded ? 0 : kExitFailed;
}

}  // namespace lakeward::bin
