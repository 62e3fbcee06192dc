#include "lakeward/fs/s3/s3_settings.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "fmt/format.h"
#include "lakeward/aws/digest.h"
#include "lakeward/fs/s3/s3_object_headers.h"
#include "lakeward/fs/s3/s3_options.h"

namespace lakeward::fs {
namespace {

using config::Level;
using Environment = std::function<std::optional<std::string>(const std::string&)>;

constexpr int64_t kPartBytesMin = 5 << 20;

// A place that settings come from: one level, for all buckets or for one.
struct Place {
  Level level;
  bool is_of_bucket;
};

// Nearest first.
constexpr std::array kPlaces{Place{Level::kTable, true},    Place{Level::kTable, false},
                             Place{Level::kCatalog, true},  Place{Level::kCatalog, false},
                             Place{Level::kSession, true},  Place{Level::kCommandLine, true},
                             Place{Level::kFile, true},     Place{Level::kEnvironment, true},
                             Place{Level::kSession, false}, Place{Level::kCommandLine, false},
                             Place{Level::kFile, false},    Place{Level::kEnvironment, false}};

// Reads options of one bucket.
class Reader {
 public:
  Reader(const config::Configuration& configuration, std::string bucket, Environment environment)
      : configuration_(configuration),
        bucket_(std::move(bucket)),
        environment_(std::move(environment)) {}

  // What one place says. An empty text counts as nothing: it is how people switch a value off.
  Result<std::optional<WithOrigin<std::string>>> At(std::string_view suffix,
                                                    const Place& place) const {
    const S3Option& option = S3OptionOf(suffix);
    const config::OptionInfo info = place.is_of_bucket ? option.InfoOf(bucket_) : option.Info();
    LW_ASSIGN(const auto setting, configuration_.FindAt(info, place.level));
    if (!setting.has_value() || setting->value.empty()) {
      return std::optional<WithOrigin<std::string>>();
    }
    return std::optional(WithOrigin<std::string>{setting->value, setting->origin});
  }

  // The effective text: the nearest place, then variables; nothing when nobody says anything.
  Result<std::optional<WithOrigin<std::string>>> Text(std::string_view suffix) const {
    for (const Place& place : kPlaces) {
      LW_ASSIGN(auto found, At(suffix, place));
      if (found.has_value()) {
        return found;
      }
    }
    for (const std::string& variable : S3OptionOf(suffix).variables) {
      auto value = environment_(variable);
      if (value.has_value() && !value->empty()) {
        return std::optional(WithOrigin<std::string>{
            *std::move(value), fmt::format("environment variable {}", variable)});
      }
    }
    return std::optional<WithOrigin<std::string>>();
  }

  // The effective text or the default's, checked against the option's type.
  Result<WithOrigin<std::string>> Checked(std::string_view suffix) const {
    const config::OptionInfo info = S3OptionOf(suffix).Info();
    LW_ASSIGN(auto text, Text(suffix));
    if (!text.has_value()) {
      return WithOrigin<std::string>{info.default_text, "the default"};
    }
    const Status status = config::CheckText(info, text->value);
    if (!status.ok()) {
      return MakeError(ErrorKind::kConfig,
                       fmt::format("{} (from {})", status.message(), text->origin));
    }
    return *std::move(text);
  }

  Result<std::string> String(std::string_view suffix) const {
    LW_ASSIGN(auto text, Checked(suffix));
    return std::move(text.value);
  }

  Result<bool> Bool(std::string_view suffix) const {
    LW_ASSIGN(const auto text, Checked(suffix));
    return config::ParseBool(text.value);
  }

  Result<int64_t> Millis(std::string_view suffix) const {
    LW_ASSIGN(const auto text, Checked(suffix));
    LW_ASSIGN(const config::Duration duration, config::ParseDuration(text.value));
    return AtLeast(suffix, text, duration.millis, 1);
  }

