#include "lakeward/sql/sql_printer.h"

namespace lakeward::sql {

void SqlPrinter::PrintEnforcement(const std::optional<bool>& enforced) {
  if (enforced.has_value()) {
    Write(*enforced ? " ENFORCED" : " NOT ENFORCED");
  }
}

void SqlPrinter::PrintColumn(const ColumnDefinition& column) {
  Print(column.name);
  if (column.kind == ColumnKind::kComputed) {
    Write(" AS ");
    Print(*column.expression);
  } else if (column.type != nullptr) {
    Write(" ");
    Print(*column.type);
  }
  if (column.kind == ColumnKind::kMetadata) {
    Write(" METADATA");
    if (column.metadata_key.has_value()) {
      Write(" FROM ");
      WriteString(*column.metadata_key);
    }
    Write(column.is_virtual ? " VIRTUAL" : "");
  }
  if (column.primary_key || column.unique) {
    if (column.constraint_name.has_value()) {
      Write(" CONSTRAINT ");
      Print(*column.constraint_name);
    }
    Write(column.primary_key ? " PRIMARY KEY" : " UNIQUE");
    PrintEnforcement(column.enforced);
  }
  PrintOptionalComment(column.comment);
  if (column.placement == ColumnPlacement::kFirst) {
    Write(" FIRST");
  } else if (column.placement == ColumnPlacement::kAfter) {
    Write(" AFTER ");
    Print(*column.after);
  }
}

void SqlPrinter::PrintConstraint(const TableConstraint& constraint) {
  if (constraint.name.has_value()) {
    Write("CONSTRAINT ");
    Print(*constraint.name);
    Write(" ");
  }
  Write(constraint.primary_key ? "PRIMARY KEY " : "UNIQUE ");
  PrintNames(constraint.columns);
  PrintEnforcement(constraint.enforced);
}

void SqlPrinter::PrintSchema(const TableSchema& schema, bool parentheses) {
  Write(parentheses ? "(" : "");
  std::string_view gap = "";
  for (const ColumnDefinition& column : schema.columns) {
    Write(gap);
    PrintColumn(column);
    gap = ", ";
  }
  for (const WatermarkDefinition& watermark : schema.watermarks) {
    Write(gap);
    Write("WATERMARK FOR ");
    Print(watermark.column);
    Write(" AS ");
    Print(*watermark.expression);
    gap = ", ";
  }
  for (const TableConstraint& constraint : schema.constraints) {
    Write(gap);
    PrintConstraint(constraint);
    gap = ", ";
  }
  Write(parentheses ? ")" : "");
}

void SqlPrinter::PrintDistribution(const TableDistribution& distribution) {
  std::string_view gap = "";
  if (!distribution.columns.empty()) {
    Write("BY ");
    if (distribution.algorithm.has_value()) {
      Write(*distribution.algorithm);
    }
    PrintNames(distribution.columns);
    gap = " ";
  }
  if (distribution.buckets.has_value()) {
    Write(gap);
    Write("INTO ");
    Write(std::to_string(*distribution.buckets));
    Write(" BUCKETS");
  }
}

void SqlPrinter::PrintLike(const TableLike& like) {
  static constexpr std::string_view kMerges[] = {"INCLUDING ", "EXCLUDING ", "OVERWRITING "};
  static constexpr std::string_view kFeatures[] = {"ALL",        "CONSTRAINTS", "DISTRIBUTION",
                                                   "GENERATED",  "METADATA",    "OPTIONS",
                                                   "PARTITIONS", "WATERMARKS"};
  Write(" LIKE ");
  Print(like.source);
  if (like.merges.empty()) {
    return;
  }
  Write(" (");
  bool first = true;
  for (const auto& [merge, feature] : like.merges) {
    Write(first ? "" : " ");
    first = false;
    Write(kMerges[static_cast<size_t>(merge)]);
    Write(kFeatures[static_cast<size_t>(feature)]);
  }
  Write(")");
}

void SqlPrinter::PrintCreateTable(const CreateTableStatement& table) {
  Write(table.create ? "CREATE " : "");
  Write(table.create && table.replace ? "OR " : "");
  Write(table.replace ? "REPLACE " : "");
  Write(table.temporary ? "TEMPORARY " : "");
  Write(table.if_not_exists ? "TABLE IF NOT EXISTS " : "TABLE ");
  Print(table.name);
  if (table.has_schema) {
    Write(" ");
    PrintSchema(table.schema, true);
  }
  PrintOptionalComment(table.comment);
  if (table.distribution.has_value()) {
    Write(" DISTRIBUTED ");
    PrintDistribution(*table.distribution);
  }
  if (!table.partitioned_by.empty()) {
    Write(" PARTITIONED BY ");
    PrintNames(table.partitioned_by);
  }
  PrintWithOptions(table.options);
  if (table.like.has_value()) {
    PrintLike(*table.like);
  }
  if (table.as_query != nullptr) {
    Write(" AS ");
    Print(*table.as_query);
  }
}

void SqlPrinter::PrintAlterTable(const AlterTableStatement& alter) {
  Write(alter.if_exists ? "ALTER TABLE IF EXISTS " : "ALTER TABLE ");
  Print(alter.name);
  switch (alter.action) {
    case AlterTableAction::kRename:
      Write(" RENAME TO ");
      return Print(alter.new_name);
    case AlterTableAction::kRenameColumn:
      Write(" RENAME ");
      Print(alter.old_column);
      Write(" TO ");
      return Print(alter.new_column);
    case AlterTableAction::kAddSchema:
    case AlterTableAction::kModifySchema:
      Write(alter.action == AlterTableAction::kAddSchema ? " ADD " : " MODIFY ");
      return PrintSchema(alter.schema, alter.schema_in_parentheses);
    case AlterTableAction::kDropColumns:
      Write(" DROP ");
      return PrintNames(alter.drop_columns);
    case AlterTableAction::kDropPrimaryKey:
      return Write(" DROP PRIMARY KEY");
    case AlterTableAction::kDropConstraint:
      Write(" DROP CONSTRAINT ");
      return Print(*alter.constraint);
    case AlterTableAction::kDropWatermark:
      return Write(" DROP WATERMARK");
    case AlterTableAction::kAddDistribution:
    case AlterTableAction::kModifyDistribution:
      Write(alter.action == AlterTableAction::kAddDistribution ? " ADD DISTRIBUTION "
                                                               : " MODIFY DISTRIBUTION ");
      return PrintDistribution(*alter.distribution);
    case AlterTableAction::kDropDistribution:
      return Write(" DROP DISTRIBUTION");
    case AlterTableAction::kAddPartitions:
      Write(alter.partition_if_exists ? " ADD IF NOT EXISTS" : " ADD");
      for (const AddedPartition& partition : alter.partitions) {
        Write(" PARTITION ");
        PrintPartition(partition.partition);
        PrintWithOptions(partition.options);
      }
      return;
    case AlterTableAction::kDropPartitions:
      Write(alter.partition_if_exists ? " DROP IF EXISTS " : " DROP ");
      return WriteList(alter.partitions, [this](const AddedPartition& partition) {
        Write("PARTITION ");
        PrintPartition(partition.partition);
      });
    case AlterTableAction::kSetOptions:
      Write(" SET ");
      return PrintOptions(alter.options);
    case AlterTableAction::kResetOptions:
      Write(" RESET ");
      return PrintKeys(alter.reset_keys);
  }
}

}  // namespace lakeward::sql
