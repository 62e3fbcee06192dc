#include "lakeward/table/delta/table_state.h"

#include <algorithm>
#include <utility>

namespace lakeward::delta {
namespace {

/// Merges two lists that ascend by key; where both have a key, the change decides.
template <typename Item, typename KeyOf>
std::vector<Item> MergeByKey(const std::vector<Item>& base, std::vector<Item> added,
                             const std::vector<std::string_view>& changed_keys, KeyOf key_of) {
  std::vector<Item> kept;
  kept.reserve(base.size() + added.size());
  auto changed = changed_keys.begin();
  for (const Item& item : base) {
    const std::string_view key = key_of(item);
    while (changed != changed_keys.end() && *changed < key) {
      ++changed;
    }
    if (changed == changed_keys.end() || *changed != key) {
      kept.push_back(item);
    }
  }
  const auto middle = static_cast<std::ptrdiff_t>(kept.size());
  std::move(added.begin(), added.end(), std::back_inserter(kept));
  std::inplace_merge(kept.begin(), kept.begin() + middle, kept.end(),
                     [&](const Item& a, const Item& b) { return key_of(a) < key_of(b); });
  return kept;
}

}  // namespace

StateBuilder::StateBuilder(const TableState* base) : base_(base) {
  if (base_ != nullptr) {
    protocol_ = base_->protocol;
    metadata_ = base_->metadata;
    transactions_ = base_->transactions;
    domains_ = base_->domains;
  }
}

void StateBuilder::Apply(Actions actions, std::optional<int64_t> log_version) {
  if (actions.protocol.has_value()) {
    protocol_ = std::make_shared<const Protocol>(*std::move(actions.protocol));
  }
  if (actions.metadata.has_value()) {
    metadata_ = std::make_shared<const MetadataAction>(*std::move(actions.metadata));
  }
  // Tombstones first: a path that is removed with one deletion vector may be added with another,
  // and one that is both removed and added stays.
  for (RemoveFile& file : actions.removes) {
    Change& change = changes_[FileKey(file.path, file.deletion_vector)];
    change.added = nullptr;
    change.removed = std::make_shared<const RemoveFile>(std::move(file));
  }
  for (const AddFile& file : actions.adds) {
    auto packed = std::make_shared<const PackedFile>(file);
    Change& change = changes_[std::string(packed->key())];
    change.added = std::move(packed);
    change.removed = nullptr;
  }
  for (TransactionAction& transaction : actions.transactions) {
    RecordedTransaction& recorded = transactions_[transaction.app_id];
    recorded.action = std::move(transaction);
    recorded.log_version = log_version;
  }
  for (DomainMetadata& domain : actions.domains) {
    if (domain.removed) {
      domains_.erase(domain.domain);
    } else {
      domains_[domain.domain] = std::move(domain);
    }
  }
}

Result<TableState> StateBuilder::Finish(int64_t version, std::string_view what) {
  if (protocol_ == nullptr || metadata_ == nullptr) {
    return MakeError(ErrorKind::kCorruptData,
                     std::string(what) + ": the log up to version " + std::to_string(version) +
                         " has no " + (protocol_ == nullptr ? "protocol" : "metaData") + " action",
                     "The first log entries are incomplete; restore them from a backup.");
  }
  TableState state;
  state.version = version;
  state.protocol = std::move(protocol_);
  state.metadata = std::move(metadata_);
  state.transactions = std::move(transactions_);
  state.domains = std::move(domains_);

  std::vector<std::string_view> changed_keys;
  changed_keys.reserve(changes_.size());
  for (const auto& [key, change] : changes_) {
    changed_keys.push_back(key);
  }
  std::sort(changed_keys.begin(), changed_keys.end());
  std::vector<PackedFilePtr> added;
  std::vector<std::pair<std::string, RemoveFilePtr>> removed;
  for (const std::string_view key : changed_keys) {
    Change& change = changes_.find(std::string(key))->second;
    if (change.added != nullptr) {
      added.push_back(std::move(change.added));
    } else {
      removed.emplace_back(key, std::move(change.removed));
    }
  }
  static const TableState kNothing;
  const TableState& base = base_ == nullptr ? kNothing : *base_;
  state.files = MergeByKey(base.files, std::move(added), changed_keys,
                           [](const PackedFilePtr& file) { return file->key(); });
  state.tombstones =
      MergeByKey(base.tombstones, std::move(removed), changed_keys,
                 [](const auto& tombstone) { return std::string_view(tombstone.first); });
  return state;
}

}  // namespace lakeward::delta
