#include <utility>

#include "arrow/util/checked_cast.h"
#include "lakeward/expr/cast_families.h"
#include "lakeward/expr/column_values.h"
#include "lakeward/expr/utf8_text.h"
#include "lakeward/types/date_time_text.h"
#include "lakeward/types/number_text.h"
#include "lakeward/types/printed_form.h"

namespace lakeward::expr {

using types::LogicalType;
using types::TypeRoot;

namespace {

/// Cuts or pads what was appended since `begin` to the length of the target type.
class LengthRule {
 public:
  LengthRule(const LogicalType& source, const LogicalType& target)
      : target_(target),
        counts_code_points_(target.IsCharacterString()),
        is_needed_(target.length() != types::kMaxLength),
        is_fixed_(target.root() == TypeRoot::kChar || target.root() == TypeRoot::kBinary),
        pads_with_zero_(target.IsBinaryString()) {}

  void Apply(size_t begin, std::string* text) const {
    if (!is_needed_) {
      return;
    }
    const std::string_view value = std::string_view(*text).substr(begin);
    const int64_t length =
        counts_code_points_ ? CountCodePoints(value) : static_cast<int64_t>(value.size());
    if (length > target_.length()) {
      text->resize(begin + (counts_code_points_ ? ByteOfCodePoint(value, target_.length())
                                                : static_cast<size_t>(target_.length())));
    } else if (is_fixed_ && length < target_.length()) {
      text->append(static_cast<size_t>(target_.length() - length), pads_with_zero_ ? '\0' : ' ');
    }
  }

 private:
  const LogicalType& target_;
  bool counts_code_points_;
  bool is_needed_;
  bool is_fixed_;
  bool pads_with_zero_;
};

/// Writes every value by `append(row, text)`.
template <typename Append>
Result<std::shared_ptr<arrow::Array>> WriteRows(const arrow::Array& values, const CastCall& call,
                                                Append append) {
  LW_ASSIGN(StringOutput output, StringOutput::Make(values.length(), call.context));
  const LengthRule length_rule(call.source, call.target);
  for (int64_t row = 0; row < values.length(); ++row) {
    if (values.IsNull(row)) {
      output.EndNull();
      continue;
    }
    const size_t begin = output.text().size();
    append(row, &output.text());
    length_rule.Apply(begin, &output.text());
    output.End();
  }
  LW_ASSIGN(const arrow::Datum result, std::move(output).Finish(call.target));
  return result.make_array();
}

template <typename T>
Result<std::shared_ptr<arrow::Array>> WriteIntegers(const arrow::Array& values,
                                                    const CastCall& call) {
  const T* numbers = values.data()->GetValues<T>(1);
  return WriteRows(values, call, [numbers](int64_t row, std::string* out) {
    types::AppendInteger(numbers[row], out);
  });
}

Result<std::shared_ptr<arrow::Array>> WriteBytes(const arrow::Array& values, const CastCall& call) {
  const auto& bytes = arrow::internal::checked_cast<const arrow::BinaryArray&>(values);
  if (call.source.IsBinaryString() && call.target.IsCharacterString()) {
    return WriteRows(values, call, [&bytes](int64_t row, std::string* out) {
      AppendDecodedUtf8(bytes.GetView(row), out);
    });
  }
  return WriteRows(values, call,
                   [&bytes](int64_t row, std::string* out) { out->append(bytes.GetView(row)); });
}

Result<std::shared_ptr<arrow::Array>> WriteTimestamps(const arrow::Array& values,
                                                      const CastCall& call) {
  if (call.source.root() == TypeRoot::kTimestampLtz) {
    return WriteRows(values, call, [&](int64_t row, std::string* out) {
      types::AppendPrintedForm(values, row, call.source, call.context.zone,
                               types::PrintStyle::kCast, out);
    });
  }
  const auto unit =
      arrow::internal::checked_cast<const arrow::TimestampType&>(*values.type()).unit();
  const int64_t* times = values.data()->GetValues<int64_t>(1);
  return WriteRows(values, call, [&](int64_t row, std::string* out) {
    types::AppendTimestamp(times[row], unit, call.source.precision(), out);
  });
}

}  // namespace

Result<std::shared_ptr<arrow::Array>> CastToText(const arrow::Array& values, const CastCall& call) {
  switch (call.source.root()) {
    case TypeRoot::kTinyInt:
      return WriteIntegers<int8_t>(values, call);
    case TypeRoot::kSmallInt:
      return WriteIntegers<int16_t>(values, call);
    case TypeRoot::kInteger:
      return WriteIntegers<int32_t>(values, call);
    case TypeRoot::kBigInt:
      return WriteIntegers<int64_t>(values, call);
    case TypeRoot::kDouble: {
      const double* numbers = values.data()->GetValues<double>(1);
      return WriteRows(values, call, [numbers](int64_t row, std::string* out) {
        types::AppendDouble(numbers[row], out);
      });
    }
    case TypeRoot::kDate: {
      const int32_t* days = values.data()->GetValues<int32_t>(1);
      return WriteRows(values, call, [days](int64_t row, std::string* out) {
        types::AppendDate(days[row], out);
      });
    }
    case TypeRoot::kTimestamp:
    case TypeRoot::kTimestampLtz:
      return WriteTimestamps(values, call);
    case TypeRoot::kChar:
    case TypeRoot::kVarChar:
    case TypeRoot::kBinary:
    case TypeRoot::kVarBinary:
      return WriteBytes(values, call);
    default:
      return WriteRows(values, call, [&](int64_t row, std::string* out) {
        types::AppendPrintedForm(values, row, call.source, call.context.zone,
                                 types::PrintStyle::kCast, out);
      });
  }
}

}  // namespace lakeward::expr
