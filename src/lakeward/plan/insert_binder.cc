#include "lakeward/plan/insert_binder.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <string>
#include <utility>

#include "lakeward/base/similar_names.h"
#include "lakeward/plan/expression_binder.h"
#include "lakeward/plan/function_call.h"
#include "lakeward/plan/literal.h"
#include "lakeward/plan/logical/project.h"
#include "lakeward/plan/logical/sink.h"
#include "lakeward/plan/options.h"
#include "lakeward/plan/query_binder.h"
#include "lakeward/types/type_coercion.h"

namespace lakeward::plan {
namespace {

using expr::ExpressionPtr;

class InsertBinder {
 public:
  InsertBinder(const sql::InsertStatement& insert, const BindContext& context)
      : insert_(insert), context_(context), sink_(std::make_shared<LogicalSink>()) {}

  Result<LogicalNodePtr> Bind() {
    if (insert_.on_conflict != sql::InsertConflict::kUnspecified) {
      return NotSupportedYet("ON CONFLICT", insert_.position);
    }
    if (const Status status = OpenTable(); !status.ok()) {
      return WithPosition(status, insert_.table.position());
    }
    LW_TRY(BindPartition());
    LW_TRY(FindTargets());
    types::RowSchema target_schema;
    for (const int target : targets_) {
      target_schema.columns.push_back(columns().columns[target]);
    }
    QueryBinder binder(context_);
    LW_ASSIGN(LogicalNodePtr query, binder.BindForTarget(*insert_.query, target_schema));
    LW_ASSIGN(query, Arrange(std::move(query)));
    LW_ASSIGN(query, CastToTable(std::move(query)));
    sink_->schema = query->schema;
    sink_->inputs.push_back(std::move(query));
    return sink_;
  }

 private:
  const types::RowSchema& columns() const { return sink_->negotiation->schema(); }
  std::string table_name() const { return sink_->context.path.ToString(); }

  Status OpenTable() {
    const catalog::Catalogs& catalogs = *context_.planner->catalogs;
    LW_ASSIGN(const catalog::ObjectPath path, catalogs.Qualify(insert_.table.Texts()));
    LW_ASSIGN(const catalog::CatalogTablePtr table, catalogs.GetTable(path));
    if (table->kind == catalog::TableKind::kView) {
      return MakeError(ErrorKind::kValidation,
                       "'" + path.ToString() + "' is a view: rows cannot be written into it.",
                       "Insert into the table behind it.");
    }
    LW_ASSIGN(sink_->context, MakeTableContext(context_, path, *table, insert_.hints));
    LW_ASSIGN(sink_->factory,
              context_.planner->factories->ForTable(path, sink_->context.table->options));
    if (!sink_->factory->can_sink()) {
      return MakeError(ErrorKind::kValidation,
                       "Table '" + path.ToString() + "' cannot be written: the connector '" +
                           std::string(sink_->factory->identifier()) + "' only reads.",
                       "Use it behind FROM.");
    }
    LW_ASSIGN(negotiation_, sink_->factory->NegotiateSink(sink_->context));
    if (insert_.overwrite) {
      LW_TRY(negotiation_->ApplyOverwrite());
    }
    sink_->negotiation = negotiation_;
    return Status::OK();
  }

  Result<int> FindColumn(const sql::Identifier& name) const {
    const std::optional<int> column = columns().FindColumn(name.text);
    if (!column.has_value()) {
      return MakeError(ErrorKind::kValidation,
                       "Unknown target column '" + name.text + "' of table '" + table_name() + "'",
                       DidYouMean(name.text, columns().Names()), name.position);
    }
    return *column;
  }

  Status BindPartition() {
    std::map<std::string, std::string> texts;
    for (const sql::PartitionValue& part : insert_.partition) {
      LW_ASSIGN(const int column, FindColumn(part.column));
      const std::vector<std::string>& keys = sink_->context.table->partition_keys;
      if (std::find(keys.begin(), keys.end(), part.column.text) == keys.end()) {
        return MakeError(ErrorKind::kValidation,
                         "Column '" + part.column.text + "' is not a partition column of table '" +
                             table_name() + "'",
                         DidYouMean(part.column.text, keys), part.column.position);
      }
      if (part.value == nullptr) {
        continue;
      }
      const Scope no_columns;
      ExpressionBinder binder(context_, no_columns, "PARTITION");
      LW_ASSIGN(const ExpressionPtr value, binder.Bind(*part.value));
      const types::TypePtr& type = columns().columns[column].type;
      if (types::FindCast(*value->type(), *type) == types::CastKind::kNone) {
        return MakeError(ErrorKind::kValidation,
                         "The value of partition column '" + part.column.text + "' is " +
                             value->type()->ToString() + ", not " + type->ToString() + ".",
                         "", part.value->position);
      }
      fixed_[column] = expr::FoldConstants(CoerceTo(value, type), context_.evaluation);
      const ExpressionPtr text =
          expr::FoldConstants(CoerceTo(fixed_[column], types::String()), context_.evaluation);
      if (text->kind() == expr::ExpressionKind::kLiteral && text->literal()->is_valid) {
        texts[part.column.text] = text->literal()->ToString();
      }
    }
    return texts.empty() ? Status::OK() : negotiation_->ApplyStaticPartition(texts);
  }