  Result<int64_t> Bytes(std::string_view suffix, int64_t min) const {
    LW_ASSIGN(const auto text, Checked(suffix));
    LW_ASSIGN(const config::MemorySize size, config::ParseMemorySize(text.value));
    return AtLeast(suffix, text, size.bytes, min);
  }

  Result<int64_t> Count(std::string_view suffix, int64_t min, int64_t max) const {
    LW_ASSIGN(const auto text, Checked(suffix));
    LW_ASSIGN(const int64_t count, config::ParseInt64(text.value));
    return AtLeast(suffix, text, std::min(count, max), min);
  }

  const std::string& bucket() const { return bucket_; }

 private:
  static Result<int64_t> AtLeast(std::string_view suffix, const WithOrigin<std::string>& text,
                                 int64_t value, int64_t min) {
    if (value >= min) {
      return value;
    }
    return MakeError(ErrorKind::kConfig,
                     fmt::format("Invalid value for option 'fs.s3a.{}': '{}' is less than {} "
                                 "(from {})",
                                 suffix, text.value, min, text.origin));
  }

  const config::Configuration& configuration_;
  const std::string bucket_;
  const Environment environment_;
};

// The nearest place that holds a key; its parts are taken together.
Result<std::optional<aws::Credentials>> ResolveKeys(const Reader& reader) {
  for (const Place& place : kPlaces) {
    LW_ASSIGN(auto id, reader.At("access.key", place));
    LW_ASSIGN(auto secret, reader.At("secret.key", place));
    LW_ASSIGN(auto token, reader.At("session.token", place));
    if (id.has_value() && secret.has_value()) {
      aws::Credentials keys;
      keys.access_key_id = std::move(id->value);
      keys.secret_access_key = Secret(std::move(secret->value));
      keys.session_token = Secret(token.has_value() ? std::move(token->value) : "");
      keys.origin = id->origin;
      return std::optional(std::move(keys));
    }
    if (id.has_value() || secret.has_value() || token.has_value()) {
      const auto& given = id.has_value() ? id : secret.has_value() ? secret : token;
      const std::string_view given_name = id.has_value()       ? "fs.s3a.access.key"
                                          : secret.has_value() ? "fs.s3a.secret.key"
                                                               : "fs.s3a.session.token";
      const std::string_view missing_name =
          id.has_value() ? "fs.s3a.secret.key" : "fs.s3a.access.key";
      return MakeError(ErrorKind::kConfig,
                       fmt::format("'{}' is set ({}), but '{}' is not set in the same place",
                                   given_name, given->origin, missing_name),
                       "Key id, secret and token are taken together from one place: set them "
                       "there, or remove this one.");
    }
  }
  return std::optional<aws::Credentials>();
}

std::vector<std::string> SplitList(std::string_view text) {
  std::vector<std::string> items;
  std::string item;
  for (const char c : text) {
    if (c == ',' || c == ';') {
      items.push_back(std::exchange(item, ""));
    } else if (c != ' ' && c != '\t' && c != '\n' && c != '\r') {
      item += c;
    }
  }
  items.push_back(std::move(item));
  std::erase(items, "");
  return items;
}

// "3600" is seconds, as Hadoop and Flink have it; anything else a duration.
Result<int64_t> SessionSeconds(const WithOrigin<std::string>& text) {
  if (const Result<int64_t> seconds = config::ParseInt64(text.value); seconds.ok()) {
    return *seconds;
  }
  const Result<config::Duration> duration = config::ParseDuration(text.value);
  if (!duration.ok()) {
    return MakeError(ErrorKind::kConfig,
                     fmt::format("Invalid value for option 'fs.s3a.assumed.role.session.duration': "
                                 "{} (from {})",
                                 duration.status().message(), text.origin));
  }
  return duration->millis / 1'000;
}

Status ResolveRole(const Reader& reader, aws::CredentialSettings* credentials) {
  LW_ASSIGN(const auto arn, reader.Text("assumed.role.arn"));
  if (arn.has_value()) {
    aws::AssumedRole role;
    role.arn = arn->value;
    role.origin = arn->origin;
    LW_ASSIGN(role.session_name, reader.String("assumed.role.session.name"));
    LW_ASSIGN(role.external_id, reader.String("assumed.role.external.id"));
    LW_ASSIGN(role.policy, reader.String("assumed.role.policy"));
    LW_ASSIGN(const auto duration, reader.Checked("assumed.role.session.duration"));
    LW_ASSIGN(role.duration_s, SessionSeconds(duration));
    credentials->role = std::move(role);
  }
  LW_ASSIGN(const auto callers, reader.String("assumed.role.credentials.provider"));
  credentials->role_provider_names = SplitList(callers);
  LW_ASSIGN(credentials->sts_endpoint, reader.String("assumed.role.sts.endpoint"));
  LW_ASSIGN(credentials->sts_region, reader.String("assumed.role.sts.endpoint.region"));
  return Status::OK();
}

Result<aws::CredentialSettings> ResolveCredentials(const Reader& reader) {
  aws::CredentialSettings credentials;
  LW_ASSIGN(credentials.keys, ResolveKeys(reader));
  credentials.keys_missing = "fs.s3a.access.key and fs.s3a.secret.key are not set";
  LW_ASSIGN(const auto providers, reader.Checked("aws.credentials.provider"));
  credentials.provider_names = SplitList(providers.value);
  credentials.provider_names_origin = providers.origin;
  LW_ASSIGN(credentials.profile, reader.String("auth.profile.name"));
  LW_TRY(ResolveRole(reader, &credentials));
  return credentials;
}

Status BadEndpoint(const WithOrigin<std::string>& text, std::string_view reason) {
  return MakeError(
      ErrorKind::kConfig,
      fmt::format("The S3 endpoint '{}' (from {}) {}", text.value, text.origin, reason),
      "Set 'fs.s3a.endpoint' to 'https://host', 'http://host:port' or 'host:port'.");
}

Result<std::optional<WithOrigin<net::Url>>> ResolveEndpoint(const Reader& reader) {
  LW_ASSIGN(const auto text, reader.Text("endpoint"));
  if (!text.has_value()) {
    return std::optional<WithOrigin<net::Url>>();
  }
  std::string address = text->value;
  if (address.find("://") == std::string::npos) {
    LW_ASSIGN(const bool is_tls, reader.Bool("connection.ssl.enabled"));
    address = (is_tls ? "https://" : "http://") + address;
  }
  Result<net::Url> url = net::ParseUrl(address);
  if (!url.ok()) {
    return KindOf(url.status()) == ErrorKind::kConfig &&
                   url.status().message().find("user name") != std::string::npos
               ? WithContext(url.status(), "fs.s3a.endpoint from " + text->origin)
               : BadEndpoint(*text, "is no address of a host");
  }
  if (url->path != "/" || !url->query.empty()) {
    return BadEndpoint(*text, "has a path; an endpoint is only scheme, host and port");
  }
  return std::optional(WithOrigin<net::Url>{*std::move(url), text->origin});
}

// Whether "<bucket>.host" can be a host name under a wildcard certificate.
bool FitsHostName(std::string_view bucket, bool is_tls) {
  return std::all_of(bucket.begin(), bucket.end(), [&](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || (c == '.' && !is_tls);
  });
}

Status ResolvePlace(const Reader& reader, S3Settings* settings) {
  LW_ASSIGN(settings->endpoint, ResolveEndpoint(reader));
  std::optional<std::string> amazon_region;
  if (settings->endpoint.has_value()) {
    settings->is_tls = settings->endpoint->value.is_tls();
    amazon_region = RegionOfAmazonHost(settings->endpoint->value.host);
  } else {
    LW_ASSIGN(settings->is_tls, reader.Bool("connection.ssl.enabled"));
  }

  LW_ASSIGN(const auto region, reader.Text("endpoint.region"));
  if (region.has_value()) {
    settings->region = *region;
  } else if (amazon_region.has_value() && !amazon_region->empty()) {
    settings->region = {*amazon_region, settings->endpoint->origin};
  }

  LW_ASSIGN(const auto path_style, reader.Text("path.style.access"));
  if (path_style.has_value()) {
    LW_ASSIGN(const bool is_on, reader.Bool("path.style.access"));
    settings->path_style = {is_on, path_style->origin};
  } else if (settings->endpoint.has_value() && !amazon_region.has_value()) {
    settings->path_style = {true, "the default for endpoints that are not Amazon's"};
  } else {
    settings->path_style = {!FitsHostName(reader.bucket(), settings->is_tls), "the default"};
  }
  return Status::OK();
}

Status ResolveConnection(const Reader& reader, S3Settings* settings) {
  net::HttpClientOptions& http = settings->http;
  LW_ASSIGN(http.connect_timeout_ms, reader.Millis("connection.establish.timeout"));
  LW_ASSIGN(http.stall_timeout_ms, reader.Millis("connection.timeout"));
  LW_ASSIGN(http.idle_connection_ms, reader.Millis("connection.idle.time"));
  LW_ASSIGN(http.ca_file, reader.String("ssl.ca.file"));
  LW_ASSIGN(const std::string agent, reader.String("user.agent.prefix"));
  http.user_agent = agent.empty() ? "lakeward" : agent + ", lakeward";
  LW_ASSIGN(const auto proxy_host, reader.Text("proxy.host"));
  if (proxy_host.has_value()) {
    LW_ASSIGN(const auto port, reader.Text("proxy.port"));
    const bool has_scheme = proxy_host->value.find("://") != std::string::npos;
    http.proxy_url = fmt::format("{}{}{}{}", has_scheme ? "" : "http://", proxy_host->value,
                                 port.has_value() ? ":" : "", port.has_value() ? port->value : "");
    LW_ASSIGN(http.proxy_user_name, reader.String("proxy.username"));
    LW_ASSIGN(std::string password, reader.String("proxy.password"));
    http.proxy_password = Secret(std::move(password));
  }

  LW_ASSIGN(const auto attempts, reader.Text("attempts.maximum"));
  LW_ASSIGN(const auto retries, reader.Text("retry.limit"));
  int64_t attempts_max = 0;
  if (attempts.has_value()) {
    LW_ASSIGN(attempts_max, reader.Count("attempts.maximum", 1, 1'000));
  }
  if (retries.has_value()) {
    LW_ASSIGN(const int64_t retries_max, reader.Count("retry.limit", 0, 1'000));
    attempts_max = std::max(attempts_max, retries_max + 1);
  }
  if (attempts_max > 0) {
    settings->retries.attempts_max = static_cast<int>(attempts_max);
  }
  LW_ASSIGN(settings->retries.interval_ms, reader.Millis("retry.interval"));
  return Status::OK();
}

Status ResolveTransfer(const Reader& reader, S3Transfer* transfer) {
  LW_ASSIGN(transfer->part_bytes, reader.Bytes("multipart.size", kPartBytesMin));
  LW_ASSIGN(transfer->read_ahead_bytes, reader.Bytes("readahead.range", 0));
  LW_ASSIGN(const int64_t parts, reader.Count("fast.upload.active.blocks", 1, 1'000));
  LW_ASSIGN(const int64_t threads, reader.Count("threads.max", 1, 256));
  LW_ASSIGN(const int64_t requests, reader.Count("connection.maximum", 1, 10'000));
  LW_ASSIGN(transfer->page_keys_max, reader.Count("paging.maximum", 1, 1'000));
  LW_ASSIGN(transfer->deletes_many, reader.Bool("multiobjectdelete.enable"));
  transfer->active_parts_max = static_cast<int>(parts);
  transfer->thread_count = static_cast<int>(threads);
  transfer->requests_max = static_cast<int>(requests);
  return Status::OK();
}

Status ResolveObjects(const Reader& reader, S3Settings* settings) {
  S3Encryption encryption;
  LW_ASSIGN(const auto algorithm, reader.Checked("encryption.algorithm"));
  encryption.algorithm = algorithm.value;
  encryption.origin = algorithm.origin;
  LW_ASSIGN(std::string key, reader.String("encryption.key"));
  encryption.key = Secret(std::move(key));
  LW_ASSIGN(encryption.context, reader.String("encryption.context"));
  LW_TRY(AddEncryptionHeaders(encryption, &settings->create_headers, &settings->data_headers));
  LW_ASSIGN(const auto acl, reader.Checked("acl.default"));
  LW_TRY(AddAclHeader(acl.value, acl.origin, &settings->create_headers));
  LW_ASSIGN(const std::string storage_class, reader.String("create.storage.class"));
  if (!storage_class.empty()) {
    settings->create_headers.Set("x-amz-storage-class", StorageClassOf(storage_class));
  }
  LW_ASSIGN(const bool pays, reader.Bool("requester.pays.enabled"));
  if (pays) {
    settings->request_headers.Set("x-amz-request-payer", "requester");
  }
  return Status::OK();
}

// A hash of every effective text, secrets included.
Result<std::string> Fingerprint(const Reader& reader) {
  std::string text = reader.bucket();
  for (const S3Option& option : S3Options()) {
    LW_ASSIGN(const auto setting, reader.Text(option.suffix));
    if (setting.has_value()) {
      text += fmt::format("\n{}={} {}", option.suffix, setting->value, setting->origin);
    }
  }
  return aws::Hex(aws::Sha256(text));
}

}  // namespace

std::optional<std::string> RegionOfAmazonHost(std::string_view host) {
  std::string_view rest = host;
  for (const std::string_view ending : {".amazonaws.com.cn", ".amazonaws.com", ".amazonaws.eu"}) {
    if (!rest.ends_with(ending)) {
      continue;
    }
    rest.remove_suffix(ending.size());
    if (rest.ends_with(".vpce")) {
      rest.remove_suffix(5);
    }
    // "s3", "s3.eu-west-1", "s3.dualstack.eu-west-1", "s3-eu-west-1",
    // "bucket.vpce-1-2.s3.eu-west-1"
    const size_t dot = rest.rfind('.');
    std::string_view last = dot == std::string_view::npos ? rest : rest.substr(dot + 1);
    if (last == "s3" || last == "s3-external-1") {
      return "us-east-1";
    }
    if (last == "s3-accelerate" || last == "dualstack") {
      return "";
    }
    if (last.starts_with("s3-")) {
      last.remove_prefix(3);
    }
    return std::string(last);
  }
  return std::nullopt;
}

Result<S3Settings> ResolveS3Settings(const config::Configuration& configuration,
                                     const std::string& bucket, const Environment& environment) {
  const Reader reader(configuration, bucket, environment);
  S3Settings settings;
  settings.bucket = bucket;
  LW_TRY(ResolvePlace(reader, &settings));
  LW_ASSIGN(settings.credentials, ResolveCredentials(reader));
  if (settings.credentials.sts_region.empty()) {
    settings.credentials.sts_region = settings.region.value;
  }
  LW_TRY(ResolveConnection(reader, &settings));
  LW_TRY(ResolveTransfer(reader, &settings.transfer));
  LW_TRY(ResolveObjects(reader, &settings));
  LW_ASSIGN(settings.allows_single_writer, reader.Bool("single.writer"));
  LW_ASSIGN(settings.fingerprint, Fingerprint(reader));
  return settings;
}

}  // namespace lakeward::fs
