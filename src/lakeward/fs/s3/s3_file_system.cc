#include "lakeward/fs/s3/s3_file_system.h"

#include <algorithm>
#include <utility>

#include "fmt/format.h"
#include "lakeward/aws/profile_file.h"
#include "lakeward/base/executor.h"
#include "lakeward/base/log.h"
#include "lakeward/fs/s3/s3_input.h"
#include "lakeward/fs/s3/s3_options.h"
#include "lakeward/fs/s3/s3_upload.h"
#include "lakeward/json/json.h"

namespace lakeward::fs {
namespace {

Status CheckOpen(bool is_closed, const std::string& path) {
  return is_closed ? MakeError(ErrorKind::kInternal, fmt::format("{} is closed", path))
                   : Status::OK();
}

// A file that appears at Close: in one request, or when its parts are put together.
class S3OutputFile final : public OutputFile {
 public:
  S3OutputFile(std::shared_ptr<S3Client> client, std::shared_ptr<Executor> executor,
               std::shared_ptr<S3UploadMemory> memory, std::string key, std::string path,
               WriteOptions options)
      : client_(client),
        upload_(std::move(client), std::move(executor), std::move(memory), key),
        key_(std::move(key)),
        path_(std::move(path)),
        options_(options) {
    set_mode(arrow::io::FileMode::WRITE);
  }

  arrow::Status Write(const void* data, int64_t nbytes) override {
    LW_TRY(CheckOpen(is_closed_, path_));
    return upload_.Write({static_cast<const char*>(data), static_cast<size_t>(nbytes)});
  }
  using OutputFile::Write;

  arrow::Result<int64_t> Tell() const override {
    LW_TRY(CheckOpen(is_closed_, path_));
    return upload_.size_bytes();
  }

  arrow::Status Close() override {
    if (std::exchange(is_closed_, true)) {
      return Status::OK();
    }
    if (upload_.is_small()) {
      return options_.if_absent ? client_->PutIfAbsent(key_, upload_.pending_bytes())
                                : client_->Put(key_, upload_.pending_bytes());
    }
    Result<S3FinishedParts> parts = upload_.FinishParts();
    if (!parts.ok()) {
      return GiveUp(parts.status(), [&] { return upload_.Abort(); });
    }
    Status status = client_->CompleteUpload(*parts, options_.if_absent);
    if (status.ok()) {
      return status;
    }
    return GiveUp(status, [&] { return client_->AbortUpload(key_, parts->upload_id); });
  }

  arrow::Status Abort() override {
    is_closed_ = true;
    return upload_.Abort();
  }

  bool closed() const override { return is_closed_; }

 private:
  // The first error is what people must hear of.
  template <typename Undo>
  static Status GiveUp(const Status& error, const Undo& undo) {
    (void)undo();
    return error;
  }

