#include <utility>

#include "arrow/array/concatenate.h"
#include "arrow/array/util.h"
#include "arrow/util/checked_cast.h"
#include "lakeward/expr/cast_families.h"
#include "lakeward/expr/column_values.h"
#include "lakeward/types/arrow_mapping.h"

namespace lakeward::expr {

using arrow::internal::checked_cast;
using types::LogicalType;
using types::TypeRoot;

namespace {

/// The parts are cast strictly: a part that fails makes its whole value fail.
CastCall PartCall(const LogicalType& source, const LogicalType& target, const CastCall& call) {
  return {source, target, /*null_on_failure=*/false, call.context};
}

/// The elements that the lists of a (possibly sliced) list or map column refer to.
std::shared_ptr<arrow::Array> ReferencedValues(const std::shared_ptr<arrow::Array>& elements,
                                               int64_t begin, int64_t end) {
  return elements->Slice(begin, end - begin);
}

/// List offsets that begin at 0.
Result<std::shared_ptr<arrow::Buffer>> RebasedOffsets(const arrow::Array& values,
                                                      const EvaluationContext& context) {
  const int32_t* offsets = values.data()->GetValues<int32_t>(1);
  LW_ASSIGN(std::shared_ptr<arrow::Buffer> rebased,
            arrow::AllocateBuffer((values.length() + 1) * static_cast<int64_t>(sizeof(int32_t)),
                                  PoolOf(context)));
  auto* out = reinterpret_cast<int32_t*>(rebased->mutable_data());
  for (int64_t row = 0; row <= values.length(); ++row) {
    out[row] = offsets[row] - offsets[0];
  }
  return rebased;
}

Result<std::shared_ptr<arrow::Array>> CastList(const std::shared_ptr<arrow::Array>& values,
                                               const CastCall& call) {
  const auto& list = checked_cast<const arrow::ListArray&>(*values);
  const auto elements =
      ReferencedValues(list.values(), list.value_offset(0), list.value_offset(list.length()));
  LW_ASSIGN(const auto cast, CastArray(elements, PartCall(*call.source.children()[0],
                                                          *call.target.children()[0], call)));
  LW_ASSIGN(auto offsets, RebasedOffsets(*values, call.context));
  LW_ASSIGN(auto validity, CopyValidity(*values, call.context));
  return arrow::MakeArray(arrow::ArrayData::Make(types::ToArrow(call.target), values->length(),
                                                 {std::move(validity), std::move(offsets)},
                                                 {cast->data()}));
}

Result<std::shared_ptr<arrow::Array>> CastMap(const std::shared_ptr<arrow::Array>& values,
                                              const CastCall& call) {
  const auto& map = checked_cast<const arrow::MapArray&>(*values);
  const int64_t begin = map.value_offset(0);
  const int64_t end = map.value_offset(map.length());
  LW_ASSIGN(const auto keys,
            CastArray(ReferencedValues(map.keys(), begin, end),
                      PartCall(*call.source.children()[0], *call.target.children()[0], call)));
  std::shared_ptr<arrow::Array> items = ReferencedValues(map.items(), begin, end);
  if (call.source.root() == TypeRoot::kMap) {
    LW_ASSIGN(items, CastArray(items, PartCall(*call.source.children()[1],
                                               *call.target.children()[1], call)));
  }
  const std::shared_ptr<arrow::DataType> type = types::ToArrow(call.target);
  const auto entries =
      arrow::ArrayData::Make(checked_cast<const arrow::MapType&>(*type).value_type(),
                             keys->length(), {nullptr}, {keys->data(), items->data()}, 0);
  LW_ASSIGN(auto offsets, RebasedOffsets(*values, call.context));
  LW_ASSIGN(auto validity, CopyValidity(*values, call.context));
  return arrow::MakeArray(arrow::ArrayData::Make(
      type, values->length(), {std::move(validity), std::move(offsets)}, {entries}));
}

Result<std::shared_ptr<arrow::Array>> CastRow(const std::shared_ptr<arrow::Array>& values,
                                              const CastCall& call) {
  const auto& structure = checked_cast<const arrow::StructArray&>(*values);
  std::vector<std::shared_ptr<arrow::ArrayData>> fields;
  for (size_t i = 0; i < call.target.fields().size(); ++i) {
    LW_ASSIGN(const auto field, CastArray(structure.field(static_cast<int>(i)),
                                          PartCall(*call.source.fields()[i].type,
                                                   *call.target.fields()[i].type, call)));
    fields.push_back(field->data());
  }
  LW_ASSIGN(auto validity, CopyValidity(*values, call.context));
  return arrow::MakeArray(arrow::ArrayData::Make(types::ToArrow(call.target), values->length(),
                                                 {std::move(validity)}, std::move(fields)));
}

Result<std::shared_ptr<arrow::Array>> CastStrictly(const std::shared_ptr<arrow::Array>& values,
                                                   const CastCall& call) {
  switch (call.source.root()) {
    case TypeRoot::kArray:
      return CastList(values, call);
    case TypeRoot::kMultiset:
    case TypeRoot::kMap:
      return CastMap(values, call);
    default:
      return CastRow(values, call);
  }
}

}  // namespace

Result<std::shared_ptr<arrow::Array>> CastNested(const std::shared_ptr<arrow::Array>& values,
                                                 const CastCall& call) {
  Result<std::shared_ptr<arrow::Array>> whole = CastStrictly(values, call);
  if (whole.ok() || !call.null_on_failure) {
    return whole;
  }
  // Some row fails: find out which, one by one.
  arrow::ArrayVector pieces;
  for (int64_t row = 0; row < values->length(); ++row) {
    Result<std::shared_ptr<arrow::Array>> piece = CastStrictly(values->Slice(row, 1), call);
    if (!piece.ok()) {
      piece = arrow::MakeArrayOfNull(types::ToArrow(call.target), 1, PoolOf(call.context));
    }
    LW_ASSIGN(auto value, std::move(piece));
    pieces.push_back(std::move(value));
  }
  return arrow::Concatenate(pieces, PoolOf(call.context));
}

}  // namespace lakeward::expr
