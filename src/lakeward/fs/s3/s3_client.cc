#include "lakeward/fs/s3/s3_client.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <utility>

#include "fmt/format.h"
#include "lakeward/aws/digest.h"
#include "lakeward/aws/timestamps.h"
#include "lakeward/aws/xml.h"
#include "lakeward/base/ids.h"
#include "lakeward/base/log.h"

namespace lakeward::fs {
namespace {

constexpr size_t kDeletedKeysMax = 1'000;

std::optional<int64_t> ParseCount(std::string_view text) {
  int64_t count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  return error == std::errc() && end == text.data() + text.size() && count >= 0
             ? std::optional(count)
             : std::nullopt;
}

S3ObjectInfo InfoOf(const net::HttpHeaders& headers) {
  S3ObjectInfo info;
  info.size_bytes = ParseCount(headers.Get("Content-Length")).value_or(0);
  info.modification_time_us = aws::ParseHttpDate(headers.Get("Last-Modified")).value_or(0);
  info.etag = headers.Get("ETag");
  info.writer_id = headers.Get(kS3WriterField);
  return info;
}

// The whole size of "bytes 0-99/1234".
std::optional<int64_t> SizeOfContentRange(const std::string& text) {
  const size_t slash = text.rfind('/');
  return slash == std::string::npos ? std::nullopt
                                    : ParseCount(std::string_view(text).substr(slash + 1));
}

std::string UriOf(const S3Settings& settings, const std::string& key) {
  return fmt::format("s3://{}/{}", settings.bucket, key);
}

Status NotFound(const S3Settings& settings, const std::string& key) {
  return MakeError(ErrorKind::kNotFound, fmt::format("No file {}", UriOf(settings, key)));
}

Status AlreadyExists(const S3Settings& settings, const std::string& key) {
  return MakeError(ErrorKind::kAlreadyExists,
                   fmt::format("{} already exists", UriOf(settings, key)));
}

}  // namespace

S3Client::S3Client(S3Settings settings, S3Means means)
    : sender_(std::move(settings), means), random_(means.random) {}

std::string S3Client::NewWriterId() { return MakeUuid(random_); }

Result<S3ObjectInfo> S3Client::Head(const std::string& key) {
  S3Request request;
  request.method = net::HttpMethod::kHead;
  request.doing = "look at";
  request.key = key;
  request.moves_bytes = true;
  request.expected = {404};
  LW_ASSIGN(const S3Answer answer, sender_.Send(request));
  return answer.response.is_success() ? Result<S3ObjectInfo>(InfoOf(answer.response.headers))
                                      : NotFound(settings(), key);
}

Result<std::string> S3Client::Get(const std::string& key) {
  S3Request request;
  request.doing = "read";
  request.key = key;
  request.moves_bytes = true;
  request.expected = {404};
  LW_ASSIGN(S3Answer answer, sender_.Send(request));
  return answer.response.is_success() ? Result<std::string>(std::move(answer.response.body))
                                      : NotFound(settings(), key);
}

Result<S3Beginning> S3Client::GetBeginning(const std::string& key, int64_t length) {
  S3Request request;
  request.doing = "read";
  request.key = key;
  request.headers = {{"Range", fmt::format("bytes=0-{}", length - 1)}};
  request.moves_bytes = true;
  request.expected = {404, 416};
  LW_ASSIGN(S3Answer answer, sender_.Send(request));
  if (answer.response.status_code == 404) {
    return NotFound(settings(), key);
  }
  S3Beginning beginning;
  beginning.info = InfoOf(answer.response.headers);
  beginning.info.size_bytes = 0;  // 416: no byte can be asked for where there is none
  if (answer.response.is_success()) {
    beginning.bytes = std::move(answer.response.body);
    beginning.info.size_bytes = SizeOfContentRange(answer.response.headers.Get("Content-Range"))
                                    .value_or(std::ssize(beginning.bytes));
  }
  return beginning;
}

Status S3Client::GetRange(const std::string& key, const std::string& etag, int64_t offset,
                          int64_t length, char* target) {
  int64_t done = 0;
  S3Request request;
  request.doing = "read";
  request.key = key;
  request.moves_bytes = true;
  request.expected = {404, 412, 416};
  request.before_try = [&](net::HttpHeaders* headers) {
    headers->Set("Range", fmt::format("bytes={}-{}", offset + done, offset + length - 1));
    if (!etag.empty()) {
      headers->Set("If-Match", etag);
    }
  };
  request.body_sink = [&](std::string_view piece) {
    if (std::ssize(piece) > length - done) {
      return MakeError(ErrorKind::kUnsupported,
                       "the store sent more bytes than were asked for; it seems to ignore ranges");
    }
    std::memcpy(target + done, piece.data(), piece.size());
    done += std::ssize(piece);
    return Status::OK();
  };
  LW_ASSIGN(const S3Answer answer, sender_.Send(request));
  if (answer.response.is_success() && done == length) {
    return Status::OK();
  }
  return MakeError(ErrorKind::kIo,
                   answer.response.is_success()
                       ? fmt::format("Cannot read {}: {} bytes came where {} were expected",
                                     UriOf(settings(), key), done, length)
                       : fmt::format("Cannot read {}: the object was replaced or removed while it "
                                     "was being read (HTTP status {})",
                                     UriOf(settings(), key), answer.response.status_code));
}

Status S3Client::Put(const std::string& key, std::string_view bytes) {
  S3Request request;
  request.method = net::HttpMethod::kPut;
  request.doing = "write";
  request.key = key;
  request.body = bytes;
  request.makes_object = true;
  return sender_.Send(request).status();
}

Result<S3Answer> S3Client::SendPut(const std::string& key, std::string_view bytes,
                                   const std::string& writer_id) {
  S3Request request;
  request.method = net::HttpMethod::kPut;
  request.doing = "write";
  request.key = key;
  request.body = bytes;
  request.headers = {{"If-None-Match", "*"}, {kS3WriterField, writer_id}};
  request.makes_object = true;
  request.retries_conflicts = true;
  request.expected = {409, 412, 501};
  return sender_.Send(request);
}

Status S3Client::PutIfAbsent(const std::string& key, std::string_view bytes) {
  if (condition_ == Condition::kIgnored) {
    return PutWithoutCondition(key, bytes);
  }
  if (condition_ == Condition::kUnknown) {
    // Should the store ignore the condition, at least nothing older is overwritten to find out.
    const Result<S3ObjectInfo> existing = Head(key);
    if (existing.ok()) {
      return AlreadyExists(settings(), key);
    }
    if (KindOf(existing.status()) != ErrorKind::kNotFound) {
      return WithContext(existing.status(), "Cannot write " + UriOf(settings(), key));
    }
  }
  const std::string writer_id = NewWriterId();
  LW_ASSIGN(const S3Answer answer, SendPut(key, bytes, writer_id));
  if (answer.response.status_code == 412) {
    condition_ = Condition::kHonoured;
    return SettleAbsence(key, writer_id, answer);
  }
  if (answer.response.status_code == 501) {
    if (settings().allows_single_writer) {
      condition_ = Condition::kIgnored;
      return PutWithoutCondition(key, bytes);
    }
    return MakeError(ErrorKind::kUnsupported,
                     fmt::format("Cannot write {}: the store does not know 'If-None-Match', "
                                 "without which two writers overwrite each other's commits",
                                 UriOf(settings(), key)),
                     "Use a store or version that does, or, if only one job ever writes, set "
                     "'fs.s3a.single.writer' to true.");
  }
  return condition_ == Condition::kUnknown ? ProveCondition(key, bytes, writer_id) : Status::OK();
}

// A refusal after a try without answer may be the echo of our own success.
Status S3Client::SettleAbsence(const std::string& key, const std::string& writer_id,
                               const S3Answer& answer) {
  if (!answer.may_have_been_done_before) {
    return AlreadyExists(settings(), key);
  }
  LW_ASSIGN(const S3ObjectInfo info, Head(key));
  return info.writer_id == writer_id ? Status::OK() : AlreadyExists(settings(), key);
}

Status S3Client::ProveCondition(const std::string& key, std::string_view bytes,
                                const std::string& writer_id) {
  const Result<S3Answer> again = SendPut(key, bytes, writer_id);
  if (!again.ok()) {
    return Status::OK();  // the object is there; the next one proves it
  }
  if (!again->response.is_success()) {
    condition_ = Condition::kHonoured;
    return Status::OK();
  }
  if (settings().allows_single_writer) {
    condition_ = Condition::kIgnored;
    Log(LogLevel::kWarn, "s3",
        fmt::format("the store of bucket '{}' ignores If-None-Match; fs.s3a.single.writer allows "
                    "that, so a second writer would overwrite commits",
                    settings().bucket));
    return Status::OK();
  }
  const Status removed = Delete(key);
  return MakeError(
      ErrorKind::kUnsupported,
      fmt::format("Cannot write {}: the store ignores 'If-None-Match: *', without which two "
                  "writers overwrite each other's commits{}",
                  UriOf(settings(), key),
                  removed.ok() ? "" : "; the file that proved it could not be removed"),
      "Use a store or version that honours conditional writes, or, if only one job ever writes, "
      "set 'fs.s3a.single.writer' to true.");
}

Status S3Client::PutWithoutCondition(const std::string& key, std::string_view bytes) {
  const Result<S3ObjectInfo> existing = Head(key);
  if (existing.ok()) {
    return AlreadyExists(settings(), key);
  }
  return KindOf(existing.status()) == ErrorKind::kNotFound ? Put(key, bytes) : existing.status();
}

Status S3Client::Delete(const std::string& key) {
  S3Request request;
  request.method = net::HttpMethod::kDelete;
  request.doing = "remove";
  request.key = key;
  request.expected = {404};
  return sender_.Send(request).status();
}

Status S3Client::DeleteMany(const std::vector<std::string>& keys) {
  if (!settings().transfer.deletes_many) {
    for (const std::string& key : keys) {
      LW_TRY(Delete(key));
    }
    return Status::OK();
  }
  for (size_t start = 0; start < keys.size(); start += kDeletedKeysMax) {
    std::string body =
        "<Delete xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\"><Quiet>true"
        "</Quiet>";
    for (size_t i = start; i < std::min(keys.size(), start + kDeletedKeysMax); ++i) {
      body += fmt::format("<Object><Key>{}</Key></Object>", aws::EscapeXml(keys[i]));
    }
    body += "</Delete>";
    S3Request request;
    request.method = net::HttpMethod::kPost;
    request.doing = "remove files from";
    request.query = {{"delete", ""}};
    request.headers = {{"Content-Type", "application/xml"},
                       {"Content-MD5", aws::Base64(aws::Md5(body))}};
    request.body = body;
    request.may_carry_error = true;
    LW_ASSIGN(const S3Answer answer, sender_.Send(request));
    LW_ASSIGN(const aws::XmlElement result, aws::ParseXml(answer.response.body));
    for (const aws::XmlElement& child : result.children) {
      if (child.name == "Error" && child.TextOf("Code") != "NoSuchKey") {
        return MakeError(
            child.TextOf("Code") == "AccessDenied" ? ErrorKind::kPermission : ErrorKind::kIo,
            fmt::format("Cannot remove {}: {}: {}",
                        UriOf(settings(), std::string(child.TextOf("Key"))), child.TextOf("Code"),
                        child.TextOf("Message")));
      }
    }
  }
  return Status::OK();
}

}  // namespace lakeward::fs
