// Arrays, maps and rows: how they are made and read.
#include <utility>

#include "arrow/array/array_nested.h"
#include "arrow/array/concatenate.h"
#include "arrow/array/util.h"
#include "arrow/compute/api_vector.h"
#include "arrow/scalar.h"
#include "arrow/util/checked_cast.h"
#include "lakeward/expr/column_values.h"
#include "lakeward/expr/functions/families.h"
#include "lakeward/expr/functions/signature.h"
#include "lakeward/types/arrow_mapping.h"
#include "lakeward/types/type_coercion.h"

namespace lakeward::expr {

using arrow::internal::checked_cast;
using types::LogicalType;
using types::TypePtr;
using types::TypeRoot;

namespace {

Result<std::shared_ptr<arrow::Array>> FullColumn(const arrow::Datum& datum,
                                                 const KernelCall& call) {
  return datum.is_scalar()
             ? arrow::MakeArrayFromScalar(*datum.scalar(), call.row_count, PoolOf(call.context))
             : Result<std::shared_ptr<arrow::Array>>(datum.make_array());
}

/// Gathers `values` by index, null where the index is null.
Result<arrow::Datum> Gather(const std::shared_ptr<arrow::Array>& values,
                            FixedOutput<int64_t> indexes, BitOutput found, int64_t row_count) {
  const arrow::Datum positions =
      std::move(indexes).Finish(*types::BigInt(), row_count, found.buffer());
  return arrow::compute::Take(arrow::Datum(values), positions,
                              arrow::compute::TakeOptions::NoBoundsCheck());
}

// --- rows ---

std::optional<int> FieldNumber(const LogicalType& row, const arrow::Scalar* name) {
  if (name == nullptr || !name->is_valid || name->type->id() != arrow::Type::STRING) {
    return std::nullopt;
  }
  const std::string_view text = checked_cast<const arrow::StringScalar&>(*name).view();
  for (size_t i = 0; i < row.fields().size(); ++i) {
    if (row.fields()[i].name == text) {
      return static_cast<int>(i);
    }
  }
  return std::nullopt;
}

std::optional<BoundSignature> BindGetField(const std::vector<TypePtr>& arguments) {
  if (arguments.size() != 2 || arguments[0]->root() != TypeRoot::kRow ||
      !arguments[1]->IsCharacterString()) {
    return std::nullopt;
  }
  return BoundSignature{arguments, types::Null()};
}

TypePtr RefineGetField(const BoundSignature& signature,
                       const std::vector<const arrow::Scalar*>& literals) {
  const LogicalType& row = *signature.argument_types[0];
  const std::optional<int> field = FieldNumber(row, literals[1]);
  if (!field) {
    return signature.result_type;
  }
  const TypePtr& type = row.fields()[static_cast<size_t>(*field)].type;
  return types::WithNullability(type, type->nullable() || row.nullable());
}

Result<arrow::Datum> GetField(const KernelCall& call) {
  const std::optional<int> field =
      call.arguments[1].is_scalar()
          ? FieldNumber(*call.argument_types[0], call.arguments[1].scalar().get())
          : std::nullopt;
  if (!field) {
    return MakeError(ErrorKind::kInternal, "GET_FIELD needs the constant name of a field");
  }
  LW_ASSIGN(const std::shared_ptr<arrow::Array> row, FullColumn(call.arguments[0], call));
  return arrow::Datum(checked_cast<const arrow::StructArray&>(*row).field(*field));
}

std::optional<BoundSignature> BindRow(const std::vector<TypePtr>& arguments) {
  std::vector<types::RowField> fields;
  for (const TypePtr& type : arguments) {
    fields.push_back({"EXPR$" + std::to_string(fields.size()), type, ""});
  }
  if (fields.empty()) {
    return std::nullopt;
  }
  return BoundSignature{arguments, types::Row(std::move(fields), /*nullable=*/false)};
}

Result<arrow::Datum> MakeRow(const KernelCall& call) {
  std::vector<std::shared_ptr<arrow::ArrayData>> fields;
  for (const arrow::Datum& argument : call.arguments) {
    LW_ASSIGN(const std::shared_ptr<arrow::Array> field, FullColumn(argument, call));
    fields.push_back(field->data());
  }
  return arrow::Datum(arrow::ArrayData::Make(types::ToArrow(*call.result_type), call.row_count,
                                             {nullptr}, std::move(fields), 0));
}

// --- arrays and maps ---

std::optional<BoundSignature> BindArray(const std::vector<TypePtr>& arguments) {
  const std::optional<TypePtr> element =
      arguments.empty() ? std::nullopt : types::FindCommonType(arguments);
  if (!element) {
    return std::nullopt;
  }
  BoundSignature bound{arguments, types::Array(*element, /*nullable=*/false)};
  for (TypePtr& type : bound.argument_types) {
    type = types::WithNullability(*element, type->nullable());
  }
  return bound;
}

/// MAP(key1, value1, key2, value2, …).
std::optional<BoundSignature> BindMap(const std::vector<TypePtr>& arguments) {
  std::vector<TypePtr> sides[2];
  for (size_t i = 0; i < arguments.size(); ++i) {
    sides[i % 2].push_back(arguments[i]);
  }
  if (arguments.empty() || arguments.size() % 2 != 0) {
    return std::nullopt;
  }
  const std::optional<TypePtr> key = types::FindCommonType(sides[0]);
  const std::optional<TypePtr> value = types::FindCommonType(sides[1]);
  if (!key || !value) {
    return std::nullopt;
  }
  BoundSignature bound{arguments, types::Map(*key, *value, /*nullable=*/false)};
  for (size_t i = 0; i < arguments.size(); ++i) {
    bound.argument_types[i] =
        types::WithNullability(i % 2 == 0 ? *key : *value, arguments[i]->nullable());
  }
  return bound;
}

/// Every `stride`-th argument from `first` on, side by side: row 0's values, row 1's values …
Result<std::shared_ptr<arrow::Array>> Interleave(const KernelCall& call, size_t first,
                                                 size_t stride) {
  arrow::ArrayVector columns;
  for (size_t i = first; i < call.arguments.size(); i += stride) {
    LW_ASSIGN(auto column, FullColumn(call.arguments[i], call));
    columns.push_back(std::move(column));
  }
  LW_ASSIGN(const auto values, arrow::Concatenate(columns, PoolOf(call.context)));
  const auto width = static_cast<int64_t>(columns.size());
  LW_ASSIGN(auto positions, FixedOutput<int64_t>::Make(call.row_count * width, call.context));
  for (int64_t row = 0; row < call.row_count; ++row) {
    for (int64_t i = 0; i < width; ++i) {
      positions[row * width + i] = i * call.row_count + row;
    }
  }
  const arrow::Datum indexes =
      std::move(positions).Finish(*types::BigInt(), call.row_count * width);
  LW_ASSIGN(const arrow::Datum taken,
            arrow::compute::Take(arrow::Datum(values), indexes,
                                 arrow::compute::TakeOptions::NoBoundsCheck()));
  return taken.make_array();
}

Result<std::shared_ptr<arrow::Buffer>> EvenOffsets(const KernelCall& call, size_t width) {
  LW_ASSIGN(std::shared_ptr<arrow::Buffer> buffer,
            arrow::AllocateBuffer((call.row_count + 1) * static_cast<int64_t>(sizeof(int32_t)),
                                  PoolOf(call.context)));
  auto* offsets = reinterpret_cast<int32_t*>(buffer->mutable_data());
  for (int64_t row = 0; row <= call.row_count; ++row) {
    offsets[row] = static_cast<int32_t>(row * static_cast<int64_t>(width));
  }
  return buffer;
}

Result<arrow::Datum> MakeList(const KernelCall& call) {
  LW_ASSIGN(const auto elements, Interleave(call, 0, 1));
  LW_ASSIGN(auto offsets, EvenOffsets(call, call.arguments.size()));
  return arrow::Datum(arrow::ArrayData::Make(types::ToArrow(*call.result_type), call.row_count,
                                             {nullptr, std::move(offsets)}, {elements->data()}, 0));
}

Result<arrow::Datum> MakeEntries(const KernelCall& call) {
  LW_ASSIGN(const auto keys, Interleave(call, 0, 2));
  LW_ASSIGN(const auto values, Interleave(call, 1, 2));
  if (keys->null_count() > 0) {
    return MakeError(ErrorKind::kValidation, "a key of a MAP must not be NULL");
  }
  LW_ASSIGN(auto offsets, EvenOffsets(call, call.arguments.size() / 2));
  const std::shared_ptr<arrow::DataType> type = types::ToArrow(*call.result_type);
  const auto entries =
      arrow::ArrayData::Make(checked_cast<const arrow::MapType&>(*type).value_type(),
                             keys->length(), {nullptr}, {keys->data(), values->data()}, 0);
  return arrow::Datum(
      arrow::ArrayData::Make(type, call.row_count, {nullptr, std::move(offsets)}, {entries}, 0));
}

std::optional<BoundSignature> BindItem(const std::vector<TypePtr>& arguments) {
  if (arguments.size() != 2) {
    return std::nullopt;
  }
  const LogicalType& collection = *arguments[0];
  if (collection.root() == TypeRoot::kArray && arguments[1]->IsExactInteger()) {
    return BoundSignature{{arguments[0], types::BigInt(arguments[1]->nullable())},
                          types::WithNullability(collection.children()[0], true)};
  }
  if (collection.root() == TypeRoot::kMap &&
      types::FindCast(*arguments[1], *collection.children()[0]) == types::CastKind::kImplicit) {
    return BoundSignature{
        {arguments[0], types::WithNullability(collection.children()[0], arguments[1]->nullable())},
        types::WithNullability(collection.children()[1], true)};
  }
  return std::nullopt;
}

/// array[index] counts from 1; null beyond the ends.
Result<arrow::Datum> ArrayItem(const arrow::ListArray& list, const KernelCall& call) {
  LW_ASSIGN(const ColumnValues index_column, ColumnValues::Make(call.arguments[1]));
  const FixedValues<int64_t> indexes(index_column);
  LW_ASSIGN(auto positions, FixedOutput<int64_t>::Make(call.row_count, call.context));
  LW_ASSIGN(auto found, BitOutput::Make(call.row_count, call.context));
  for (int64_t row = 0; row < call.row_count; ++row) {
    positions[row] = 0;
    if (IsValidRow(call, row) && indexes[row] >= 1 && indexes[row] <= list.value_length(row)) {
      positions[row] = list.value_offset(row) + indexes[row] - 1;
      found.Set(row);
    }
  }
  return Gather(list.values(), std::move(positions), std::move(found), call.row_count);
}

Result<arrow::Datum> MapItem(const arrow::MapArray& map, const KernelCall& call) {
  LW_ASSIGN(const auto keys, FullColumn(call.arguments[1], call));
  LW_ASSIGN(auto positions, FixedOutput<int64_t>::Make(call.row_count, call.context));
  LW_ASSIGN(auto found, BitOutput::Make(call.row_count, call.context));
  for (int64_t row = 0; row < call.row_count; ++row) {
    positions[row] = 0;
    for (int64_t i = map.value_offset(row); IsValidRow(call, row) && i < map.value_offset(row + 1);
         ++i) {
      if (map.keys()->RangeEquals(i, i + 1, row, *keys)) {
        positions[row] = i;
        found.Set(row);
      }
    }
  }
  return Gather(map.items(), std::move(positions), std::move(found), call.row_count);
}

Result<arrow::Datum> Item(const KernelCall& call) {
  LW_ASSIGN(const auto collection, FullColumn(call.arguments[0], call));
  if (call.argument_types[0]->root() == TypeRoot::kMap) {
    return MapItem(checked_cast<const arrow::MapArray&>(*collection), call);
  }
  return ArrayItem(checked_cast<const arrow::ListArray&>(*collection), call);
}

std::optional<BoundSignature> BindCardinality(const std::vector<TypePtr>& arguments) {
  if (arguments.size() != 1 || arguments[0]->root() < TypeRoot::kArray ||
      arguments[0]->root() > TypeRoot::kMap) {
    return std::nullopt;
  }
  return BoundSignature{arguments, NullableIfAny(types::Int(), arguments)};
}

Result<arrow::Datum> Cardinality(const KernelCall& call) {
  LW_ASSIGN(const ColumnValues column, ColumnValues::Make(call.arguments[0]));
  const int32_t* offsets = column.data().GetValues<int32_t>(1);
  LW_ASSIGN(auto output, FixedOutput<int32_t>::Make(call.row_count, call.context));
  for (int64_t row = 0; row < call.row_count; ++row) {
    const int64_t at = row * column.step();
    output[row] = offsets[at + 1] - offsets[at];
  }
  return std::move(output).Finish(*call.result_type, call.row_count);
}

ScalarFunction Constructor(std::string name, std::string signature, SignatureBinder bind,
                           ScalarKernel kernel, std::string doc, std::string example,
                           std::string example_result) {
  return {.name = std::move(name),
          .signatures = {std::move(signature)},
          .bind = std::move(bind),
          .null_rule = NullRule::kHandledByKernel,
          .kernel = kernel,
          .doc = std::move(doc),
          .example = std::move(example),
          .example_result = std::move(example_result),
          .internal = true};
}

}  // namespace

void AddNestedFunctions(FunctionRegistry* registry) {
  registry->Add(Constructor("ARRAY", "ARRAY[value1, value2, …]", BindArray, MakeList,
                            "An array of the values.", "ARRAY[1, 2, 3]", "[1, 2, 3]"));
  ScalarFunction map =
      Constructor("MAP", "MAP[key1, value1, key2, value2, …]", BindMap, MakeEntries,
                  "A map of the keys to the values.", "MAP['k', 1, 'z', 2]", "{k=1, z=2}");
  map.may_fail = true;
  registry->Add(std::move(map));
  registry->Add(Constructor("ROW", "ROW(value1, value2, …)", BindRow, MakeRow,
                            "A row of the values.", "ROW(1, 'x')", "(1, x)"));
  registry->Add({.name = "GET_FIELD",
                 .signatures = {"row.field"},
                 .bind = BindGetField,
                 .kernel = GetField,
                 .doc = "One field of a row.",
                 .example = "CAST(ROW(1, 'x') AS ROW<p INT, q STRING>).q",
                 .example_result = "x",
                 .internal = true,
                 .refine = RefineGetField});
  registry->Add({.name = "ITEM",
                 .signatures = {"array[index]", "map[key]"},
                 .bind = BindItem,
                 .kernel = Item,
                 .doc = "The element at that place, from 1, or of that key; NULL without one.",
                 .example = "ARRAY[7, 8][2]",
                 .example_result = "8",
                 .internal = true});
  registry->Add({.name = "CARDINALITY",
                 .signatures = {"CARDINALITY(array)", "CARDINALITY(map)"},
                 .bind = BindCardinality,
                 .kernel = Cardinality,
                 .doc = "The number of elements or entries.",
                 .example = "CARDINALITY(ARRAY[1, 2])",
                 .example_result = "2"});
}

}  // namespace lakeward::expr
