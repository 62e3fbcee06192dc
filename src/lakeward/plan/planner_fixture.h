#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "lakeward/catalog/catalogs.h"
#include "lakeward/catalog/in_memory_catalog.h"
#include "lakeward/catalog/table_factory.h"
#include "lakeward/plan/planner.h"
#include "lakeward/sql/parse.h"

namespace lakeward::plan {

/// For tests: the connector 'memo', which remembers what the planner asked of it. Its options:
/// 'unbounded' = 'true', 'updates' = 'true' (the sink takes changes), 'prune' = 'true' (filters are
/// taken over entirely).
class MemoScan final : public catalog::ScanNegotiation {
 public:
  MemoScan(types::RowSchema schema, const config::OptionMap& options)
      : schema_(std::move(schema)),
        bounded_(!options.contains("unbounded")),
        takes_filters_(options.contains("prune")) {}

  const types::RowSchema& schema() const override { return schema_; }
  bool bounded() const override { return bounded_; }
  std::vector<expr::ExpressionPtr> ApplyFilters(std::vector<expr::ExpressionPtr> filters) override {
    for (const expr::ExpressionPtr& filter : filters) {
      description_ += "filter=" + filter->ToString() + " ";
    }
    return takes_filters_ ? std::vector<expr::ExpressionPtr>{} : filters;
  }
  bool ApplyProjection(const std::vector<int>& columns) override {
    types::RowSchema projected;
    for (const int column : columns) {
      projected.columns.push_back(schema_.columns[column]);
      description_ += "column=" + schema_.columns[column].name + " ";
    }
    schema_ = std::move(projected);
    return true;
  }
  void ApplyLimit(int64_t limit) override { description_ += "limit=" + std::to_string(limit); }
  std::string Describe() const override { return description_; }

 private:
  types::RowSchema schema_;
  bool bounded_;
  bool takes_filters_;
  std::string description_;
};

class MemoSink final : public catalog::SinkNegotiation {
 public:
  MemoSink(types::RowSchema schema, bool takes_updates)
      : schema_(std::move(schema)), takes_updates_(takes_updates) {}
  const types::RowSchema& schema() const override { return schema_; }
  catalog::ChangelogMode AcceptedChangelog(const catalog::ChangelogMode& query) const override {
    return takes_updates_ ? catalog::ChangelogMode::Upsert() : catalog::ChangelogMode::AppendOnly();
  }

 private:
  types::RowSchema schema_;
  bool takes_updates_;
};

class MemoFactory final : public catalog::TableFactory {
 public:
  std::string_view identifier() const override { return "memo"; }
  std::string_view doc() const override { return "For tests."; }
  std::vector<config::OptionInfo> options() const override { return {}; }
  Result<std::unique_ptr<catalog::ScanNegotiation>> NegotiateScan(
      const catalog::TableContext& context) const override {
    return std::make_unique<MemoScan>(context.table->PhysicalSchema(), context.table->options);
  }
  Result<std::unique_ptr<catalog::SinkNegotiation>> NegotiateSink(
      const catalog::TableContext& context) const override {
    return std::make_unique<MemoSink>(context.table->PhysicalSchema(),
                                      context.table->options.contains("updates"));
  }
};

/// Plans statements over tables of the connector 'memo'.
class PlannerFixture : public ::testing::Test {
 protected:
  PlannerFixture() {
    factories_.Add(std::make_shared<MemoFactory>());
    LW_CHECK(catalogs_
                 .Add(catalog::MakeInMemoryCatalog("default_catalog", "default_database", {},
                                                   &factories_, &engine_, &settings_))
                 .ok());
    context_.catalogs = &catalogs_;
    context_.factories = &factories_;
    context_.functions = expr::FunctionRegistry::Builtin();
    context_.settings = &settings_;
    context_.engine = &engine_;
    Set("table.local-time-zone", "UTC");
  }

  void Set(const std::string& key, const std::string& value) {
    settings_.Set(key, value, config::Level::kSession, "test");
  }

  /// `columns` as in CREATE TABLE: "a INT NOT NULL, b STRING".
  void CreateTable(const std::string& name, const std::string& columns,
                   config::OptionMap options = {}) {
    const auto row = sql::ParseTypeName("ROW<" + columns + ">");
    LW_CHECK(row.ok());
    const auto type = BindType(**row);
    LW_CHECK(type.ok());
    catalog::CatalogTable table;
    for (const types::RowField& field : (*type)->fields()) {
      catalog::TableColumn column;
      column.name = field.name;
      column.type = field.type;
      table.columns.push_back(std::move(column));
    }
    options["connector"] = "memo";
    table.options = std::move(options);
    AddTable(name, std::move(table));
  }

  void CreateView(const std::string& name, const std::string& query) {
    catalog::CatalogTable view;
    view.kind = catalog::TableKind::kView;
    view.view_query = query;
    AddTable(name, std::move(view));
  }

  void AddTable(const std::string& name, catalog::CatalogTable table) {
    const auto catalog = catalogs_.Get("default_catalog");
    LW_CHECK(catalog.ok());
    LW_CHECK((*catalog)->CreateTable("default_database", name, std::move(table)).ok());
  }

  Result<PlannedStatement> Plan(std::string_view text) {
    LW_ASSIGN(const sql::StatementPtr statement, sql::ParseStatement(text));
    if (const auto* query = statement->AsIf<sql::QueryStatement>()) {
      return PlanQuery(*query->query, context_);
    }
    return PlanInserts({statement.get()}, context_);
  }

  /// The last section of EXPLAIN.
  Result<std::string> ExecutionPlan(std::string_view text) {
    LW_ASSIGN(const PlannedStatement planned, Plan(text));
    constexpr std::string_view kTitle = "== Optimized Execution Plan ==\n";
    return planned.explanation.substr(planned.explanation.find(kTitle) + kTitle.size());
  }

  catalog::TableFactories factories_;
  catalog::EngineContext engine_{fs::FileSystems::Builtin()};
  catalog::Catalogs catalogs_;
  config::Configuration settings_;
  PlannerContext context_;
};

}  // namespace lakeward::plan
