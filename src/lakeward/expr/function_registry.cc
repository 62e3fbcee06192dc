#include <algorithm>
#include <utility>

#include "lakeward/base/letter_case.h"
#include "lakeward/expr/aggregates/families.h"
#include "lakeward/expr/function.h"
#include "lakeward/expr/functions/families.h"

namespace lakeward::expr {

namespace {

/// Names are few and looked up only while a statement is bound: a scan needs no index.
template <typename Function>
const Function* FindByName(const std::vector<std::unique_ptr<Function>>& functions,
                           std::string_view upper_name) {
  for (const auto& function : functions) {
    if (function->name == upper_name) {
      return function.get();
    }
  }
  return nullptr;
}

template <typename Function>
std::vector<const Function*> SortedByName(const std::vector<std::unique_ptr<Function>>& functions,
                                          std::vector<const Function*> inherited) {
  for (const auto& function : functions) {
    std::erase_if(inherited, [&](const Function* other) { return other->name == function->name; });
  }
  for (const auto& function : functions) {
    inherited.push_back(function.get());
  }
  std::sort(inherited.begin(), inherited.end(),
            [](const Function* left, const Function* right) { return left->name < right->name; });
  return inherited;
}

/// A later function of the same name takes the earlier one's place.
template <typename Function>
void AddOrReplace(Function function, std::vector<std::unique_ptr<Function>>* functions) {
  std::erase_if(*functions, [&](const auto& other) { return other->name == function.name; });
  functions->push_back(std::make_unique<Function>(std::move(function)));
}

}  // namespace

void FunctionRegistry::Add(ScalarFunction function) {
  LW_CHECK(function.kernel != nullptr && function.bind != nullptr);
  AddOrReplace(std::move(function), &scalars_);
}

void FunctionRegistry::Add(AggregateFunction function) {
  LW_CHECK(function.make_state != nullptr && function.bind != nullptr);
  AddOrReplace(std::move(function), &aggregates_);
}

const ScalarFunction* FunctionRegistry::FindScalar(std::string_view name) const {
  if (const auto* found = FindByName(scalars_, ToUpper(name))) {
    return found;
  }
  return parent_ == nullptr ? nullptr : parent_->FindScalar(name);
}

const AggregateFunction* FunctionRegistry::FindAggregate(std::string_view name) const {
  if (const auto* found = FindByName(aggregates_, ToUpper(name))) {
    return found;
  }
  return parent_ == nullptr ? nullptr : parent_->FindAggregate(name);
}

std::vector<const ScalarFunction*> FunctionRegistry::Scalars() const {
  return SortedByName(
      scalars_, parent_ == nullptr ? std::vector<const ScalarFunction*>() : parent_->Scalars());
}

std::vector<const AggregateFunction*> FunctionRegistry::Aggregates() const {
  return SortedByName(aggregates_, parent_ == nullptr ? std::vector<const AggregateFunction*>()
                                                      : parent_->Aggregates());
}

const FunctionRegistry* FunctionRegistry::Builtin() {
  static const FunctionRegistry* const kBuiltin = [] {
    auto* registry = new FunctionRegistry();
    AddScalarFamilies(registry);
    AddAggregateFamilies(registry);
    return registry;
  }();
  return kBuiltin;
}

}  // namespace lakeward::expr
