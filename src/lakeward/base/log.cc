#include "lakeward/base/log.h"

#include <atomic>
#include <exception>
#include <map>
#include <memory>

#include "fmt/format.h"
#include "lakeward/base/environment.h"
#include "lakeward/base/mutex.h"
#include "spdlog/logger.h"
#include "spdlog/sinks/basic_file_sink.h"
#include "spdlog/sinks/stdout_sinks.h"

namespace lakeward {
namespace {

std::string_view NameOf(LogLevel level) {
  switch (level) {
    case LogLevel::kTrace:
      return "TRACE";
    case LogLevel::kDebug:
      return "DEBUG";
    case LogLevel::kInfo:
      return "INFO";
    case LogLevel::kWarn:
      return "WARN";
    case LogLevel::kError:
      return "ERROR";
    case LogLevel::kOff:
      return "OFF";
  }
  return "";
}

// A message of several lines stays one entry for those who read the log line by line.
std::string IndentContinuation(std::string_view message) {
  std::string text;
  text.reserve(message.size());
  for (const char c : message) {
    text += c;
    if (c == '\n') {
      text += "    ";
    }
  }
  return text;
}

// The process' log: levels by component, and spdlog as the writer. Its sinks are the unlocked
// kinds; `mutex_` guards everything.
class LogWriter {
 public:
  LogWriter() {
    Open(std::make_shared<spdlog::sinks::stderr_sink_st>());
    ApplyEnvironment();
  }

  bool Enabled(LogLevel level, std::string_view component) {
    if (level == LogLevel::kOff || level < lowest_.load(std::memory_order_relaxed)) {
      return false;
    }
    MutexLock lock(&mutex_);
    return level >= LevelOf(component);
  }

  void Write(LogLevel level, std::string_view component, std::string_view message) {
    MutexLock lock(&mutex_);
    if (level < LevelOf(component)) {
      return;
    }
    // spdlog swallows what its sinks throw (its error handler writes to standard error).
    logger_->log(spdlog::level::critical, fmt::format("{:<5} [{}] {}", NameOf(level), component,
                                                      IndentContinuation(message)));
    logger_->flush();
  }

  void SetLevel(std::string_view component, LogLevel level) {
    MutexLock lock(&mutex_);
    if (component.empty()) {
      default_level_ = level;
    } else {
      component_levels_[std::string(component)] = level;
    }
    LogLevel lowest = default_level_;
    for (const auto& [name, own_level] : component_levels_) {
      lowest = std::min(lowest, own_level);
    }
    lowest_.store(lowest, std::memory_order_relaxed);
  }

  void SetFile(const std::string& path) {
    MutexLock lock(&mutex_);
    if (path.empty()) {
      Open(std::make_shared<spdlog::sinks::stderr_sink_st>());
      return;
    }
    try {
      Open(std::make_shared<spdlog::sinks::basic_file_sink_st>(path));
    } catch (const std::exception& error) {
      Open(std::make_shared<spdlog::sinks::stderr_sink_st>());
      logger_->log(spdlog::level::critical,
                   fmt::format("WARN  [log] cannot write the log to {}, writing it here: {}", path,
                               error.what()));
    }
  }

 private:
  void Open(std::shared_ptr<spdlog::sinks::sink> sink) {
    logger_ = std::make_unique<spdlog::logger>("lakeward", std::move(sink));
    logger_->set_pattern("%Y-%m-%d %H:%M:%S.%e %v");
    logger_->set_level(spdlog::level::trace);
  }

  LogLevel LevelOf(std::string_view component) const {
    LogLevel level = default_level_;
    size_t longest = 0;
    for (const auto& [prefix, own_level] : component_levels_) {
      if (prefix.size() > longest && component.starts_with(prefix)) {
        longest = prefix.size();
        level = own_level;
      }
    }
    return level;
  }

  // LAKEWARD_LOG=debug or LAKEWARD_LOG=info,table/delta=trace.
  void ApplyEnvironment() {
    const std::string text = GetEnvironment("LAKEWARD_LOG").value_or("");
    size_t start = 0;
    while (start < text.size()) {
      const size_t end = std::min(text.size(), text.find(',', start));
      const std::string_view item = std::string_view(text).substr(start, end - start);
      const size_t equals = item.find('=');
      const bool has_component = equals != std::string_view::npos;
      const auto level = ParseLogLevel(has_component ? item.substr(equals + 1) : item);
      if (level.has_value()) {
        SetLevel(has_component ? item.substr(0, equals) : std::string_view(), *level);
      } else {
        Write(LogLevel::kWarn, "log",
              fmt::format("LAKEWARD_LOG: '{}' is no level; levels are trace, debug, info, warn, "
                          "error and off",
                          item));
      }
      start = end + 1;
    }
  }

  Mutex mutex_;
  std::unique_ptr<spdlog::logger> logger_;
  LogLevel default_level_ = LogLevel::kWarn;
  std::map<std::string, LogLevel> component_levels_;
  std::atomic<LogLevel> lowest_{LogLevel::kWarn};
};

LogWriter* Writer() {
  // Never destroyed: threads may still log while the process exits.
  static auto* const writer = new LogWriter();
  return writer;
}

}  // namespace

std::optional<LogLevel> ParseLogLevel(std::string_view text) {
  std::string upper;
  for (const char c : text) {
    upper += c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  }
  for (const LogLevel level : {LogLevel::kTrace, LogLevel::kDebug, LogLevel::kInfo, LogLevel::kWarn,
                               LogLevel::kError, LogLevel::kOff}) {
    if (upper == NameOf(level)) {
      return level;
    }
  }
  return std::nullopt;
}

void Log(LogLevel level, std::string_view component, std::string_view message) {
  LogWriter* writer = Writer();
  if (writer->Enabled(level, component)) {
    writer->Write(level, component, message);
  }
}

void SetLogLevel(LogLevel level) { Writer()->SetLevel("", level); }

void SetLogLevel(std::string_view component, LogLevel level) {
  Writer()->SetLevel(component, level);
}

bool LogEnabled(LogLevel level, std::string_view component) {
  return Writer()->Enabled(level, component);
}

void SetLogFile(const std::string& path) { Writer()->SetFile(path); }

}  // namespace lakeward
