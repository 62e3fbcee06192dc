#include "lakeward/fs/s3/s3_model_testing.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "fmt/format.h"
#include "lakeward/aws/digest.h"
#include "lakeward/aws/request_signing.h"
#include "lakeward/aws/timestamps.h"
#include "lakeward/aws/xml.h"
#include "lakeward/base/random.h"
#include "lakeward/net/url.h"

namespace lakeward::fs {
namespace {

using net::HttpMethod;
using net::HttpOutcome;
using net::HttpRequest;

// "2015-08-30T12:36:00.000Z" of "20150830T123600Z".
std::string IsoTime(int64_t time_us) {
  const std::string basic = aws::ToBasicTimestamp(time_us);
  return fmt::format("{}-{}-{}T{}:{}:{}.000Z", basic.substr(0, 4), basic.substr(4, 2),
                     basic.substr(6, 2), basic.substr(9, 2), basic.substr(11, 2),
                     basic.substr(13, 2));
}

std::string HttpTime(int64_t time_us) {
  constexpr std::array<const char*, 12> kMonths{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  const std::string basic = aws::ToBasicTimestamp(time_us);
  return fmt::format("Mon, {} {} {} {}:{}:{} GMT", basic.substr(6, 2),
                     kMonths.at(static_cast<size_t>(std::stoi(basic.substr(4, 2))) - 1),
                     basic.substr(0, 4), basic.substr(9, 2), basic.substr(11, 2),
                     basic.substr(13, 2));
}

// As S3's encoding type "url" does it.
std::string EncodeName(std::string_view name) {
  std::string encoded = net::EncodePath(name);
  for (size_t place = 0; (place = encoded.find("%20", place)) != std::string::npos;) {
    encoded.replace(place, 3, "+");
  }
  return encoded;
}

std::string ETagOf(std::string_view bytes) {
  return fmt::format("\"{}\"", aws::Hex(aws::Md5(bytes)));
}

HttpOutcome Xml(std::string body) { return HttpOutcome::Of(200, std::move(body)); }

}  // namespace

struct S3Model::Call {
  const HttpRequest& request;
  std::string key;
  std::map<std::string, std::string> query;