  const std::shared_ptr<S3Client> client_;
  S3Upload upload_;
  const std::string key_;
  const std::string path_;
  const WriteOptions options_;
  bool is_closed_ = false;
};

constexpr const char* kToken = "A token of a staged file on S3";

std::string TokenOf(const std::string& bucket, const S3FinishedParts& parts) {
  json::Json token = json::Json::object();
  token["bucket"] = bucket;
  token["key"] = parts.key;
  token["upload"] = parts.upload_id;
  token["writer"] = parts.writer_id;
  token["bytes"] = parts.size_bytes;
  token["etags"] = parts.etags;
  return json::Write(token);
}

Result<S3FinishedParts> PartsOf(const std::string& text, const std::string& bucket) {
  LW_ASSIGN(const json::Json token, json::Parse(text, kToken));
  S3FinishedParts parts;
  LW_ASSIGN(const std::string its_bucket, json::GetString(token, "bucket", kToken));
  LW_ASSIGN(parts.key, json::GetString(token, "key", kToken));
  LW_ASSIGN(parts.upload_id, json::GetString(token, "upload", kToken));
  LW_ASSIGN(parts.writer_id, json::GetString(token, "writer", kToken));
  LW_ASSIGN(parts.size_bytes, json::GetInt64(token, "bytes", kToken));
  const json::Json* etags = json::Find(token, "etags");
  if (etags == nullptr || !etags->is_array() || its_bucket != bucket) {
    return MakeError(ErrorKind::kCorruptData,
                     fmt::format("{} does not fit bucket '{}'", kToken, bucket));
  }
  for (const json::Json& etag : *etags) {
    if (!etag.is_string()) {
      return MakeError(ErrorKind::kCorruptData, fmt::format("{} is damaged", kToken));
    }
    parts.etags.push_back(etag.get_ref<const std::string&>());
  }
  return parts;
}

class S3StagedFile final : public StagedFile {
 public:
  S3StagedFile(std::shared_ptr<S3Client> client, std::shared_ptr<Executor> executor,
               std::shared_ptr<S3UploadMemory> memory, std::string key, std::string path)
      : bucket_(client->settings().bucket),
        upload_(std::move(client), std::move(executor), std::move(memory), std::move(key)),
        path_(std::move(path)) {
    set_mode(arrow::io::FileMode::WRITE);
  }

  arrow::Status Write(const void* data, int64_t nbytes) override {
    LW_TRY(CheckOpen(is_closed_, path_));
    return upload_.Write({static_cast<const char*>(data), static_cast<size_t>(nbytes)});
  }
  using StagedFile::Write;

  arrow::Result<int64_t> Tell() const override {
    LW_TRY(CheckOpen(is_closed_, path_));
    return upload_.size_bytes();
  }

  Result<std::string> Stage() override {
    LW_TRY(CheckOpen(is_closed_, path_));
    is_closed_ = true;
    Result<S3FinishedParts> parts = upload_.FinishParts();
    if (!parts.ok()) {
      (void)upload_.Abort();
      return parts.status();
    }
    return TokenOf(bucket_, *parts);
  }

  arrow::Status Close() override { return Abort(); }

  arrow::Status Abort() override {
    is_closed_ = true;
    return upload_.Abort();
  }

  bool closed() const override { return is_closed_; }

 private:
  const std::string bucket_;
  S3Upload upload_;
  const std::string path_;
  bool is_closed_ = false;
};

class S3FileSystem final : public FileSystem {
 public:
  explicit S3FileSystem(std::shared_ptr<S3Client> client)
      : client_(std::move(client)),
        upload_memory_(std::make_shared<S3UploadMemory>(client_->settings().transfer.part_bytes)),
        executor_(MakeThreadPool("s3", client_->settings().transfer.thread_count)) {}

  std::string_view type_name() const override { return "s3"; }

  Status Put(const std::string& path, std::string_view bytes,
             const WriteOptions& options) override {
    LW_ASSIGN(const std::string key, KeyOfFile(path));
    return options.if_absent ? client_->PutIfAbsent(key, bytes) : client_->Put(key, bytes);
  }

  Result<std::shared_ptr<OutputFile>> OpenOutput(const std::string& path,
                                                 const WriteOptions& options) override {
    LW_ASSIGN(std::string key, KeyOfFile(path));
    return std::make_shared<S3OutputFile>(client_, executor_, upload_memory_, std::move(key), path,
                                          options);
  }

  Result<std::shared_ptr<StagedFile>> OpenStaged(const std::string& path) override {
    LW_ASSIGN(std::string key, KeyOfFile(path));
    return std::make_shared<S3StagedFile>(client_, executor_, upload_memory_, std::move(key), path);
  }

  Status Publish(const std::string& token) override {
    LW_ASSIGN(const S3FinishedParts parts, PartsOf(token, bucket()));
    return client_->CompleteUpload(parts, /*if_absent=*/false);
  }

  Status Discard(const std::string& token) override {
    LW_ASSIGN(const S3FinishedParts parts, PartsOf(token, bucket()));
    return client_->AbortUpload(parts.key, parts.upload_id);
  }

