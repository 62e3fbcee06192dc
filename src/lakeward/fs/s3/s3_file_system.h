#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "lakeward/aws/surroundings.h"
#include "lakeward/base/mutex.h"
#include "lakeward/base/random.h"
#include "lakeward/config/configuration.h"
#include "lakeward/fs/file_systems.h"
#include "lakeward/fs/s3/s3_client.h"

namespace lakeward::fs {

/// The objects of one bucket as files; paths begin with the bucket's name ("bucket/t/a.parquet").
/// Small files are sent by one request, larger ones in parts; a staged file is an upload that only
/// Publish completes, so nothing is visible before. Pending writes are multipart uploads.
std::shared_ptr<FileSystem> MakeS3FileSystem(std::shared_ptr<S3Client> client);

/// The file systems of all buckets of this program, made on first use and kept for each bucket and
/// settings, so that connections, credentials and what was learnt of a bucket are shared.
/// Thread-safe.
class S3FileSystems {
 public:
  /// How a client gets its HTTP and its surroundings; tests replace them.
  struct Means {
    std::function<std::shared_ptr<net::HttpClient>(const net::HttpClientOptions&)> make_http;
    std::function<aws::Surroundings(std::shared_ptr<net::HttpClient>)> make_surroundings;
    Random* random = nullptr;
  };

  explicit S3FileSystems(Means means);
  /// With this machine's network and environment.
  static std::shared_ptr<S3FileSystems> Real();

  /// kConfig when the settings of the bucket are wrong; no request is made yet. What a setting's
  /// name promises but nothing keeps is logged, each once (S3SettingNotices).
  Result<std::shared_ptr<FileSystem>> Get(const config::Configuration& configuration,
                                          const std::string& bucket);

 private:
  const Means means_;
  const std::function<std::optional<std::string>(const std::string&)> environment_;
  Mutex mutex_;
  std::map<std::string, std::shared_ptr<FileSystem>> made_;  // by fingerprint of settings
  std::set<std::string> told_;                               // notices
};

/// Registers s3://, s3a://, s3n:// and s3p://, which all mean the same, and the prefixes of their
/// options.
void RegisterS3(FileSystems* file_systems, std::shared_ptr<S3FileSystems> made);

}  // namespace lakeward::fs