  std::string Get(const std::string& name) const {
    const auto found = query.find(name);
    return found == query.end() ? "" : found->second;
  }
};

HttpOutcome S3ErrorAnswer(int status, const std::string& code, const std::string& more,
                          net::HttpHeaders headers) {
  return HttpOutcome::Of(
      status,
      fmt::format("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Error><Code>{}</Code>"
                  "<Message>said {}</Message>{}<RequestId>R1</RequestId></Error>",
                  code, code, more),
      std::move(headers));
}

S3Model::S3Model(std::string bucket, Clock* clock) : bucket_(std::move(bucket)), clock_(clock) {}

HttpOutcome S3Model::Handle(const HttpRequest& request) {
  const Serve serve = [this](const HttpRequest& passed) { return ServeIt(passed); };
  {
    MutexLock lock(&mutex_);
    const net::Url url = *net::ParseUrl(request.url);
    seen_.push_back(fmt::format("{} {}{}{}", ToText(request.method), url.path,
                                url.query.empty() ? "" : "?", url.query));
  }
  return interceptor ? interceptor(request, serve) : serve(request);
}

HttpOutcome S3Model::ServeIt(const HttpRequest& request) {
  const net::Url url = *net::ParseUrl(request.url);
  const std::string authorization = request.headers.Get("Authorization");
  if (authorization.empty()) {
    return S3ErrorAnswer(403, "AccessDenied");
  }
  const std::string hash = request.headers.Get("x-amz-content-sha256");
  if (hash != aws::PayloadHash(request.body) && !(url.is_tls() && hash == aws::kUnsignedPayload)) {
    return S3ErrorAnswer(400, "XAmzContentSHA256Mismatch");
  }
  Call call{request, "", {}};
  std::string_view query = url.query;
  while (!query.empty()) {
    const std::string_view part = query.substr(0, query.find('&'));
    query.remove_prefix(std::min(query.size(), part.size() + 1));
    const size_t equals = std::min(part.size(), part.find('='));
    call.query[net::DecodeComponent(part.substr(0, equals))] =
        net::DecodeComponent(part.substr(std::min(part.size(), equals + 1)));
  }
  const std::string path = net::DecodeComponent(url.path);
  if (path != "/" + bucket_ && !path.starts_with("/" + bucket_ + "/")) {
    return S3ErrorAnswer(404, "NoSuchBucket");
  }
  call.key = path.size() > bucket_.size() + 2 ? path.substr(bucket_.size() + 2) : "";
  MutexLock lock(&mutex_);
  if (call.key.empty()) {
    return call.query.contains("delete")    ? DeleteMany(call)
           : call.query.contains("uploads") ? ListUploads(call)
                                            : List(call);
  }
  return call.query.contains("uploads") || call.query.contains("uploadId") ? ServeUpload(call)
                                                                           : ServeObject(call);
}

std::optional<HttpOutcome> S3Model::Condition(const Call& call) {
  if (call.request.headers.Find("If-None-Match") == nullptr || ignores_conditions) {
    return std::nullopt;
  }
  if (!knows_conditions) {
    return S3ErrorAnswer(501, "NotImplemented");
  }
  return objects_.contains(call.key) ? std::optional(S3ErrorAnswer(412, "PreconditionFailed"))
                                     : std::nullopt;
}

HttpOutcome S3Model::ServeObject(const Call& call) {
  const auto found = objects_.find(call.key);
  switch (call.request.method) {
    case HttpMethod::kPut: {
      if (auto refused = Condition(call); refused.has_value()) {
        return *std::move(refused);
      }
      Object& object = objects_[call.key];
      object.bytes = call.request.body;
      object.etag = ETagOf(object.bytes);
      object.writer_id = call.request.headers.Get(kS3WriterField);
      object.modification_time_us = clock_->NowMicros();
      return HttpOutcome::Of(200, "", {{"ETag", object.etag}});
    }
    case HttpMethod::kDelete:
      objects_.erase(call.key);
      return HttpOutcome::Of(204);
    case HttpMethod::kGet:
    case HttpMethod::kHead:
      return found == objects_.end() ? S3ErrorAnswer(404, "NoSuchKey")
                                     : GetObject(call, found->second);
    case HttpMethod::kPost:
      break;
  }
  return S3ErrorAnswer(405, "MethodNotAllowed");
}

HttpOutcome S3Model::GetObject(const Call& call, const Object& object) {
  const std::string wanted = call.request.headers.Get("If-Match");
  if (!wanted.empty() && wanted != object.etag) {
    return S3ErrorAnswer(412, "PreconditionFailed");
  }
  net::HttpHeaders headers{{"ETag", object.etag},
                           {"Last-Modified", HttpTime(object.modification_time_us)}};
  if (!object.writer_id.empty()) {
    headers.Add(kS3WriterField, object.writer_id);
  }
  std::string bytes = object.bytes;
  const std::string range = call.request.headers.Get("Range");
  int status = 200;
  if (!range.empty()) {
    const size_t first = std::stoul(range.substr(6));
    const size_t last = std::stoul(range.substr(range.find('-') + 1));
    if (first >= bytes.size()) {
      return S3ErrorAnswer(416, "InvalidRange");
    }
    headers.Add("Content-Range", fmt::format("bytes {}-{}/{}", first,
                                             std::min(last, bytes.size() - 1), bytes.size()));
    bytes = bytes.substr(first, last - first + 1);
    status = 206;
  }
  headers.Add("Content-Length", std::to_string(bytes.size()));
  return HttpOutcome::Of(status, std::move(bytes), std::move(headers));
}

HttpOutcome S3Model::ServeUpload(const Call& call) {
  if (call.query.contains("uploads")) {
    const std::string id = fmt::format("upload {}", ++upload_count_);
    uploads_[id] = {call.key, call.request.headers.Get(kS3WriterField), {}};
    return Xml(
        fmt::format("<InitiateMultipartUploadResult><UploadId>{}</UploadId>"
                    "</InitiateMultipartUploadResult>",
                    id));
  }
  const auto found = uploads_.find(call.Get("uploadId"));
  if (found == uploads_.end() || found->second.key != call.key) {
    return S3ErrorAnswer(404, "NoSuchUpload");
  }
  if (call.request.method == HttpMethod::kPut) {
    found->second.parts[std::stoi(call.Get("partNumber"))] = call.request.body;
    return HttpOutcome::Of(200, "", {{"ETag", ETagOf(call.request.body)}});
  }
  if (call.request.method == HttpMethod::kDelete) {
    uploads_.erase(found);
    return HttpOutcome::Of(204);
  }
  HttpOutcome outcome = Complete(call, found->second);
  if (outcome.response.is_success()) {
    uploads_.erase(found);
  }
  return outcome;
}

HttpOutcome S3Model::Complete(const Call& call, const Upload& upload) {
  if (auto refused = Condition(call); refused.has_value()) {
    return *std::move(refused);
  }
  const Result<aws::XmlElement> body = aws::ParseXml(call.request.body);
  std::string bytes;
  size_t count = 0;
  for (const aws::XmlElement& part : body->children) {
    const auto found = upload.parts.find(std::stoi(std::string(part.TextOf("PartNumber"))));
    if (found == upload.parts.end() || ETagOf(found->second) != part.TextOf("ETag")) {
      return S3ErrorAnswer(400, "InvalidPart");
    }
    bytes += found->second;
    ++count;
  }
  Object& object = objects_[call.key];
  object.etag = fmt::format("\"{}-{}\"", aws::Hex(aws::Md5(bytes)), count);
  object.bytes = std::move(bytes);
  object.writer_id = upload.writer_id;
  object.modification_time_us = clock_->NowMicros();
  return Xml("<CompleteMultipartUploadResult/>");
}

HttpOutcome S3Model::List(const Call& call) {
  const std::string prefix = call.Get("prefix");
  const std::string delimiter = call.Get("delimiter");
  const std::string token = call.Get("continuation-token");
  const std::string after = token.empty() ? call.Get("start-after") : token.substr(6);
  const int64_t keys_max = std::min<int64_t>(page_keys_max, std::stoll(call.Get("max-keys")));
  std::string contents;
  std::set<std::string> prefixes;
  std::string last;
  int64_t count = 0;
  bool is_truncated = false;
  for (auto entry = objects_.upper_bound(after); entry != objects_.end(); ++entry) {
    const std::string& key = entry->first;
    if (!key.starts_with(prefix)) {
      continue;
    }
    const size_t end = delimiter.empty() ? std::string::npos : key.find(delimiter, prefix.size());
    const std::string common = end == std::string::npos ? "" : key.substr(0, end + 1);
    if (!common.empty() && (prefixes.contains(common) || after.starts_with(common))) {
      last = key;
      continue;
    }
    if (count == keys_max) {
      is_truncated = true;
      break;
    }
    ++count;
    last = key;
    if (!common.empty()) {
      prefixes.insert(common);
    } else {
      contents += fmt::format(
          "<Contents><Key>{}</Key><LastModified>{}</LastModified><Size>{}</Size></Contents>",
          EncodeName(key), IsoTime(entry->second.modification_time_us), entry->second.bytes.size());
    }
  }
  for (const std::string& common : prefixes) {
    contents +=
        fmt::format("<CommonPrefixes><Prefix>{}</Prefix></CommonPrefixes>", EncodeName(common));
  }
  return Xml(fmt::format(
      "<ListBucketResult xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\"><EncodingType>url"
      "</EncodingType><IsTruncated>{}</IsTruncated>{}{}</ListBucketResult>",
      is_truncated,
      is_truncated ? fmt::format("<NextContinuationToken>after {}</NextContinuationToken>",
                                 aws::EscapeXml(last))
                   : "",
      contents));
}

HttpOutcome S3Model::ListUploads(const Call& call) {
  std::string entries;
  for (const auto& [id, upload] : uploads_) {
    if (upload.key.starts_with(call.Get("prefix"))) {
      entries += fmt::format("<Upload><Key>{}</Key><UploadId>{}</UploadId></Upload>",
                             EncodeName(upload.key), id);
    }
  }
  return Xml(
      fmt::format("<ListMultipartUploadsResult><EncodingType>url</EncodingType><IsTruncated>"
                  "false</IsTruncated>{}</ListMultipartUploadsResult>",
                  entries));
}

HttpOutcome S3Model::DeleteMany(const Call& call) {
  if (call.request.headers.Get("Content-MD5") != aws::Base64(aws::Md5(call.request.body))) {
    return S3ErrorAnswer(400, "BadDigest");
  }
  const Result<aws::XmlElement> body = aws::ParseXml(call.request.body);
  for (const aws::XmlElement& object : body->children) {
    if (object.name == "Object") {
      objects_.erase(std::string(object.TextOf("Key")));
    }
  }
  return Xml("<DeleteResult/>");
}

std::vector<std::string> S3Model::Seen() {
  MutexLock lock(&mutex_);
  return seen_;
}

int S3Model::SeenCount(const std::string& beginning) {
  MutexLock lock(&mutex_);
  return static_cast<int>(
      std::count_if(seen_.begin(), seen_.end(),
                    [&](const std::string& request) { return request.starts_with(beginning); }));
}

std::vector<std::string> S3Model::Keys() {
  MutexLock lock(&mutex_);
  std::vector<std::string> keys;
  for (const auto& [key, object] : objects_) {
    keys.push_back(key);
  }
  return keys;
}

size_t S3Model::UploadCount() {
  MutexLock lock(&mutex_);
  return uploads_.size();
}

void S3Model::PutObject(const std::string& key, const std::string& bytes) {
  MutexLock lock(&mutex_);
  objects_[key] = {bytes, ETagOf(bytes), "", clock_->NowMicros()};
}

S3Settings ModelSettings(const std::string& bucket) {
  S3Settings settings;
  settings.bucket = bucket;
  settings.endpoint = {*net::ParseUrl("http://store.test"), "config.yaml line 1"};
  settings.is_tls = false;
  settings.path_style = {true, "the default"};
  settings.transfer.part_bytes = 1 << 20;
  settings.transfer.thread_count = 4;
  return settings;
}

std::shared_ptr<aws::CredentialSource> ModelCredentials() {
  aws::Credentials keys;
  keys.access_key_id = "me";
  keys.secret_access_key = Secret("hush");
  keys.origin = "config.yaml line 2";
  std::vector<std::unique_ptr<aws::CredentialProvider>> providers;
  providers.push_back(aws::MakeConfigurationProvider("configuration", std::move(keys), ""));
  return aws::MakeProviderChain(std::move(providers), SystemClock());
}

std::shared_ptr<S3Client> MakeModelClient(S3Model* model, S3Settings settings, Clock* clock,
                                          std::shared_ptr<aws::CredentialSource> credentials) {
  S3Means means;
  means.http = std::make_shared<net::MemoryHttpClient>(
      [model](const HttpRequest& request) { return model->Handle(request); });
  means.credentials = credentials == nullptr ? ModelCredentials() : std::move(credentials);
  means.clock = clock;
  means.random = SystemRandom();
  return std::make_shared<S3Client>(std::move(settings), std::move(means));
}

}  // namespace lakeward::fs
