#include "lakeward/fs/s3/s3_options.h"

#include <algorithm>
#include <array>

#include "fmt/format.h"
#include "lakeward/base/similar_names.h"

namespace lakeward::fs {
namespace {

constexpr std::string_view kCanonicalPrefix = "fs.s3a.";
constexpr std::string_view kBucketPart = "bucket.";

std::vector<S3Option> IdentityOptions() {
  return {
      {.suffix = "access.key",
       .also = {"access-key", "access-key-id"},
       .type = "String",
       .doc = "Id of the access key; taken together with the secret key from one place."},
      {.suffix = "secret.key",
       .also = {"secret-key", "secret-access-key"},
       .type = "String",
       .doc = "Secret of the access key."},
      {.suffix = "session.token",
       .also = {"session-token"},
       .type = "String",
       .doc = "Session token of temporary keys."},
      {.suffix = "aws.credentials.provider",
       .also = {"credentials-provider"},
       .also_whole = {"client.credentials-provider"},
       .type = "String",
       .doc =
           "Class names of Hadoop or the AWS SDKs, comma-separated: where credentials are looked "
           "for, in this order. By default configuration, environment, web identity, ~/.aws, "
           "container, instance metadata."},
      {.suffix = "auth.profile.name",
       .also = {"profile"},
       .type = "String",
       .doc = "Profile of ~/.aws; by default that of AWS_PROFILE."},
      {.suffix = "assumed.role.arn",
       .also = {"assume-role.arn"},
       .also_whole = {"client.assume-role.arn"},
       .type = "String",
       .doc = "Role under which every request is made."},
      {.suffix = "assumed.role.session.name",
       .also = {"assume-role.session-name"},
       .also_whole = {"client.assume-role.session-name"},
       .type = "String",
       .default_text = "lakeward",
       .doc = "Name of the role's session, as the store's audit log shows it."},
      {.suffix = "assumed.role.session.duration",
       .also = {"assume-role.session-duration"},
       .also_whole = {"client.assume-role.timeout-sec"},
       .type = "String",
       .default_text = "3600",
       .doc = "How long the role's credentials live, in seconds or as '30 min'."},
      {.suffix = "assumed.role.external.id",
       .also = {"assume-role.external-id"},
       .also_whole = {"client.assume-role.external-id"},
       .type = "String",
       .doc = "External id that the role's owner asks for."},
      {.suffix = "assumed.role.policy",
       .type = "String",
       .doc = "A policy (JSON) that narrows the role."},
      {.suffix = "assumed.role.sts.endpoint",
       .type = "String",
       .doc = "Address of the Security Token Service; by default Amazon's of the region."},
      {.suffix = "assumed.role.sts.endpoint.region",
       .also_whole = {"client.assume-role.region"},
       .type = "String",
       .doc = "Region of the Security Token Service."},
      {.suffix = "assumed.role.credentials.provider",
       .type = "String",
       .doc = "Who assumes the role: class names as for fs.s3a.aws.credentials.provider."},
  };
}

std::vector<S3Option> PlaceOptions() {
  return {
      {.suffix = "endpoint",
       .variables = {"AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL"},
       .type = "String",
       .doc = "Address of the store, with or without http:// or https://; by default Amazon's."},
      {.suffix = "endpoint.region",
       .also = {"region"},
       .also_whole = {"client.region"},
       .variables = {"AWS_REGION", "AWS_DEFAULT_REGION"},
       .type = "String",
       .doc = "Region that requests are signed for; by default the profile's, else the bucket's "
              "own answer."},
      {.suffix = "path.style.access",
       .also = {"path-style-access"},
       .type = "Boolean",
       .doc =
           "Whether the bucket stands in the path (true) or in the host's name (false); by default "
           "true when an endpoint is set that is not Amazon's."},
      {.suffix = "connection.ssl.enabled",
       .type = "Boolean",
       .default_text = "true",
       .doc = "Whether an endpoint without http:// or https:// is spoken to with TLS."},
      {.suffix = "ssl.ca.file",
       .variables = {"AWS_CA_BUNDLE"},
       .type = "String",
       .doc = "PEM file of the certificate authorities to trust instead of the system's."},
      {.suffix = "proxy.host",
       .type = "String",
       .doc =
           "Proxy for all requests; by default that of the environment (https_proxy, no_proxy)."},
      {.suffix = "proxy.port", .type = "Integer", .doc = "Port of the proxy."},
      {.suffix = "proxy.username", .type = "String", .doc = "User name for the proxy."},
      {.suffix = "proxy.password", .type = "String", .doc = "Password for the proxy."},
      {.suffix = "user.agent.prefix",
       .type = "String",
       .doc = "What stands before 'lakeward' in the User-Agent field."},
  };
}

std::vector<S3Option> TransferOptions() {
  return {
      {.suffix = "connection.maximum",
       .also = {"connection.max"},
       .type = "Integer",
       .default_text = "96",
       .doc = "Requests under way at once; more wait, unsigned, for their turn."},
      {.suffix = "connection.establish.timeout",
       .type = "Duration",
       .default_text = "5 s",
       .doc = "Longest time to connect."},
      {.suffix = "connection.timeout",
       .also = {"socket.timeout"},
       .type = "Duration",
       .default_text = "30 s",
       .doc = "Longest time without a byte in either direction."},
      {.suffix = "connection.idle.time",
       .also = {"connection.max-idle-time"},
       .type = "Duration",
       .default_text = "60 s",
       .doc = "How long a connection that is not used is kept."},
      {.suffix = "attempts.maximum",
       .variables = {"AWS_MAX_ATTEMPTS"},
       .type = "Integer",
       .doc = "Tries per request. One budget with fs.s3a.retry.limit: the larger counts; 10 when "
              "neither is set."},
      {.suffix = "retry.limit",
       .also = {"retry.max-num-retries"},
       .type = "Integer",
       .doc = "Tries per request after the first; see fs.s3a.attempts.maximum."},
      {.suffix = "retry.interval",
       .type = "Duration",
       .default_text = "100 ms",
       .doc = "Pause before the second try; it doubles up to 10 s, less a random part."},
      {.suffix = "multipart.size",
       .also = {"upload.min.part.size", "multipart.part-size-bytes"},
       .type = "MemorySize",
       .default_text = "8 mb",
       .doc =
           "Size of the parts of an upload, at least 5 mb; smaller files are sent in one request."},
      {.suffix = "fast.upload.active.blocks",
       .also = {"upload.max.concurrent.uploads"},
       .type = "Integer",
       .default_text = "4",
       .doc = "Parts of one file under way at once; a writer that is faster waits."},
      {.suffix = "readahead.range",
       .type = "MemorySize",
       .default_text = "4 mb",
       .doc = "Size of the pieces that are read ahead of a sequential reader; 0 switches it off."},
      {.suffix = "paging.maximum",
       .type = "Integer",
       .default_text = "1000",
       .doc = "Keys per page of a listing."},
      {.suffix = "threads.max",
       .type = "Integer",
       .default_text = "16",
       .doc = "Threads that upload parts and read ahead, for each bucket."},
      {.suffix = "multiobjectdelete.enable",
       .type = "Boolean",
       .default_text = "true",
       .doc = "Whether many files are removed by one request; false for stores without it."},
      {.suffix = "single.writer",
       .type = "Boolean",
       .default_text = "false",
       .doc = "Allows commits on a store that ignores If-None-Match. Two writers of one table then "
              "overwrite each other's commits."},
  };
}

std::vector<S3Option> ObjectOptions() {
  return {
      {.suffix = "encryption.algorithm",
       .also = {"server-side-encryption-algorithm", "sse.type"},
       .type = "String",
       .doc = "Server-side encryption: AES256 (sse-s3), SSE-KMS, DSSE-KMS, SSE-C, or none."},
      {.suffix = "encryption.key",
       .also = {"server-side-encryption.key", "sse.key", "sse.kms.key-id"},
       .type = "String",
       .doc = "Key id of SSE-KMS, or the key itself (256 bits in Base64) of SSE-C."},
      {.suffix = "encryption.context",
       .also = {"sse.kms.encryption-context"},
       .type = "String",
       .doc = "Context of SSE-KMS: key=value pairs, comma-separated."},
      {.suffix = "acl.default",
       .also = {"acl"},
       .type = "String",
       .doc = "Canned access list of new objects, such as BucketOwnerFullControl."},
      {.suffix = "create.storage.class",
       .also = {"write.storage-class"},
       .type = "String",
       .doc = "Storage class of new objects."},
      {.suffix = "requester.pays.enabled",
       .type = "Boolean",
       .default_text = "false",
       .doc = "Agrees to pay for requests to buckets whose owner wants that."},
  };
}

// Suffixes that Hadoop's S3A or Flink's S3 file systems document and that have nothing to steer
// here; with a '*' at the end all that begin so.
constexpr auto kSuffixesWithoutMeaning = std::to_array<std::string_view>({
    "impl",
    "impl.disable.cache",
    "accesspoint.*",
    "async.*",
    "audit.*",
    "authoritative.path",
    "aws.credentials.provider.mapping",
    "block.size",
    "bucket.probe",
    "buffer.dir",
    "bulk-copy.*",
    "bulk.delete.page.size",
    "change.detection.*",
    "checksum-validation.*",
    "checksum.validation",
    "chunked-encoding.*",
    "classloader.isolation",
    "client.close.timeout",
    "close.timeout",
    "committer.*",
    "connection.acquisition.timeout",
    "connection.expect.continue",
    "connection.keepalive",
    "connection.part.upload.timeout",
    "connection.request.timeout",
    "connection.ttl",
    "copy.from.local.enabled",
    "create.checksum.algorithm",
    "create.conditional.enabled",
    "create.header.*",
    "create.performance",
    "cross.region.access.enabled",
    "custom.signers",
    "delegation.*",
    "directory.*",
    "downgrade.syncable.exceptions",
    "encryption.cse.*",
    "endpoint.fips",
    "entropy.*",
    "etag.checksum.enabled",
    "executor.capacity",
    "experimental.*",
    "ext.*",
    "fast.buffer.size",
    "fast.upload",
    "fast.upload.buffer",
    "http.signer.*",
    "input.*",
    "list.version",
    "max.total.tasks",
    "metadatastore.*",
    "multipart.purge",
    "multipart.purge.age",
    "multipart.threshold",
    "multipart.uploads.enabled",
    "optimized.copy.from.local.enabled",
    "performance.flags",
    "prefetch.*",
    "proxy.domain",
    "proxy.workstation",
    "read.buffer.size",
    "rename.raises.exceptions",
    "retry.http.5xx.errors",
    "retry.throttle.*",
    "s3.client.factory.impl",
    "s3guard.*",
    "security.credential.provider.path",
    "select.*",
    "signature.cache.max.size",
    "signing-algorithm",
    "socket.recv.buffer",
    "socket.send.buffer",
    "ssl.channel.mode",
    "threads.keepalivetime",
    "upload.max.concurrent.copies",
    "vectored.*",
});

bool IsWithoutMeaning(std::string_view suffix) {
  const auto& known = kSuffixesWithoutMeaning;
  return std::any_of(known.begin(), known.end(), [&](std::string_view name) {
    return name.ends_with('*') ? suffix.starts_with(name.substr(0, name.size() - 1))
                               : suffix == name;
  });
}

bool IsSuffix(const S3Option& option, std::string_view suffix) {
  return option.suffix == suffix ||
         std::find(option.also.begin(), option.also.end(), suffix) != option.also.end();
}

bool HasMeaning(std::string_view suffix) {
  const auto& options = S3Options();
  return std::any_of(options.begin(), options.end(),
                     [&](const S3Option& option) { return IsSuffix(option, suffix); });
}

// What may stand behind "bucket.<name>." in "bucket.<name>.<suffix>", the longest first: names may
// hold dots.
std::vector<std::string_view> SuffixesBehindBucket(std::string_view suffix) {
  std::vector<std::string_view> suffixes;
  for (size_t dot = suffix.find('.', kBucketPart.size()); dot != std::string_view::npos;
       dot = suffix.find('.', dot + 1)) {
    suffixes.push_back(suffix.substr(dot + 1));
  }
  return suffixes;
}

// The longest prefix that the key begins with; empty for keys that are not S3's.
std::string_view PrefixOf(std::string_view key) {
  std::string_view longest;
  for (const std::string& prefix : S3OptionPrefixes()) {
    if (key.starts_with(prefix) && prefix.size() > longest.size()) {
      longest = prefix;
    }
  }
  return longest;
}

// The known suffix that a person most likely meant: one of nearly the same letters, or one of which
// the given is the beginning or that the given ends in ("path-style", "aws.region").
std::string NearSuffix(std::string_view suffix, const std::vector<std::string>& known) {
  const std::vector<std::string> similar = SimilarNames(suffix, known, 1);
  if (!similar.empty()) {
    return similar[0];
  }
  const auto with_dots = [](std::string_view text) {
    std::string dotted(text);
    std::replace(dotted.begin(), dotted.end(), '-', '.');
    return dotted;
  };
  const std::string given = with_dots(suffix);
  for (const std::string& name : known) {
    const std::string dotted = with_dots(name);
    if (dotted.starts_with(given + ".") || given.ends_with("." + dotted)) {
      return name;
    }
  }
  return "";
}

// The key that a person most likely meant, of what the suffix of theirs may be; of several, one
// with as many words.
std::string MeantKey(std::string_view key, const std::vector<std::string_view>& suffixes) {
  std::vector<std::string> known;
  for (const S3Option& option : S3Options()) {
    known.push_back(option.suffix);
    known.insert(known.end(), option.also.begin(), option.also.end());
  }
  const auto dots = [](std::string_view text) { return std::count(text.begin(), text.end(), '.'); };
  std::string meant;
  for (const std::string_view suffix : suffixes) {
    const std::string near = NearSuffix(suffix, known);
    if (!near.empty() && (meant.empty() || dots(near) == dots(suffix))) {
      meant = fmt::format("{}{}", key.substr(0, key.size() - suffix.size()), near);
    }
  }
  return meant;
}

config::OptionInfo Named(const S3Option& option, std::string_view part) {
  config::OptionInfo info;
  info.key = fmt::format("{}{}{}", kCanonicalPrefix, part, option.suffix);
  info.type = option.type;
  info.default_text = option.default_text;
  info.has_default = !option.default_text.empty();
  info.doc = option.doc;
  std::vector<std::string> suffixes = option.also;
  suffixes.insert(suffixes.begin(), option.suffix);
  for (const std::string& prefix : S3OptionPrefixes()) {
    for (const std::string& suffix : suffixes) {
      std::string name = fmt::format("{}{}{}", prefix, part, suffix);
      if (name != info.key) {
        info.also.push_back(std::move(name));
      }
    }
  }
  return info;
}

}  // namespace

config::OptionInfo S3Option::Info() const {
  config::OptionInfo info = Named(*this, "");
  info.also.insert(info.also.end(), also_whole.begin(), also_whole.end());
  return info;
}

config::OptionInfo S3Option::InfoOf(std::string_view bucket) const {
  return Named(*this, fmt::format("{}{}.", kBucketPart, bucket));
}

const std::vector<std::string>& S3OptionPrefixes() {
  static const std::vector<std::string> prefixes{
      std::string(kCanonicalPrefix), "s3.", "s3a.", "flink.hadoop.fs.s3a.", "fs.s3.", "presto.s3."};
  return prefixes;
}

const std::vector<S3Option>& S3Options() {
  static const std::vector<S3Option> options = [] {
    std::vector<S3Option> all;
    for (auto&& group : {IdentityOptions(), PlaceOptions(), TransferOptions(), ObjectOptions()}) {
      all.insert(all.end(), group.begin(), group.end());
    }
    return all;
  }();
  return options;
}

const S3Option& S3OptionOf(std::string_view suffix) {
  const auto& options = S3Options();
  const auto found = std::find_if(options.begin(), options.end(),
                                  [&](const S3Option& option) { return option.suffix == suffix; });
  LW_CHECK(found != options.end());
  return *found;
}

bool IsS3Key(std::string_view key) { return !PrefixOf(key).empty(); }

std::optional<std::string> S3SettingNotice(std::string_view key) {
  const std::string_view prefix = PrefixOf(key);
  if (prefix.empty()) {
    return std::nullopt;
  }
  const std::string_view whole = key.substr(prefix.size());
  const std::vector<std::string_view> suffixes =
      whole.starts_with(kBucketPart) ? SuffixesBehindBucket(whole) : std::vector{whole};
  if (std::any_of(suffixes.begin(), suffixes.end(), HasMeaning)) {
    return std::nullopt;
  }
  if (std::any_of(suffixes.begin(), suffixes.end(), IsWithoutMeaning)) {
    return "has no effect in Lakeward";
  }
  const std::string meant = MeantKey(key, suffixes);
  return meant.empty() ? "is no known setting of S3"
                       : fmt::format("is no known setting of S3. Did you mean '{}'?", meant);
}

std::vector<std::string> S3SettingNotices(const config::Configuration& configuration) {
  std::vector<std::string> notices;
  for (const auto& [key, setting] : configuration.EffectiveForDisplay()) {
    const std::optional<std::string> notice = S3SettingNotice(key);
    if (notice.has_value() && setting.level != config::Level::kSession) {
      notices.push_back(fmt::format("'{}' ({}) {}", key, setting.origin, *notice));
    }
  }
  return notices;
}

}  // namespace lakeward::fs
