#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "lakeward/base/mutex.h"

namespace lakeward {

/// A number that only grows. Thread-safe; an addition is one relaxed atomic operation.
class Counter {
 public:
  void Add(int64_t count) { value_.fetch_add(count, std::memory_order_relaxed); }
  int64_t value() const { return value_.load(std::memory_order_relaxed); }

 private:
  std::atomic<int64_t> value_{0};
};

/// A number that goes up and down. Thread-safe.
class Gauge {
 public:
  void Set(int64_t value) { value_.store(value, std::memory_order_relaxed); }
  void Add(int64_t difference) { value_.fetch_add(difference, std::memory_order_relaxed); }
  int64_t value() const { return value_.load(std::memory_order_relaxed); }

 private:
  std::atomic<int64_t> value_{0};
};

/// One metric at the time of a snapshot.
struct MetricValue {
  enum class Kind { kCounter, kGauge };
  std::string name;  ///< with the names of the groups before it: "job.source.numRecordsIn"
  Kind kind;
  int64_t value;
};

/// Metrics by name, in a tree of groups. Owns them: pointers are valid as long as the outermost
/// group. Thread-safe; asking for a metric locks, so callers keep the pointer.
class MetricGroup {
 public:
  /// The metric of this name, made on first use. A name is either a counter or a gauge.
  Counter* GetCounter(const std::string& name);
  Gauge* GetGauge(const std::string& name);
  MetricGroup* GetGroup(const std::string& name);

  /// Every metric of this group and those in it: own counters, own gauges, then groups, each by
  /// name.
  std::vector<MetricValue> Snapshot() const;

 private:
  void Collect(const std::string& prefix, std::vector<MetricValue>* values) const;

  mutable Mutex mutex_;
  std::map<std::string, std::unique_ptr<Counter>> counters_;
  std::map<std::string, std::unique_ptr<Gauge>> gauges_;
  std::map<std::string, std::unique_ptr<MetricGroup>> groups_;
};

}  // namespace lakeward
