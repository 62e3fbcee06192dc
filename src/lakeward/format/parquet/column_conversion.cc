#include "lakeward/format/parquet/column_conversion.h"

#include <utility>
#include <vector>

#include "arrow/array/array_nested.h"
#include "arrow/array/util.h"
#include "arrow/compute/cast.h"
#include "arrow/extension_type.h"
#include "arrow/type_traits.h"
#include "arrow/util/bitmap_ops.h"
#include "fmt/format.h"
#include "lakeward/types/arrow_mapping.h"

namespace lakeward::format {

namespace {

using ArrayPtr = std::shared_ptr<arrow::Array>;
using types::TypeRoot;

Status Mismatch(const arrow::DataType& found, const types::LogicalType& wanted,
                const std::string& path) {
  return MakeError(ErrorKind::kCorruptData,
                   fmt::format("column '{}' is stored as {} and cannot be read as {}", path,
                               found.ToString(), wanted.ToString()),
                   "Declare the column with a type that holds every value of the stored one.");
}

int DigitsOf(arrow::Type::type integer) {
  switch (integer) {
    case arrow::Type::INT8:
    case arrow::Type::UINT8:
      return 3;
    case arrow::Type::INT16:
    case arrow::Type::UINT16:
      return 5;
    case arrow::Type::INT32:
    case arrow::Type::UINT32:
      return 10;
    default:
      return 20;
  }
}

/// Whether values of `from` may be read as `to`. Narrowing from the one physical integer that
/// Parquet has for all short ones is allowed and checked value by value.
bool IsReadable(const arrow::DataType& from, const arrow::DataType& to) {
  using arrow::Type;
  const Type::type source = from.id();
  switch (to.id()) {
    case Type::INT8:
    case Type::INT16:
      return arrow::is_integer(source) && arrow::bit_width(source) <= 32;
    case Type::INT32:
      return arrow::is_integer(source) && arrow::bit_width(source) <= 32;
    case Type::INT64:
      return arrow::is_integer(source);
    case Type::FLOAT:
      return source == Type::HALF_FLOAT ||
             (arrow::is_integer(source) && arrow::bit_width(source) <= 16);
    case Type::DOUBLE:
      return arrow::is_floating(source) ||
             (arrow::is_integer(source) && arrow::bit_width(source) <= 32);
    case Type::DECIMAL128: {
      const auto& target = static_cast<const arrow::DecimalType&>(to);
      if (arrow::is_integer(source)) {
        return DigitsOf(source) <= target.precision() - target.scale() || source == Type::INT64;
      }
      if (!arrow::is_decimal(source)) {
        return false;
      }
      const auto& decimal = static_cast<const arrow::DecimalType&>(from);
      return decimal.scale() <= target.scale() &&
             decimal.precision() - decimal.scale() <= target.precision() - target.scale();
    }
    case Type::STRING:
    case Type::BINARY:
      return arrow::is_base_binary_like(source) || source == Type::FIXED_SIZE_BINARY ||
             source == Type::STRING_VIEW || source == Type::BINARY_VIEW;
    case Type::TIMESTAMP:
      return source == Type::TIMESTAMP || source == Type::DATE32;
    case Type::TIME64:
      return source == Type::TIME32 || source == Type::TIME64;
    case Type::DATE32:
      return source == Type::DATE64;
    default:
      return false;
  }
}

/// The same instants or wall clocks under the zone of the wanted type: what is stored is a number
/// either way, and the declaration says what it means.
ArrayPtr WithZoneOf(const arrow::DataType& wanted, const ArrayPtr& array) {
  const auto unit = static_cast<const arrow::TimestampType&>(*array->type()).unit();
  const auto& zone = static_cast<const arrow::TimestampType&>(wanted).timezone();
  const std::shared_ptr<arrow::ArrayData> data = array->data()->Copy();
  data->type = arrow::timestamp(unit, zone);
  return arrow::MakeArray(data);
}

Result<ArrayPtr> ConvertPrimitive(const ArrayPtr& stored, const types::LogicalType& type,
                                  const std::string& path) {
  const std::shared_ptr<arrow::DataType> wanted = types::ToArrow(type);
  const bool is_timestamp =
      stored->type_id() == arrow::Type::TIMESTAMP && wanted->id() == arrow::Type::TIMESTAMP;
  const ArrayPtr array = is_timestamp ? WithZoneOf(*wanted, stored) : stored;
  if (array->type()->Equals(*wanted)) {
    return array;
  }
  if (array->type_id() == arrow::Type::NA) {
    return arrow::MakeArrayOfNull(wanted, array->length());
  }
  if (!IsReadable(*array->type(), *wanted)) {
    return Mismatch(*array->type(), type, path);
  }
  arrow::compute::CastOptions options = arrow::compute::CastOptions::Safe(wanted);
  // Units finer than microseconds are cut off.
  options.allow_time_truncate = true;
  Result<ArrayPtr> cast = arrow::compute::Cast(*array, wanted, options);
  if (!cast.ok()) {
    return MakeError(ErrorKind::kCorruptData,
                     fmt::format("column '{}' cannot be read as {}: {}", path, type.ToString(),
                                 cast.status().message()),
                     "Declare the column with a type that holds every value of the stored one.");
  }
  return cast;
}

Result<ArrayPtr> ConvertRow(const ArrayPtr& array, const types::LogicalType& type,
                            const std::string& path) {
  if (array->type_id() != arrow::Type::STRUCT) {
    return Mismatch(*array->type(), type, path);
  }
  const auto& row = static_cast<const arrow::StructArray&>(*array);
  std::vector<ArrayPtr> children;
  for (const types::RowField& field : type.fields()) {
    const int index = row.struct_type()->GetFieldIndex(field.name);
    ArrayPtr child;
    if (index < 0) {
      LW_ASSIGN(child, arrow::MakeArrayOfNull(types::ToArrow(*field.type), row.length()));
    } else {
      LW_ASSIGN(child, ConvertColumn(row.field(index), *field.type, path + "." + field.name));
    }
    children.push_back(std::move(child));
  }
  std::shared_ptr<arrow::Buffer> validity = row.null_bitmap();
  if (validity != nullptr && row.offset() != 0) {
    LW_ASSIGN(validity, arrow::internal::CopyBitmap(arrow::default_memory_pool(), validity->data(),
                                                    row.offset(), row.length()));
  }
  return std::make_shared<arrow::StructArray>(types::ToArrow(type), row.length(),
                                              std::move(children), std::move(validity),
                                              row.null_count());
}

/// The same list or map with its elements replaced.
ArrayPtr WithElements(const arrow::ArrayData& list, std::shared_ptr<arrow::DataType> type,
                      std::vector<std::shared_ptr<arrow::ArrayData>> elements) {
  return arrow::MakeArray(arrow::ArrayData::Make(std::move(type), list.length, list.buffers,
                                                 std::move(elements), list.null_count,
                                                 list.offset));
}

Result<ArrayPtr> ConvertList(const ArrayPtr& array, const types::LogicalType& type,
                             const std::string& path) {
  switch (array->type_id()) {
    case arrow::Type::LIST:
      break;
    case arrow::Type::LARGE_LIST:
    case arrow::Type::FIXED_SIZE_LIST:
    case arrow::Type::LIST_VIEW:
    case arrow::Type::LARGE_LIST_VIEW: {
      // Other forms of the same in memory, which an Arrow writer notes in the file.
      LW_ASSIGN(const ArrayPtr plain,
                arrow::compute::Cast(*array, arrow::list(array->type()->field(0))));
      return ConvertList(plain, type, path);
    }
    default:
      return Mismatch(*array->type(), type, path);
  }
  const auto& list = static_cast<const arrow::ListArray&>(*array);
  LW_ASSIGN(const ArrayPtr elements,
            ConvertColumn(list.values(), *type.children()[0], path + ".element"));
  return WithElements(*array->data(), types::ToArrow(type), {elements->data()});
}

Result<ArrayPtr> ConvertMap(const ArrayPtr& array, const types::LogicalType& type,
                            const std::string& path) {
  if (array->type_id() != arrow::Type::MAP) {
    return Mismatch(*array->type(), type, path);
  }
  const auto& map = static_cast<const arrow::MapArray&>(*array);
  const types::TypePtr count_type = types::Int(false);
  const types::LogicalType& value_type =
      type.root() == TypeRoot::kMultiset ? *count_type : *type.children()[1];
  LW_ASSIGN(const ArrayPtr keys, ConvertColumn(map.keys(), *type.children()[0], path + ".key"));
  LW_ASSIGN(const ArrayPtr values, ConvertColumn(map.items(), value_type, path + ".value"));
  const std::shared_ptr<arrow::DataType> wanted = types::ToArrow(type);
  const std::shared_ptr<arrow::ArrayData> entries = arrow::ArrayData::Make(
      wanted->field(0)->type(), keys->length(), {nullptr}, {keys->data(), values->data()}, 0);
  return WithElements(*array->data(), wanted, {entries});
}

}  // namespace

Result<ArrayPtr> ConvertColumn(const ArrayPtr& array, const types::LogicalType& type,
                               const std::string& path) {
  // How an Arrow writer had the column in memory says nothing about its values.
  if (array->type_id() == arrow::Type::DICTIONARY) {
    const auto& dictionary = static_cast<const arrow::DictionaryType&>(*array->type());
    LW_ASSIGN(const ArrayPtr values, arrow::compute::Cast(*array, dictionary.value_type()));
    return ConvertColumn(values, type, path);
  }
  if (array->type_id() == arrow::Type::EXTENSION) {
    return ConvertColumn(static_cast<const arrow::ExtensionArray&>(*array).storage(), type, path);
  }
  switch (type.root()) {
    case TypeRoot::kRow:
      return ConvertRow(array, type, path);
    case TypeRoot::kArray:
      return ConvertList(array, type, path);
    case TypeRoot::kMap:
    case TypeRoot::kMultiset:
      return ConvertMap(array, type, path);
    default:
      return ConvertPrimitive(array, type, path);
  }
}

}  // namespace lakeward::format
