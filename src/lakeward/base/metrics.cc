#include "lakeward/base/metrics.h"

namespace lakeward {
namespace {

template <typename T>
T* GetOrMake(const std::string& name, std::map<std::string, std::unique_ptr<T>>* by_name) {
  std::unique_ptr<T>& found = (*by_name)[name];
  if (found == nullptr) {
    found = std::make_unique<T>();
  }
  return found.get();
}

}  // namespace

Counter* MetricGroup::GetCounter(const std::string& name) {
  MutexLock lock(&mutex_);
  return GetOrMake(name, &counters_);
}

Gauge* MetricGroup::GetGauge(const std::string& name) {
  MutexLock lock(&mutex_);
  return GetOrMake(name, &gauges_);
}

MetricGroup* MetricGroup::GetGroup(const std::string& name) {
  MutexLock lock(&mutex_);
  return GetOrMake(name, &groups_);
}

std::vector<MetricValue> MetricGroup::Snapshot() const {
  std::vector<MetricValue> values;
  Collect("", &values);
  return values;
}

void MetricGroup::Collect(const std::string& prefix, std::vector<MetricValue>* values) const {
  MutexLock lock(&mutex_);
  for (const auto& [name, counter] : counters_) {
    values->push_back({prefix + name, MetricValue::Kind::kCounter, counter->value()});
  }
  for (const auto& [name, gauge] : gauges_) {
    values->push_back({prefix + name, MetricValue::Kind::kGauge, gauge->value()});
  }
  for (const auto& [name, group] : groups_) {
    group->Collect(prefix + name + ".", values);
  }
}

}  // namespace lakeward