  Result<std::shared_ptr<arrow::io::RandomAccessFile>> OpenInput(const std::string& path) override {
    LW_ASSIGN(const std::string key, KeyOfFile(path));
    return OpenS3Input(client_, executor_, key, path);
  }

  Result<std::string> ReadAll(const std::string& path) override {
    LW_ASSIGN(const std::string key, KeyOfFile(path));
    return client_->Get(key);
  }

  Result<FileInfo> Stat(const std::string& path) override {
    LW_ASSIGN(const std::string key, KeyOfFile(path));
    LW_ASSIGN(const S3ObjectInfo info, client_->Head(key));
    return FileInfo{path, info.size_bytes, info.modification_time_us};
  }

  Result<std::vector<FileInfo>> List(const std::string& path) override {
    return ListBelow(path, "", "");
  }

  Result<std::vector<FileInfo>> ListDirectly(const std::string& path,
                                             const std::string& start_after) override {
    std::string key_after;
    if (!start_after.empty()) {
      LW_ASSIGN(key_after, KeyOf(start_after));
    }
    return ListBelow(path, "/", key_after);
  }

  Status Remove(const std::string& path) override {
    LW_ASSIGN(const std::string key, KeyOfFile(path));
    return client_->Delete(key);
  }

  Status RemoveAll(const std::vector<std::string>& paths) override {
    std::vector<std::string> keys;
    for (const std::string& path : paths) {
      LW_ASSIGN(keys.emplace_back(), KeyOfFile(path));
    }
    return client_->DeleteMany(keys);
  }

  Result<int64_t> AbortPendingWrites(const std::string& path_prefix) override {
    LW_ASSIGN(const std::string prefix, KeyOf(path_prefix));
    LW_ASSIGN(const auto uploads, client_->ListUploads(prefix));
    int64_t count = 0;
    for (const S3PendingUpload& upload : uploads) {
      const std::string_view rest = std::string_view(upload.key).substr(prefix.size());
      const bool is_inside = prefix.empty() || rest.starts_with('/');
      const bool is_beside = rest.find('/') == std::string_view::npos;
      if (is_inside || is_beside) {
        LW_TRY(client_->AbortUpload(upload.key, upload.upload_id));
        ++count;
      }
    }
    return count;
  }

 private:
  const std::string& bucket() const { return client_->settings().bucket; }

  // The key of "bucket/a/b"; empty for the bucket itself.
  Result<std::string> KeyOf(const std::string& path) const {
    if (path == bucket()) {
      return std::string();
    }
    if (!path.starts_with(bucket() + "/")) {
      return MakeError(ErrorKind::kInternal,
                       fmt::format("'{}' does not lie in bucket '{}'", path, bucket()));
    }
    return path.substr(bucket().size() + 1);
  }

  Result<std::string> KeyOfFile(const std::string& path) const {
    LW_ASSIGN(std::string key, KeyOf(path));
    if (key.empty()) {
      return MakeError(ErrorKind::kNotFound,
                       fmt::format("s3://{} is a bucket, not a file", bucket()));
    }
    return key;
  }

  Result<std::vector<FileInfo>> ListBelow(const std::string& path, std::string_view delimiter,
                                          const std::string& key_after) {
    LW_ASSIGN(const std::string key, KeyOf(path));
    LW_ASSIGN(auto objects, client_->List(key.empty() ? "" : key + "/", delimiter, key_after));
    std::vector<FileInfo> files;
    files.reserve(objects.size());
    for (const S3ListedObject& object : objects) {
      files.push_back({fmt::format("{}/{}", bucket(), object.key), object.size_bytes,
                       object.modification_time_us});
    }
    return files;
  }

