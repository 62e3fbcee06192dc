#include "lakeward/session/tableau.h"

#include <algorithm>
#include <utility>

#include "lakeward/session/display_width.h"
#include "lakeward/types/printed_form.h"

namespace lakeward::session {
namespace {

constexpr std::string_view kNullText = "<NULL>";
constexpr std::string_view kCut = "...";
constexpr std::string_view kKindColumn = "op";

}  // namespace

Tableau::Tableau(types::RowSchema schema, types::TimeZone zone, bool with_kinds, bool null_as_empty)
    : schema_(std::move(schema)),
      zone_(std::move(zone)),
      with_kinds_(with_kinds),
      null_as_empty_(null_as_empty) {
  for (const types::Column& column : schema_.columns) {
    widths_.push_back(DisplayWidth(column.name));
  }
}

Tableau Tableau::ForChangelog(types::RowSchema schema, types::TimeZone zone,
                              int64_t column_width_max) {
  Tableau tableau(std::move(schema), std::move(zone), true, false);
  for (size_t i = 0; i < tableau.widths_.size(); ++i) {
    int width = types::TableauWidth(*tableau.schema_.columns[i].type);
    if (width == types::TableauWidth(*types::String())) {
      width = static_cast<int>(column_width_max);
    }
    tableau.widths_[i] = std::max({tableau.widths_[i], width, static_cast<int>(kNullText.size())});
  }
  return tableau;
}

Tableau Tableau::ForRows(types::RowSchema schema, types::TimeZone zone,
                         const std::vector<std::shared_ptr<arrow::RecordBatch>>& rows,
                         bool null_as_empty) {
  Tableau tableau(std::move(schema), std::move(zone), false, null_as_empty);
  for (const auto& records : rows) {
    for (int64_t row = 0; row < records->num_rows(); ++row) {
      const std::vector<std::string> cells = tableau.Cells(*records, row);
      for (size_t i = 0; i < cells.size(); ++i) {
        tableau.widths_[i] = std::max(tableau.widths_[i], DisplayWidth(cells[i]));
      }
    }
  }
  return tableau;
}

std::string Tableau::Rule() const {
  std::string rule = "+";
  if (with_kinds_) {
    rule += std::string(kKindColumn.size() + 2, '-') + "+";
  }
  for (const int width : widths_) {
    rule += std::string(static_cast<size_t>(width) + 2, '-') + "+";
  }
  return rule + "\n";
}

std::string Tableau::Header() const {
  std::string names = "|";
  if (with_kinds_) {
    names += " " + std::string(kKindColumn) + " |";
  }
  return Rule() + names + Line(schema_.Names()) + Rule();
}

std::vector<std::string> Tableau::Cells(const arrow::RecordBatch& records, int64_t row) const {
  std::vector<std::string> cells;
  cells.reserve(schema_.columns.size());
  for (int i = 0; i < records.num_columns(); ++i) {
    const arrow::Array& column = *records.column(i);
    if (column.IsNull(row)) {
      cells.emplace_back(null_as_empty_ ? "" : kNullText);
    } else {
      cells.push_back(
          types::PrintedForm(column, row, *schema_.columns[static_cast<size_t>(i)].type, zone_));
    }
  }
  return cells;
}

std::string Tableau::Line(const std::vector<std::string>& cells) const {
  std::string line;
  for (size_t i = 0; i < cells.size(); ++i) {
    const int width = DisplayWidth(cells[i]);
    line += ' ';
    if (width <= widths_[i]) {
      line.append(static_cast<size_t>(widths_[i] - width), ' ');
      line += cells[i];
    } else {
      line += TruncateToWidth(cells[i], widths_[i] - static_cast<int>(kCut.size()));
      line += kCut;
    }
    line += " |";
  }
  return line + "\n";
}

std::string Tableau::Rows(const stream::Batch& batch) const {
  std::string text;
  for (int64_t i = 0; i < batch.row_count(); ++i) {
    const int64_t row = batch.selection == nullptr ? i : batch.selection->Value(i);
    text += '|';
    if (with_kinds_) {
      const auto kind = batch.row_kinds == nullptr
                            ? types::RowKind::kInsert
                            : static_cast<types::RowKind>(batch.row_kinds->Value(row));
      text += ' ';
      text += types::ToShortString(kind);
      text += " |";
    }
    text += Line(Cells(*batch.records, row));
  }
  return text;
}

}  // namespace lakeward::session
