// Flink's own vectors for CAST: every CAST(field AS type) of CastFunctionITCase whose types exist
// here must give the value that Flink gave, or fail where Flink failed.
#include <algorithm>
#include <fstream>

#include "lakeward/expr/expression_testing.h"
#include "lakeward/json/json.h"
#include "lakeward/types/type_serialization.h"
#include "support/reference_data.h"

namespace lakeward::expr {
namespace {

using json::Json;

std::string Replaced(std::string text, const std::string& old, const std::string& with) {
  if (const size_t at = text.find(old); at != std::string::npos) {
    text.replace(at, old.size(), with);
  }
  return text;
}

types::TypePtr TypeNamed(std::string text) {
  if (const size_t zone = text.find(" WITH LOCAL TIME ZONE"); zone != std::string::npos) {
    text = Replaced(text.substr(0, zone), "TIMESTAMP", "TIMESTAMP_LTZ") +
           text.substr(zone + std::string(" WITH LOCAL TIME ZONE").size());
  }
  return types::DeserializeType(text).ValueOr(nullptr);
}

std::string Unhexed(const std::string& hex) {
  std::string bytes;
  for (size_t i = 0; i + 1 < hex.size(); i += 2) {
    bytes.push_back(static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16)));
  }
  return bytes;
}

/// A vector's value as a literal; null when it is of a kind that is not read here.
ExpressionPtr LiteralFrom(const Json& value, const types::TypePtr& type,
                          const EvaluationContext& session) {
  if (value.is_null()) {
    return MakeNullLiteral(type);
  }
  EvaluationContext context;
  std::string text;
  if (value.is_string()) {
    text = value.get<std::string>();
  } else if (value.is_boolean()) {
    text = value.get<bool>() ? "true" : "false";
  } else if (value.is_number()) {
    text = value.dump();
  } else if (value.is_object() && value.size() == 1 && value.begin().value().is_string()) {
    text = value.begin().value().get<std::string>();
    const std::string kind = value.begin().key();
    if (kind == "$bytes") {
      text = Unhexed(text);
    } else if (kind == "$LocalDateTime" || kind == "$Instant") {
      context.zone = kind == "$Instant" ? types::TimeZone() : session.zone;
      text = Replaced(Replaced(text, "T", " "), "Z", "");
      text += std::count(text.begin(), text.end(), ':') == 1 ? ":00" : "";
    } else if (kind == "$Duration" || kind == "$Period" || kind == "$RoaringBitmapData") {
      return nullptr;
    }
  } else {
    return nullptr;
  }
  const ExpressionPtr cast = MakeCast(TextLiteral(text), type);
  const auto array = EvaluateToArray(*cast, *TestInput({}).batch, context);
  return array.ok() ? MakeLiteral(*(*array)->GetScalar(0), type) : nullptr;
}

struct VectorCast {
  ExpressionPtr source;
  types::TypePtr target;
};

/// "CAST(f3 AS INT)" over the fields of a case.
std::optional<VectorCast> ReadCast(const std::string& sql, const Json& fields,
                                   const EvaluationContext& session) {
  const size_t as = sql.find(" AS ");
  if (!sql.starts_with("CAST(f") || as == std::string::npos || !sql.ends_with(")")) {
    return std::nullopt;
  }
  const auto number = static_cast<size_t>(std::stoi(sql.substr(6, as - 6)));
  const Json& field = fields[number];
  if (!field["type"].is_string()) {
    return std::nullopt;
  }
  const types::TypePtr source_type = TypeNamed(field["type"].get<std::string>());
  const types::TypePtr target = TypeNamed(sql.substr(as + 4, sql.size() - as - 5));
  if (source_type == nullptr || target == nullptr) {
    return std::nullopt;
  }
  const ExpressionPtr source = LiteralFrom(field["value"], source_type, session);
  return source == nullptr ? std::nullopt : std::optional(VectorCast{source, target});
}

EvaluationContext ContextOf(const Json& vector) {
  EvaluationContext context;
  for (const Json& entry : vector["configuration"]) {
    if (entry[0] == "table.local-time-zone") {
      context.zone = *types::TimeZone::Find(entry[1].get<std::string>());
    }
  }
  return context;
}

std::vector<std::string> SplitCasts(const std::string& sql) {
  std::vector<std::string> casts;
  size_t begin = 0;
  while (begin < sql.size()) {
    const size_t next = sql.find(",CAST(", begin);
    casts.push_back(sql.substr(begin, next == std::string::npos ? next : next - begin));
    begin = next == std::string::npos ? sql.size() : next + 1;
  }
  return casts;
}

TEST(CastVectors, GiveWhatFlinkGives) {
  const std::string path =
      test::ReferencePath("suites/flink-function-vectors/handed/CastFunctionITCase.jsonl");
  if (path.empty()) {
    GTEST_SKIP() << "no suite data";
  }
  std::ifstream file(path);
  std::string line;
  int checked = 0;
  while (std::getline(file, line)) {
    const Json vector = *json::Parse(line, path);
    if (!vector.contains("fields") || vector.value("duringValidation", false)) {
      continue;
    }
    const EvaluationContext context = ContextOf(vector);
    const std::vector<std::string> casts = SplitCasts(vector["sql"].get<std::string>());
    for (size_t i = 0; i < casts.size(); ++i) {
      const auto cast = ReadCast(casts[i], vector["fields"], context);
      if (!cast) {
        continue;
      }
      const std::string actual = ValueOf(MakeCast(cast->source, cast->target), context);
      const std::string what =
          cast->source->type()->ToString() + " " + cast->source->ToString() + " in " + casts[i];
      if (!vector.contains("results")) {
        EXPECT_TRUE(actual.starts_with("ERROR")) << what << " gave " << actual;
        ++checked;
        continue;
      }
      const ExpressionPtr expected = LiteralFrom(vector["results"][i], cast->target, context);
      if (expected != nullptr) {
        EXPECT_EQ(actual, ValueOf(expected, context)) << what;
        ++checked;
      }
    }
  }
  EXPECT_GT(checked, 150);
}

}  // namespace
}  // namespace lakeward::expr
