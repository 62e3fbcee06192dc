#include "lakeward/fs/s3/s3_sender.h"

#include <algorithm>
#include <cstddef>
#include <deque>
#include <utility>
#include <vector>

#include "fmt/format.h"
#include "lakeward/aws/request_signing.h"
#include "lakeward/aws/timestamps.h"
#include "lakeward/aws/xml.h"
#include "lakeward/base/log.h"
#include "lakeward/base/work_context.h"

namespace lakeward::fs {
namespace {

constexpr std::string_view kLogComponent = "s3";

constexpr int kSetupTriesMax = 2;
constexpr int64_t kSetupTimeUs = 3'000'000;
// A connection that breaks off is no sign of a wrong setting, but a hang at the start is told soon.
constexpr int kFirstConnectionTriesMax = 4;
constexpr int64_t kFirstConnectionTimeUs = 5'000'000;
// Of the tries of a request that failed, told with its error.
constexpr size_t kOwnLinesTold = 5;
constexpr int64_t kFirstStallTimeoutMs = 5'000;

constexpr int64_t kPauseMaxMs = 10'000;
// Requests may be a quarter of an hour off; less than this is no reason for a refusal.
constexpr int64_t kClockDifferenceMinUs = 240'000'000;

// Holds one of the requests that may be under way at once.
class Turn {
 public:
  Turn(Mutex* mutex, CondVar* free, int* under_way, int under_way_max)
      : mutex_(mutex), free_(free), under_way_(under_way) {
    MutexLock lock(mutex_);
    while (*under_way_ >= under_way_max) {
      free_->Wait(mutex_);
    }
    ++*under_way_;
  }
  ~Turn() {
    MutexLock lock(mutex_);
    --*under_way_;
    free_->NotifyOne();
  }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

