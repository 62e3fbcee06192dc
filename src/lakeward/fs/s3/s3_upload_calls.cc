#include <utility>

#include "fmt/format.h"
#include "lakeward/aws/xml.h"
#include "lakeward/fs/s3/s3_client.h"

namespace lakeward::fs {
Result<std::string> S3Client::CreateUpload(const std::string& key, const std::string& writer_id) {
  S3Request request;
  request.method = net::HttpMethod::kPost;
  request.doing = "begin an upload to";
  request.key = key;
  request.query = {{"uploads", ""}};
  request.headers = {{kS3WriterField, writer_id}};
  request.makes_object = true;
  request.may_carry_error = true;
  LW_ASSIGN(const S3Answer answer, sender_.Send(request));
  LW_ASSIGN(const aws::XmlElement root, aws::ParseXml(answer.response.body));
  std::string upload_id(root.TextOf("UploadId"));
  if (upload_id.empty()) {
    return MakeError(ErrorKind::kIo, fmt::format("Cannot begin an upload to s3://{}/{}: the answer "
                                                 "holds no upload id",
                                                 settings().bucket, key));
  }
  if (answer.may_have_been_done_before) {
    LW_ASSIGN(const auto uploads, ListUploads(key));
    for (const S3PendingUpload& upload : uploads) {
      if (upload.key == key && upload.upload_id != upload_id) {
        LW_TRY(AbortUpload(key, upload.upload_id));
      }
    }
  }
  return upload_id;
}

Result<std::string> S3Client::UploadPart(const std::string& key, const std::string& upload_id,
                                         int number, std::string_view bytes) {
  S3Request request;
  request.method = net::HttpMethod::kPut;
  request.doing = fmt::format("upload part {} of", number);
  request.key = key;
  request.query = {{"partNumber", std::to_string(number)}, {"uploadId", upload_id}};
  request.body = bytes;
  request.moves_bytes = true;
  LW_ASSIGN(const S3Answer answer, sender_.Send(request));
  std::string etag = answer.response.headers.Get("ETag");
  if (etag.empty()) {
    return MakeError(ErrorKind::kIo,
                     fmt::format("Cannot upload part {} of s3://{}/{}: the answer holds no ETag",
                                 number, settings().bucket, key));
  }
  return etag;
}

Status S3Client::CompleteUpload(const S3FinishedParts& parts, bool if_absent) {
  if (if_absent) {
    // Not every store minds the condition here; those that do settle the race.
    const Result<S3ObjectInfo> existing = Head(parts.key);
    if (existing.ok() && existing->writer_id != parts.writer_id) {
      return MakeError(ErrorKind::kAlreadyExists,
                       fmt::format("s3://{}/{} already exists", settings().bucket, parts.key));
    }
  }
  std::string body = "<CompleteMultipartUpload xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">";
  for (size_t i = 0; i < parts.etags.size(); ++i) {
    body += fmt::format("<Part><PartNumber>{}</PartNumber><ETag>{}</ETag></Part>", i + 1,
                        aws::EscapeXml(parts.etags[i]));
  }
  body += "</CompleteMultipartUpload>";
  S3Request request;
  request.method = net::HttpMethod::kPost;
  request.doing = "finish the upload to";
  request.key = parts.key;
  request.query = {{"uploadId", parts.upload_id}};
  request.headers = {{"Content-Type", "application/xml"}};
  if (if_absent) {
    request.headers.Set("If-None-Match", "*");
    request.retries_conflicts = true;
  }
  request.body = body;
  request.may_carry_error = true;
  request.expected = {404, 412};
  LW_ASSIGN(const S3Answer answer, sender_.Send(request));
  const Status made = CheckMade(parts);
  if (answer.response.status_code == 412 && KindOf(made) == ErrorKind::kNotFound) {
    return MakeError(ErrorKind::kAlreadyExists,
                     fmt::format("s3://{}/{} already exists", settings().bucket, parts.key));
  }
  return made;
}

// Whether the object that is there is the one that the upload makes.
Status S3Client::CheckMade(const S3FinishedParts& parts) {
  const Result<S3ObjectInfo> info = Head(parts.key);
  const std::string uri = fmt::format("s3://{}/{}", settings().bucket, parts.key);
  if (!info.ok()) {
    return KindOf(info.status()) == ErrorKind::kNotFound
               ? MakeError(ErrorKind::kNotFound,
                           fmt::format("The upload to {} is gone: it was given up", uri))
               : info.status();
  }
  // Stores that keep no fields of ours are believed by size and form of the ETag.
  const std::string ending = fmt::format("-{}\"", parts.etags.size());
  const bool is_ours = info->writer_id == parts.writer_id ||
                       (info->writer_id.empty() && info->size_bytes == parts.size_bytes &&
                        info->etag.ends_with(ending));
  if (!is_ours) {
    return MakeError(ErrorKind::kNotFound,
                     fmt::format("The upload to {} is gone, and another file is there", uri));
  }
  if (info->size_bytes != parts.size_bytes) {
    return MakeError(ErrorKind::kIo,
                     fmt::format("{} has {} bytes in the store where {} were uploaded", uri,
                                 info->size_bytes, parts.size_bytes));
  }
  return Status::OK();
}

Status S3Client::AbortUpload(const std::string& key, const std::string& upload_id) {
  S3Request request;
  request.method = net::HttpMethod::kDelete;
  request.doing = "give up an upload to";
  request.key = key;
  request.query = {{"uploadId", upload_id}};
  request.expected = {404};
  return sender_.Send(request).status();
}

}  // namespace lakeward::fs
