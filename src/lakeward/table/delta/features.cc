#include "lakeward/table/delta/features.h"

#include <algorithm>
#include <cctype>
#include <utility>
#include <vector>

#include "fmt/format.h"
#include "fmt/ranges.h"

namespace lakeward::delta {
namespace {

using json::Json;

constexpr int kReaderVersionMax = 3;
constexpr int kWriterVersionMax = 7;

/// What decides whether a feature is in use.
struct Table {
  const TableState& state;
  const ParsedSchema& schema;
};

std::string Lower(std::string text) {
  for (char& c : text) {
    c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return text;
}

std::string Property(const Table& table, const std::string& key) {
  const auto& configuration = table.state.metadata->metadata.configuration;
  const auto found = configuration.find(key);
  return found == configuration.end() ? "" : found->second;
}

bool IsSet(const Table& table, const std::string& key) {
  return Lower(Property(table, key)) == "true";
}

bool HasPropertyPrefix(const Table& table, std::string_view prefix) {
  const auto& configuration = table.state.metadata->metadata.configuration;
  return std::any_of(configuration.begin(), configuration.end(),
                     [&](const auto& entry) { return entry.first.starts_with(prefix); });
}

/// Whether the metadata of any field, at any depth, has a key with this prefix.
bool HasFieldMetadata(const Table& table, std::string_view prefix) {
  const Result<Json> schema =
      json::Parse(table.state.metadata->metadata.schema_json, "the table's schema string");
  bool found = false;
  if (schema.ok()) {
    VisitFields(*schema, [&](const std::string&, const Json& field) {
      const Json* metadata = json::Find(field, "metadata");
      if (metadata != nullptr && metadata->is_object()) {
        for (const auto& [key, value] : metadata->items()) {
          found = found || std::string_view(key).starts_with(prefix);
        }
      }
      return true;
    });
  }
  return found;
}

bool HasDeletionVector(const Table& table) {
  return std::any_of(table.state.files.begin(), table.state.files.end(),
                     [](const PackedFilePtr& file) { return file->has_deletion_vector(); });
}

bool Never(const Table&) { return false; }

bool MapsColumns(const Table& table) {
  const std::string mode = Lower(Property(table, "delta.columnMapping.mode"));
  return !mode.empty() && mode != "none";
}
bool ChangedTypes(const Table& table) { return HasFieldMetadata(table, "delta.typeChanges"); }
bool HasInvariants(const Table& table) { return HasFieldMetadata(table, "delta.invariants"); }
bool HasConstraints(const Table& table) { return HasPropertyPrefix(table, "delta.constraints."); }
bool HasGeneratedColumns(const Table& table) {
  return HasFieldMetadata(table, "delta.generationExpression");
}
bool HasIdentityColumns(const Table& table) { return HasFieldMetadata(table, "delta.identity."); }
bool HasDefaults(const Table& table) { return HasFieldMetadata(table, "CURRENT_DEFAULT"); }
bool KeepsCommitTimestamps(const Table& table) {
  return IsSet(table, "delta.enableInCommitTimestamps");
}
bool IsIcebergCompatV1(const Table& table) { return IsSet(table, "delta.enableIcebergCompatV1"); }
bool IsIcebergCompatV2(const Table& table) { return IsSet(table, "delta.enableIcebergCompatV2"); }

/// What stands against reading or writing rows.
struct Obstacles {
  std::string version;  ///< a sentence about a protocol version that is not known, else empty
  std::vector<std::string> features;

  bool empty() const { return version.empty() && features.empty(); }
  void Add(std::string_view feature) {
    if (std::find(features.begin(), features.end(), feature) == features.end()) {
      features.emplace_back(feature);
    }
  }
};

/// A feature that does no harm here unless it is in use.
struct Feature {
  std::string_view name;
  bool (*obstructs)(const Table& table);
  /// The writer version that brings the feature without a list; 0: only by list.
  int since_writer_version;
};

constexpr Feature kReaderFeatures[] = {
    {"columnMapping", MapsColumns, 0},
    {"deletionVectors", HasDeletionVector, 0},
    {"timestampNtz", Never, 0},
    {"v2Checkpoint", Never, 0},
    {"vacuumProtocolCheck", Never, 0},
    {"typeWidening", ChangedTypes, 0},
    {"typeWidening-preview", ChangedTypes, 0},
};

/// Of blind appends, which is all that is written here. Change data feed: "If an operation only
/// adds new data … it can write only data files".
constexpr Feature kWriterFeatures[] = {
    {"appendOnly", Never, 2},
    {"invariants", HasInvariants, 2},
    {"checkConstraints", HasConstraints, 3},
    {"changeDataFeed", Never, 4},
    {"generatedColumns", HasGeneratedColumns, 4},
    {"columnMapping", MapsColumns, 5},
    {"identityColumns", HasIdentityColumns, 6},
    {"timestampNtz", Never, 0},
    {"domainMetadata", Never, 0},
    {"v2Checkpoint", Never, 0},
    {"vacuumProtocolCheck", Never, 0},
    {"deletionVectors", HasDeletionVector, 0},
    {"allowColumnDefaults", HasDefaults, 0},
    {"inCommitTimestamp", KeepsCommitTimestamps, 0},
    {"icebergCompatV1", IsIcebergCompatV1, 0},
    {"icebergCompatV2", IsIcebergCompatV2, 0},
    {"typeWidening", ChangedTypes, 0},
    {"typeWidening-preview", ChangedTypes, 0},
};

/// Adds the listed features that are unknown or in the way.
template <size_t n>
void AddListed(const Table& table, const std::vector<std::string>& listed,
               const Feature (&known)[n], Obstacles* obstacles) {
  for (const std::string& name : listed) {
    const Feature* feature =
        std::find_if(std::begin(known), std::end(known),
                     [&](const Feature& candidate) { return candidate.name == name; });
    if (feature == std::end(known) || feature->obstructs(table)) {
      obstacles->Add(name);
    }
  }
}

Obstacles ReadObstacles(const Table& table) {
  const Protocol& protocol = *table.state.protocol;
  Obstacles obstacles;
  if (protocol.min_reader_version < 1 || protocol.min_reader_version > kReaderVersionMax) {
    obstacles.version = fmt::format("it needs reader version {}; {} is the newest known here",
                                    protocol.min_reader_version, kReaderVersionMax);
  }
  if (protocol.min_reader_version == 2 && MapsColumns(table)) {
    obstacles.Add("columnMapping");
  }
  if (protocol.min_reader_version == kReaderVersionMax) {
    AddListed(table, protocol.reader_features, kReaderFeatures, &obstacles);
  }
  if (HasDeletionVector(table)) {
    obstacles.Add("deletionVectors");
  }
  return obstacles;
}

void AddWriteObstacles(const Table& table, Obstacles* obstacles) {
  const Protocol& protocol = *table.state.protocol;
  if (protocol.min_writer_version < 1 || protocol.min_writer_version > kWriterVersionMax) {
    obstacles->version = fmt::format("it needs writer version {}; {} is the newest known here",
                                     protocol.min_writer_version, kWriterVersionMax);
    return;
  }
  if (protocol.min_writer_version == kWriterVersionMax) {
    AddListed(table, protocol.writer_features, kWriterFeatures, obstacles);
    return;
  }
  for (const Feature& feature : kWriterFeatures) {
    if (feature.since_writer_version > 0 &&
        protocol.min_writer_version >= feature.since_writer_version && feature.obstructs(table)) {
      obstacles->Add(feature.name);
    }
  }
}

/// What stands against touching rows whatever the protocol says.
Status CheckContent(const Table& table, std::string_view name) {
  if (table.state.metadata->provider != "parquet") {
    return MakeError(ErrorKind::kUnsupported,
                     fmt::format("table {} keeps its data as {}; only parquet is supported", name,
                                 table.state.metadata->provider));
  }
  if (!table.schema.unknown_types.empty()) {
    return MakeError(ErrorKind::kUnsupported,
                     fmt::format("table {}: {}, which is not supported", name,
                                 table.schema.unknown_types.front()),
                     "Read the table with the engine that wrote it.");
  }
  return Status::OK();
}

Status Refuse(std::string_view table, const Obstacles& obstacles, std::string_view verb) {
  std::string reason = obstacles.version;
  if (!obstacles.features.empty()) {
    const bool one = obstacles.features.size() == 1;
    reason += fmt::format("{}it uses the table feature{} '{}', which {} not supported",
                          reason.empty() ? "" : "; ", one ? "" : "s",
                          fmt::join(obstacles.features, "', '"), one ? "is" : "are");
  }
  return MakeError(
      ErrorKind::kUnsupported, fmt::format("table {} cannot be {} here: {}", table, verb, reason),
      "Its schema and properties can be looked at; for its rows use an engine that has the "
      "feature, "
      "or let that engine drop the feature (ALTER TABLE … DROP FEATURE).");
}

}  // namespace

Status CheckReadable(const TableState& state, const ParsedSchema& schema, std::string_view table) {
  const Table checked{state, schema};
  const Obstacles obstacles = ReadObstacles(checked);
  return obstacles.empty() ? CheckContent(checked, table) : Refuse(table, obstacles, "read");
}

Status CheckWritable(const TableState& state, const ParsedSchema& schema, std::string_view table) {
  // "Because writers have to read the table … they must implement and respect all reader features
  // as well."
  const Table checked{state, schema};
  Obstacles obstacles = ReadObstacles(checked);
  AddWriteObstacles(checked, &obstacles);
  return obstacles.empty() ? CheckContent(checked, table) : Refuse(table, obstacles, "written");
}

Result<Protocol> ProtocolFor(std::map<std::string, std::string>* configuration) {
  // Properties that only work with a feature which is not written here.
  static constexpr std::pair<std::string_view, std::string_view> kNeeds[] = {
      {"delta.columnMapping.mode", "columnMapping"},
      {"delta.enableChangeDataFeed", "changeDataFeed"},
      {"delta.enableDeletionVectors", "deletionVectors"},
      {"delta.enableIcebergCompatV1", "icebergCompatV1"},
      {"delta.enableIcebergCompatV2", "icebergCompatV2"},
      {"delta.enableInCommitTimestamps", "inCommitTimestamp"},
      {"delta.enableRowTracking", "rowTracking"},
      {"delta.enableTypeWidening", "typeWidening"},
      {"delta.enableVariantShredding", "variantShredding"},
  };
  constexpr std::string_view kFeaturePrefix = "delta.feature.";
  std::vector<std::string> obstacles;
  std::vector<std::string> features;
  for (auto entry = configuration->begin(); entry != configuration->end();) {
    const auto& [key, value] = *entry;
    if (key.starts_with(kFeaturePrefix)) {
      std::string name = key.substr(kFeaturePrefix.size());
      if (Lower(value) != "supported" && Lower(value) != "enabled") {
        return MakeError(ErrorKind::kConfig,
                         fmt::format("'{}' = '{}': the only value is 'supported'", key, value));
      }
      auto* list = name == "timestampNtz" || name == "appendOnly" ? &features : &obstacles;
      list->push_back(std::move(name));
      entry = configuration->erase(entry);
      continue;
    }
    if (key == "delta.minReaderVersion" || key == "delta.minWriterVersion") {
      if (value != "1" && value != "2") {
        obstacles.push_back(fmt::format("{} = {}", key, value));
      }
      entry = configuration->erase(entry);
      continue;
    }
    if (key.starts_with("delta.constraints.")) {
      obstacles.emplace_back("checkConstraints");
    }
    for (const auto& [property, feature] : kNeeds) {
      if (key == property && Lower(value) != "false" && Lower(value) != "none") {
        obstacles.emplace_back(feature);
      }
    }
    ++entry;
  }
  if (!obstacles.empty()) {
    return MakeError(ErrorKind::kUnsupported,
                     fmt::format("the table's properties ask for '{}', which is not supported",
                                 fmt::join(obstacles, "', '")),
                     "Leave the property out.");
  }
  Protocol protocol;
  const bool has_ntz =
      std::find(features.begin(), features.end(), "timestampNtz") != features.end();
  if (!has_ntz) {
    return protocol;
  }
  const auto append_only = configuration->find("delta.appendOnly");
  if (append_only != configuration->end() && Lower(append_only->second) == "true" &&
      std::find(features.begin(), features.end(), "appendOnly") == features.end()) {
    features.emplace_back("appendOnly");
  }
  std::sort(features.begin(), features.end());
  protocol.min_reader_version = 3;
  protocol.min_writer_version = 7;
  protocol.reader_features = {"timestampNtz"};
  protocol.writer_features = std::move(features);
  return protocol;
}

}  // namespace lakeward::delta
