#include "lakeward/plan/flink_function_names.h"

#include <algorithm>
#include <cctype>
#include <string>

namespace lakeward::plan {
namespace {

constexpr std::string_view kNames[] = {
    // clang-format off
    "ABS", "ACOS", "ARRAY_AGG", "ARRAY_APPEND", "ARRAY_CONCAT", "ARRAY_CONTAINS", "ARRAY_DISTINCT",
    "ARRAY_EXCEPT", "ARRAY_INTERSECT", "ARRAY_JOIN", "ARRAY_MAX", "ARRAY_MIN", "ARRAY_POSITION",
    "ARRAY_PREPEND", "ARRAY_REMOVE", "ARRAY_REVERSE", "ARRAY_SLICE", "ARRAY_SORT", "ARRAY_UNION",
    "ASCII", "ASIN", "ATAN", "ATAN2", "AVG", "BIN", "BTRIM", "CARDINALITY", "CEIL", "CEILING",
    "CHARACTER_LENGTH", "CHAR_LENGTH", "CHR", "COALESCE", "COLLECT", "CONCAT", "CONCAT_WS",
    "CONVERT_TZ", "COS", "COSH", "COT", "COUNT", "CUME_DIST", "CURRENT_DATABASE", "CURRENT_DATE",
    "CURRENT_ROW_TIMESTAMP", "CURRENT_TIME", "CURRENT_TIMESTAMP", "CURRENT_WATERMARK",
    "DATE_FORMAT", "DAYOFMONTH", "DAYOFWEEK", "DAYOFYEAR", "DECODE", "DEGREES", "DENSE_RANK", "E",
    "ELEMENT", "ELT", "ENCODE", "EXP", "EXTRACT", "FIRST_VALUE", "FLOOR", "FROM_BASE64",
    "FROM_UNIXTIME", "GREATEST", "GROUPING", "GROUPING_ID", "GROUP_ID", "HEX", "HOUR", "IF",
    "IFNULL", "INITCAP", "INSTR", "IS_ALPHA", "IS_DECIMAL", "IS_DIGIT", "JSON_ARRAY",
    "JSON_ARRAYAGG", "JSON_EXISTS", "JSON_OBJECT", "JSON_OBJECTAGG", "JSON_QUERY", "JSON_QUOTE",
    "JSON_STRING", "JSON_UNQUOTE", "JSON_VALUE", "LAG", "LAST_VALUE", "LEAD", "LEAST", "LEFT",
    "LISTAGG", "LN", "LOCALTIME", "LOCALTIMESTAMP", "LOCATE", "LOG", "LOG10", "LOG2", "LOWER",
    "LPAD", "LTRIM", "MAP_ENTRIES", "MAP_FROM_ARRAYS", "MAP_KEYS", "MAP_UNION", "MAP_VALUES", "MAX",
    "MD5", "MIN", "MINUTE", "MOD", "MONTH", "NOW", "NTILE", "NULLIF", "OCTET_LENGTH", "OVERLAY",
    "PARSE_URL", "PERCENTILE", "PERCENT_RANK", "PI", "POSITION", "POWER", "PROCTIME", "QUARTER",
    "RADIANS", "RAND", "RAND_INTEGER", "RANK", "REGEXP", "REGEXP_COUNT", "REGEXP_EXTRACT",
    "REGEXP_EXTRACT_ALL", "REGEXP_INSTR", "REGEXP_REPLACE", "REGEXP_SUBSTR", "REPEAT", "REPLACE",
    "REVERSE", "RIGHT", "ROUND", "ROW_NUMBER", "RPAD", "RTRIM", "SECOND", "SHA1", "SHA2", "SHA224",
    "SHA256", "SHA384", "SHA512", "SIGN", "SIN", "SINH", "SOURCE_WATERMARK", "SPLIT",
    "SPLIT_INDEX", "SQRT", "STARTSWITH", "ENDSWITH", "STDDEV_POP", "STDDEV_SAMP", "STR_TO_MAP",
    "SUBSTR", "SUBSTRING", "SUM", "TAN", "TANH", "TIMESTAMPADD", "TIMESTAMPDIFF", "TO_BASE64",
    "TO_DATE", "TO_TIMESTAMP", "TO_TIMESTAMP_LTZ", "TRANSLATE", "TRIM", "TRUNCATE", "TRY_CAST",
    "TYPEOF", "UNHEX", "UNIX_TIMESTAMP", "UPPER", "URL_DECODE", "URL_ENCODE", "USER", "UUID",
    "VARIANCE", "VAR_POP", "VAR_SAMP", "WEEK", "YEAR",
    // clang-format on
};

}  // namespace

bool IsFlinkFunction(std::string_view name) {
  std::string upper(name);
  std::transform(upper.begin(), upper.end(), upper.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return std::find(std::begin(kNames), std::end(kNames), upper) != std::end(kNames);
}

}  // namespace lakeward::plan