 private:
  Mutex* mutex_;
  CondVar* free_;
  int* under_way_;
};

void AddAll(const net::HttpHeaders& from, net::HttpHeaders* to) {
  for (const auto& [name, value] : from) {
    to->Set(name, value);
  }
}

// "09:30:00.123Z"
std::string TimeOfDay(int64_t time_us) {
  const int64_t ms = time_us / 1'000 % 86'400'000;
  return fmt::format("{:02}:{:02}:{:02}.{:03}Z", ms / 3'600'000, ms / 60'000 % 60, ms / 1'000 % 60,
                     ms % 1'000);
}

// Whether a 2xx answer is in truth an error.
bool CarriesError(const S3Request& request, const net::HttpResponse& response) {
  if (!request.may_carry_error || !response.is_success()) {
    return false;
  }
  const Result<aws::XmlElement> root = aws::ParseXml(response.body);
  return root.ok() && root->name == "Error";
}

}  // namespace

// How far one request has come.
struct S3Sender::Progress {
  int64_t id = 0;
  int64_t start_us = 0;
  int tries = 0;
  std::string region;
  std::string other_url;  // where a redirect without a region leads
  bool has_followed = false;
  bool has_renewed = false;
  bool has_set_clock = false;
  bool may_have_been_done = false;
  int64_t sink_bytes = 0;         // that the request's sink has taken of this try
  std::deque<RequestLine> lines;  // of the last tries
};

S3Sender::S3Sender(S3Settings settings, S3Means means)
    : settings_(std::move(settings)),
      means_(std::move(means)),
      address_(settings_),
      region_(settings_.region.value.empty() ? kDefaultRegion : settings_.region.value) {}

std::string S3Sender::Region() {
  MutexLock lock(&mutex_);
  return region_;
}

std::string S3Sender::HostText() { return address_.HostText(Region()); }

Result<S3Answer> S3Sender::Send(const S3Request& request) {
  Progress progress;
  progress.id = ++request_count_;
  progress.start_us = means_.clock->MonotonicMicros();
  while (true) {
    Result<aws::Credentials> credentials = means_.credentials->Get();
    if (!credentials.ok()) {
      const Status error =
          WithContext(WithHint(credentials.status(),
                               "Set 'fs.s3a.access.key' and 'fs.s3a.secret.key', or "
                               "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY; for public buckets "
                               "set 'fs.s3a.aws.credentials.provider' to "
                               "AnonymousAWSCredentialsProvider."),
                      CannotDo(request, settings_.bucket));
      return has_contact_ ? WithLastRequests(error, progress) : error;
    }
    net::HttpOutcome outcome;
    bool was_first_contact = false;
    {
      const Turn turn(&mutex_, &turn_, &under_way_, settings_.transfer.requests_max);
      const net::HttpRequest prepared = Prepare(request, *credentials, &progress);
      was_first_contact = !has_contact_;
      const int64_t sent_us = means_.clock->MonotonicMicros();
      outcome = means_.http->Send(prepared);
      ++progress.tries;
      Record(request, outcome, means_.clock->MonotonicMicros() - sent_us, &progress);
    }
    const net::HttpResponse& response = outcome.response;
    const bool is_error = outcome.failure.has_value() || CarriesError(request, response);
    if (response.is_success()) {
      has_contact_ = true;
    }
    if (!is_error &&
        (response.is_success() || std::find(request.expected.begin(), request.expected.end(),
                                            response.status_code) != request.expected.end())) {
      S3Answer answer;
      answer.may_have_been_done_before = progress.may_have_been_done;
      answer.error = response.is_success() ? S3Error{} : ParseS3Error(response);
      answer.response = std::move(outcome.response);
      // A missing bucket is no missing object.
      if (answer.error.code != "NoSuchBucket" &&
          !(answer.response.status_code == 409 && request.retries_conflicts)) {
        return answer;
      }
      outcome.response = std::move(answer.response);
    }

    S3Failure failure;
    failure.request = &request;
    failure.outcome = &outcome;
    failure.error = outcome.failure.has_value() ? S3Error{} : ParseS3Error(outcome.response);
    failure.region = progress.region;
    failure.host = address_.HostText(progress.region);
    failure.credentials_origin = credentials->origin;
    failure.is_first_contact = was_first_contact && !has_contact_;
    failure.tries = progress.tries;
    const S3Trouble trouble = Judge(failure);
    progress.may_have_been_done |=
        (outcome.failure.has_value() && outcome.failure->maybe_processed) ||
        outcome.response.status_code >= 500 || outcome.response.is_success();
    if (!MayTryAgain(trouble, failure, *credentials, &progress)) {
      Status error = ErrorOf(failure, settings_);
      return failure.is_first_contact ? std::move(error) : WithLastRequests(error, progress);
    }
  }
}

net::HttpRequest S3Sender::Prepare(const S3Request& request, const aws::Credentials& credentials,
                                   Progress* progress) {
  progress->region = Region();
  net::HttpRequest prepared;
  prepared.method = request.method;
  prepared.url = progress->other_url.empty()
                     ? address_.UrlOf(progress->region, request.key, request.query)
                     : progress->other_url;
  prepared.headers = request.headers;
  AddAll(settings_.request_headers, &prepared.headers);
  if (request.makes_object) {
    AddAll(settings_.create_headers, &prepared.headers);
  }
  if (request.moves_bytes || request.makes_object) {
    AddAll(settings_.data_headers, &prepared.headers);
  }
  if (request.before_try) {
    request.before_try(&prepared.headers);
  }
  prepared.body = request.body;
  progress->sink_bytes = 0;
  if (request.body_sink) {
    prepared.body_sink = [&request, progress](std::string_view piece) {
      progress->sink_bytes += std::ssize(piece);
      return request.body_sink(piece);
    };
  }
  if (!has_contact_) {
    prepared.stall_timeout_ms = std::min(kFirstStallTimeoutMs, settings_.http.stall_timeout_ms);
  }
  aws::SignRequest(
      credentials, {progress->region, "s3", means_.clock->NowMicros() + clock_offset_us_},
      address_.is_tls() ? std::string(aws::kUnsignedPayload) : aws::PayloadHash(request.body),
      &prepared);
  return prepared;
}

bool S3Sender::MayTryAgain(S3Trouble trouble, const S3Failure& failure,
                           const aws::Credentials& credentials, Progress* progress) {
  const int64_t elapsed_us = means_.clock->MonotonicMicros() - progress->start_us;
  const bool has_tries_left = progress->tries < settings_.retries.attempts_max;
  const bool is_soon = progress->tries < kSetupTriesMax && elapsed_us < kSetupTimeUs;
  bool may_try = false;
  switch (trouble) {
    case S3Trouble::kSetup:
      may_try = has_tries_left && (!failure.is_first_contact || is_soon);
      break;
    case S3Trouble::kConnection:
      may_try = has_tries_left &&
                (!failure.is_first_contact || (progress->tries < kFirstConnectionTriesMax &&
                                               elapsed_us < kFirstConnectionTimeUs));
      break;
    case S3Trouble::kBusy:
      may_try = has_tries_left;
      break;
    case S3Trouble::kDenied:
      if (LearnClock(failure.outcome->response, progress)) {
        return true;
      }
      may_try = has_tries_left && is_soon;
      break;
    case S3Trouble::kExpired: {
      if (std::exchange(progress->has_renewed, true)) {
        return false;
      }
      means_.credentials->Reject(credentials);
      return true;
    }
    case S3Trouble::kClock:
      return LearnClock(failure.outcome->response, progress);
    case S3Trouble::kElsewhere:
      return FollowElsewhere(failure, progress);
    case S3Trouble::kFinal:
    case S3Trouble::kNone:
      return false;
  }
  if (may_try) {
    PauseBefore(progress->tries);
  }
  return may_try;
}

bool S3Sender::FollowElsewhere(const S3Failure& failure, Progress* progress) {
  if (std::exchange(progress->has_followed, true)) {
    return false;
  }
  const std::string& region = failure.error.region;
  if (!region.empty() && region != failure.region) {
    Log(LogLevel::kInfo, kLogComponent,
        fmt::format("bucket '{}' is in region '{}', not in '{}'", settings_.bucket, region,
                    failure.region));
    MutexLock lock(&mutex_);
    region_ = region;
    return true;
  }
  progress->other_url = failure.outcome->response.headers.Get("Location");
  return net::ParseUrl(progress->other_url).ok();
}

bool S3Sender::LearnClock(const net::HttpResponse& response, Progress* progress) {
  const auto theirs_us = aws::ParseHttpDate(response.headers.Get("Date"));
  if (progress->has_set_clock || !theirs_us.has_value()) {
    return false;
  }
  const int64_t offset_us = *theirs_us - means_.clock->NowMicros();
  const int64_t change_us = offset_us - clock_offset_us_;
  if (change_us < kClockDifferenceMinUs && change_us > -kClockDifferenceMinUs) {
    return false;
  }
  progress->has_set_clock = true;
  clock_offset_us_ = offset_us;
  Log(LogLevel::kWarn, kLogComponent,
      fmt::format("the clock of {} is {} s {} this machine's; requests are signed with the store's "
                  "time",
                  address_.HostText(progress->region),
                  (offset_us < 0 ? -offset_us : offset_us) / 1'000'000,
                  offset_us < 0 ? "behind" : "ahead of"));
  return true;
}

void S3Sender::PauseBefore(int next_try) {
  const int doublings = std::min(next_try - 1, 20);
  const int64_t longest_ms = std::min(kPauseMaxMs, settings_.retries.interval_ms << doublings);
  // Between half of it and all of it, so that many who failed together do not come back together.
  const int64_t half_us = longest_ms * 500;
  means_.clock->SleepForMicros(
      half_us + static_cast<int64_t>(means_.random->NextBelow(static_cast<uint64_t>(half_us) + 1)));
}

void S3Sender::Record(const S3Request& request, const net::HttpOutcome& outcome, int64_t elapsed_us,
                      Progress* progress) {
  std::string query;
  for (const auto& [name, value] : request.query) {
    query += fmt::format("{}{}={}", query.empty() ? "?" : "&", name, value);
  }
  const net::HttpResponse& response = outcome.response;
  const std::string* id = response.headers.Find("x-amz-request-id");
  RequestRecord record;
  record.place = settings_.bucket;
  record.line.time_us = means_.clock->NowMicros();
  record.line.text = fmt::format(
      "#{} {} s3://{}/{}{} try {}: {} in {} ms, {} bytes up, {} down{} {}", progress->id,
      ToText(request.method), settings_.bucket, request.key, query, progress->tries,
      outcome.failure.has_value() ? outcome.failure->message : std::to_string(response.status_code),
      elapsed_us / 1'000, request.body.size(),
      progress->sink_bytes + static_cast<int64_t>(response.body.size()),
      id == nullptr ? "" : ", request id " + *id, DescribeWork());
  Log(LogLevel::kTrace, kLogComponent, record.line.text);

  const bool is_reading =
      request.method == net::HttpMethod::kGet || request.method == net::HttpMethod::kHead;
  record.is_answered = !outcome.failure.has_value();
  record.may_have_begun =
      !is_reading && (record.is_answered ? response.is_success() || response.status_code >= 500
                                         : outcome.failure->maybe_processed);
  progress->lines.push_back(record.line);
  if (progress->lines.size() > kOwnLinesTold) {
    progress->lines.pop_front();
  }
  if (const auto work = CurrentWorkContext(); work->requests != nullptr) {
    work->requests->Add(std::move(record));
  }
}

// The last tries of the request itself are always among them, however much its job has asked for
// between them.
Status S3Sender::WithLastRequests(const Status& error, const Progress& progress) const {
  std::vector<RequestLine> lines;
  if (const auto work = CurrentWorkContext(); work->requests != nullptr) {
    lines = work->requests->LastLines();
  }
  std::erase_if(lines, [&progress](const RequestLine& line) {
    return std::any_of(progress.lines.begin(), progress.lines.end(),
                       [&line](const RequestLine& own) { return own.text == line.text; });
  });
  const size_t others_max = RequestJournal::kLinesMax - progress.lines.size();
  if (lines.size() > others_max) {
    lines.erase(lines.begin(), lines.end() - static_cast<std::ptrdiff_t>(others_max));
  }
  lines.insert(lines.end(), progress.lines.begin(), progress.lines.end());
  std::stable_sort(lines.begin(), lines.end(),
                   [](const RequestLine& left, const RequestLine& right) {
                     return left.time_us < right.time_us;
                   });
  std::string hint = HintOf(error);
  hint += hint.empty() ? "The last requests:" : "\nThe last requests:";
  for (const RequestLine& line : lines) {
    hint += fmt::format("\n  {} {}", TimeOfDay(line.time_us), line.text);
  }
  return WithHint(error, std::move(hint));
}

}  // namespace lakeward::fs
