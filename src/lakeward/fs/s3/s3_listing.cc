#include <algorithm>
#include <charconv>
#include <utility>

#include "fmt/format.h"
#include "lakeward/aws/timestamps.h"
#include "lakeward/aws/xml.h"
#include "lakeward/fs/s3/s3_client.h"
#include "lakeward/fs/s3/s3_error.h"
#include "lakeward/net/url.h"

namespace lakeward::fs {
namespace {

// As the encoding type "url" writes names: percent-encoded, blanks as '+'.
std::string DecodeName(std::string_view text, bool is_encoded) {
  if (!is_encoded) {
    return std::string(text);
  }
  std::string blanks(text);
  std::replace(blanks.begin(), blanks.end(), '+', ' ');
  return net::DecodeComponent(blanks);
}

// One page of a listing of objects.
struct Page {
  std::vector<S3ListedObject> objects;
  std::string last_name;   // greatest key or common prefix; empty: none
  std::string next_token;  // empty: none
  bool is_truncated = false;
};

Result<Page> ParsePage(const S3Answer& answer, const S3Request& request,
                       const std::string& bucket) {
  const Result<aws::XmlElement> root = aws::ParseXml(answer.response.body);
  if (!root.ok() || root->name != "ListBucketResult") {
    return MakeError(
        ErrorKind::kConfig,
        fmt::format("{}: the answer is no listing of a bucket{}", CannotDo(request, bucket),
                    root.ok() ? fmt::format(" but <{}>", root->name) : ""));
  }
  const bool is_encoded = root->TextOf("EncodingType") == "url";
  Page page;
  page.is_truncated = root->TextOf("IsTruncated") == "true";
  page.next_token = root->TextOf("NextContinuationToken");
  for (const aws::XmlElement& child : root->children) {
    if (child.name == "Contents") {
      S3ListedObject& object = page.objects.emplace_back();
      object.key = DecodeName(child.TextOf("Key"), is_encoded);
      const std::string_view size = child.TextOf("Size");
      std::from_chars(size.data(), size.data() + size.size(), object.size_bytes);
      object.modification_time_us =
          aws::ParseIsoTimestamp(child.TextOf("LastModified")).value_or(0);
      page.last_name = std::max(page.last_name, object.key);
    } else if (child.name == "CommonPrefixes") {
      page.last_name = std::max(page.last_name, DecodeName(child.TextOf("Prefix"), is_encoded));
    }
  }
  return page;
}

}  // namespace

// Gateways get pages wrong in many ways: empty ones, a missing or repeated token, prefixes given
// twice. Going on needs either a new token or a name beyond the last one.
Result<std::vector<S3ListedObject>> S3Client::List(const std::string& prefix,
                                                   std::string_view delimiter,
                                                   const std::string& start_after) {
  std::vector<S3ListedObject> objects;
  std::string token;
  std::string after = start_after;
  std::string furthest = start_after;
  while (true) {
    S3Request request;
    request.doing = "list";
    request.query = {{"list-type", "2"},
                     {"encoding-type", "url"},
                     {"max-keys", std::to_string(settings().transfer.page_keys_max)},
                     {"prefix", prefix}};
    if (!delimiter.empty()) {
      request.query.emplace_back("delimiter", delimiter);
    }
    if (!token.empty()) {
      request.query.emplace_back("continuation-token", token);
    } else if (!after.empty()) {
      request.query.emplace_back("start-after", after);
    }
    LW_ASSIGN(const S3Answer answer, sender_.Send(request));
    Result<Page> page = ParsePage(answer, request, settings().bucket);
    if (!page.ok()) {
      return WithHint(page.status(),
                      settings().path_style.value
                          ? "Check 'fs.s3a.endpoint'."
                          : fmt::format("Path style is off ({}), so the request went to {}. Most "
                                        "stores want 'fs.s3a.path.style.access' set to true.",
                                        settings().path_style.origin, sender_.HostText()));
    }
    for (S3ListedObject& object : page->objects) {
      const bool is_below = object.key.starts_with(prefix) && object.key > start_after;
      const bool is_direct =
          delimiter.empty() || object.key.find(delimiter, prefix.size()) == std::string::npos;
      if (is_below && is_direct && !object.key.ends_with('/')) {
        objects.push_back(std::move(object));
      }
    }
    const bool is_further = page->last_name > furthest;
    furthest = std::max(furthest, page->last_name);
    if (!page->is_truncated) {
      break;
    }
    const bool has_new_token = !page->next_token.empty() && page->next_token != token;
    if (!has_new_token && !is_further) {
      return MakeError(ErrorKind::kIo,
                       fmt::format("{}: the store says that there is more after '{}' but does not "
                                   "give it",
                                   CannotDo(request, settings().bucket), furthest));
    }
    token = has_new_token ? page->next_token : "";
    after = furthest;
  }
  std::sort(objects.begin(), objects.end(),
            [](const auto& left, const auto& right) { return left.key < right.key; });
  objects.erase(
      std::unique(objects.begin(), objects.end(),
                  [](const auto& left, const auto& right) { return left.key == right.key; }),
      objects.end());
  return objects;
}

Result<std::vector<S3PendingUpload>> S3Client::ListUploads(const std::string& prefix) {
  std::vector<S3PendingUpload> uploads;
  std::string key_marker;
  std::string id_marker;
  while (true) {
    S3Request request;
    request.doing = "list the uploads to";
    request.query = {{"uploads", ""}, {"prefix", prefix}, {"encoding-type", "url"}};
    if (!key_marker.empty()) {
      request.query.emplace_back("key-marker", key_marker);
      request.query.emplace_back("upload-id-marker", id_marker);
    }
    LW_ASSIGN(const S3Answer answer, sender_.Send(request));
    LW_ASSIGN(const aws::XmlElement root, aws::ParseXml(answer.response.body));
    const bool is_encoded = root.TextOf("EncodingType") == "url";
    const size_t count_before = uploads.size();
    for (const aws::XmlElement& child : root.children) {
      if (child.name != "Upload") {
        continue;
      }
      S3PendingUpload upload{DecodeName(child.TextOf("Key"), is_encoded),
                             std::string(child.TextOf("UploadId"))};
      if (upload.key.starts_with(prefix)) {
        uploads.push_back(std::move(upload));
      }
    }
    std::string next_key = DecodeName(root.TextOf("NextKeyMarker"), is_encoded);
    std::string next_id(root.TextOf("NextUploadIdMarker"));
    const bool is_same = next_key == key_marker && next_id == id_marker;
    if (root.TextOf("IsTruncated") != "true" || is_same || next_key.empty()) {
      return uploads;
    }
    if (uploads.size() == count_before && next_key < key_marker) {
      return uploads;
    }
    key_marker = std::move(next_key);
    id_marker = std::move(next_id);
  }
}

}  // namespace lakeward::fs