  // The table's columns that the query gives, in the query's order.
  Status FindTargets() {
    if (insert_.columns.empty()) {
      for (int i = 0; i < columns().size(); ++i) {
        if (!fixed_.contains(i)) {
          targets_.push_back(i);
        }
      }
      return Status::OK();
    }
    for (const sql::QualifiedName& name : insert_.columns) {
      if (name.size() != 1) {
        return NotSupportedYet("fields of a column as targets of INSERT", name.position());
      }
      LW_ASSIGN(const int column, FindColumn(name.parts[0]));
      if (fixed_.contains(column) ||
          std::find(targets_.begin(), targets_.end(), column) != targets_.end()) {
        return MakeError(ErrorKind::kValidation,
                         "Target column '" + name.ToString() + "' is assigned more than once", "",
                         name.position());
      }
      targets_.push_back(column);
    }
    for (int i = 0; i < columns().size(); ++i) {
      const bool given =
          fixed_.contains(i) || std::find(targets_.begin(), targets_.end(), i) != targets_.end();
      if (!given && !columns().columns[i].type->nullable()) {
        return MakeError(ErrorKind::kValidation,
                         "Column '" + columns().columns[i].name +
                             "' has no default value and does not allow NULLs",
                         "Add it to the column list of INSERT.", insert_.table.position());
      }
    }
    return Status::OK();
  }

  // The query's columns in the table's order, constants and nulls filled in.
  Result<LogicalNodePtr> Arrange(LogicalNodePtr query) const {
    if (query->schema.size() != static_cast<int>(targets_.size())) {
      return MakeError(ErrorKind::kValidation,
                       Mismatch("Different number of columns.", query->schema),
                       "Give a value for each column, or name the columns: INSERT INTO t (a, b) ….",
                       insert_.query->position);
    }
    const std::vector<ExpressionPtr> given = ColumnsOf(query->schema);
    std::vector<ExpressionPtr> expressions;
    std::vector<std::string> names;
    for (int i = 0; i < columns().size(); ++i) {
      const auto target = std::find(targets_.begin(), targets_.end(), i);
      if (target != targets_.end()) {
        expressions.push_back(given[static_cast<size_t>(target - targets_.begin())]);
        names.push_back(expressions.back()->column_name());
      } else {
        expressions.push_back(fixed_.contains(i)
                                  ? fixed_.at(i)
                                  : expr::MakeNullLiteral(types::WithNullability(
                                        columns().columns[i].type, /*nullable=*/true)));
        names.push_back("EXPR$" + std::to_string(i));
      }
    }
    return IsIdentity(expressions, query->schema.size())
               ? query
               : MakeProject(std::move(query), std::move(expressions), names);
  }

  std::string Mismatch(const std::string& cause, const types::RowSchema& query) const {
    return "Column types of query result and sink for '" + table_name() +
           "' do not match.\nCause: " + cause + "\n\nQuery schema: " + query.ToString() +
           "\nSink schema:  " + columns().ToString();
  }

  // Whether values may be written as they are, though the types differ in their lengths.
  static bool DifferInLengthOnly(const types::LogicalType& query, const types::LogicalType& sink) {
    return (query.IsCharacterString() && sink.IsCharacterString()) ||
           (query.IsBinaryString() && sink.IsBinaryString());
  }

  Result<LogicalNodePtr> CastToTable(LogicalNodePtr query) const {
    LW_ASSIGN(const std::string enforcer,
              context_.planner->settings->Get(TypeLengthEnforcerOption()));
    const bool trim_and_pad = std::toupper(static_cast<unsigned char>(enforcer[0])) == 'T';
    std::vector<ExpressionPtr> expressions = ColumnsOf(query->schema);
    for (int i = 0; i < columns().size(); ++i) {
      const types::LogicalType& given = *expressions[i]->type();
      const types::TypePtr& wanted = columns().columns[i].type;
      const bool same_family = DifferInLengthOnly(given, *wanted);
      if (!same_family && types::FindCast(given, *wanted) != types::CastKind::kImplicit) {
        return MakeError(
            ErrorKind::kValidation,
            Mismatch("Incompatible types for sink column '" + columns().columns[i].name +
                         "' at position " + std::to_string(i) + ".",
                     query->schema),
            "Convert the column in the query with CAST(… AS " +
                types::WithNullability(wanted, true)->ToString() + ").",
            insert_.query->position);
      }
      if (!same_family || trim_and_pad) {
        expressions[i] = CoerceTo(expressions[i], wanted);
      }
    }
    const std::vector<std::string> names = query->schema.Names();
    return IsIdentity(expressions, query->schema.size())
               ? query
               : MakeProject(std::move(query), std::move(expressions), names);
  }

  const sql::InsertStatement& insert_;
  const BindContext& context_;
  std::shared_ptr<LogicalSink> sink_;
  std::shared_ptr<catalog::SinkNegotiation> negotiation_;
  std::map<int, ExpressionPtr> fixed_;  ///< of PARTITION, by column
  std::vector<int> targets_;
};

}  // namespace

Result<LogicalNodePtr> BindInsert(const sql::InsertStatement& insert, const BindContext& context) {
  return InsertBinder(insert, context).Bind();
}

}  // namespace lakeward::plan