  const std::shared_ptr<S3Client> client_;
  const std::shared_ptr<S3UploadMemory> upload_memory_;
  // Declared last: its threads use the client.
  const std::shared_ptr<Executor> executor_;
};

// What a person checks first when something does not work.
std::string Summary(const S3Settings& settings) {
  return fmt::format(
      "bucket '{}': endpoint {}, region {}, path style {} ({}), keys from {}", settings.bucket,
      settings.endpoint.has_value()
          ? fmt::format("{} ({})", settings.endpoint->value.ToText(), settings.endpoint->origin)
          : std::string("Amazon's"),
      settings.region.value.empty()
          ? std::string("as the bucket says")
          : fmt::format("{} ({})", settings.region.value, settings.region.origin),
      settings.path_style.value ? "on" : "off", settings.path_style.origin,
      settings.credentials.keys.has_value() ? settings.credentials.keys->origin
                                            : std::string("outside of the configuration"));
}

}  // namespace

std::shared_ptr<FileSystem> MakeS3FileSystem(std::shared_ptr<S3Client> client) {
  return std::make_shared<S3FileSystem>(std::move(client));
}

S3FileSystems::S3FileSystems(Means means)
    : means_(std::move(means)), environment_(means_.make_surroundings(nullptr).environment) {}

std::shared_ptr<S3FileSystems> S3FileSystems::Real() {
  return std::make_shared<S3FileSystems>(Means{.make_http = net::MakeHttpClient,
                                               .make_surroundings = aws::RealSurroundings,
                                               .random = SystemRandom()});
}

namespace {

// The last place to look before the bucket is asked.
void TakeRegionOfProfile(const aws::Surroundings& surroundings, S3Settings* settings) {
  if (!settings->region.value.empty()) {
    return;
  }
  const std::string& given = settings->credentials.profile;
  const std::optional<std::string> region = aws::RegionOfProfile(surroundings, given);
  if (!region.has_value()) {
    return;
  }
  settings->region = {*region, fmt::format("region of the profile '{}' in {}",
                                           aws::ProfileName(surroundings, given),
                                           aws::FindProfilePaths(surroundings).config)};
  if (settings->credentials.sts_region.empty()) {
    settings->credentials.sts_region = *region;
  }
}

}  // namespace

Result<std::shared_ptr<FileSystem>> S3FileSystems::Get(const config::Configuration& configuration,
                                                       const std::string& bucket) {
  Result<S3Settings> resolved = ResolveS3Settings(configuration, bucket, environment_);
  MutexLock lock(&mutex_);
  const auto known = resolved.ok() ? made_.find(resolved->fingerprint) : made_.end();
  if (known != made_.end()) {
    return known->second;
  }
  // A misspelt name is often why the settings cannot be resolved.
  for (const std::string& notice : S3SettingNotices(configuration)) {
    if (told_.insert(notice).second) {
      Log(LogLevel::kWarn, "s3", notice);
    }
  }
  LW_ASSIGN(S3Settings settings, std::move(resolved));
  std::shared_ptr<net::HttpClient> http = means_.make_http(settings.http);
  const aws::Surroundings surroundings = means_.make_surroundings(http);
  TakeRegionOfProfile(surroundings, &settings);
  Log(LogLevel::kInfo, "s3", Summary(settings));
  LW_ASSIGN(auto credentials, aws::MakeCredentialChain(settings.credentials, surroundings));
  std::shared_ptr<FileSystem>& made = made_[settings.fingerprint];
  made = MakeS3FileSystem(std::make_shared<S3Client>(
      std::move(settings),
      S3Means{std::move(http), std::move(credentials), surroundings.clock, means_.random}));
  return made;
}

void RegisterS3(FileSystems* file_systems, std::shared_ptr<S3FileSystems> made) {
  file_systems->AddOptionPrefixes(S3OptionPrefixes());
  for (const char* scheme : {"s3", "s3a", "s3n", "s3p"}) {
    file_systems->Register(scheme,
                           [made](std::string_view bucket, const config::Configuration& settings) {
                             return made->Get(settings, std::string(bucket));
                           });
  }
}

}  // namespace lakeward::fs
