#include <curl/curl.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>
#include <vector>

#include "fmt/format.h"
#include "lakeward/base/clock.h"
#include "lakeward/base/mutex.h"
#include "lakeward/net/http_client.h"

namespace lakeward::net {
namespace {

constexpr long kTransferBufferBytes = 512 << 10;

// What one transfer has done so far; the callbacks' context.
struct Transfer {
  const HttpRequest* request = nullptr;
  CURL* handle = nullptr;
  HttpResponse response;
  Status caller_status;
  int64_t body_bytes_sent = 0;
  int64_t stall_timeout_us = 0;
  curl_off_t bytes_seen = 0;
  int64_t last_progress_us = 0;
  bool is_stalled = false;
  bool was_begun = false;
  bool was_lost = false;  // begun, and the connection ended without an answer
};

size_t OnHeader(char* data, size_t size, size_t count, void* context) {
  auto* transfer = static_cast<Transfer*>(context);
  std::string_view line(data, size * count);
  while (line.ends_with('\n') || line.ends_with('\r')) {
    line.remove_suffix(1);
  }
  if (line.starts_with("HTTP/")) {
    // A new answer: what a proxy or an interim answer said before does not count.
    transfer->response = {};
    return size * count;
  }
  const size_t colon = line.find(':');
  if (colon != std::string_view::npos) {
    std::string_view value = line.substr(colon + 1);
    while (value.starts_with(' ') || value.starts_with('\t')) {
      value.remove_prefix(1);
    }
    while (value.ends_with(' ') || value.ends_with('\t')) {
      value.remove_suffix(1);
    }
    transfer->response.headers.Add(std::string(line.substr(0, colon)), std::string(value));
  }
  return size * count;
}

size_t OnBody(char* data, size_t size, size_t count, void* context) {
  auto* transfer = static_cast<Transfer*>(context);
  const size_t length = size * count;
  long code = 0;
  curl_easy_getinfo(transfer->handle, CURLINFO_RESPONSE_CODE, &code);
  if (transfer->request->body_sink && code >= 200 && code < 300) {
    transfer->caller_status = transfer->request->body_sink(std::string_view(data, length));
    return transfer->caller_status.ok() ? length : length + 1;
  }
  transfer->response.body.append(data, length);
  return length;
}

size_t OnRead(char* target, size_t size, size_t count, void* context) {
  auto* transfer = static_cast<Transfer*>(context);
  const HttpRequest& request = *transfer->request;
  int64_t length = 0;
  if (request.body_reader) {
    const int64_t left = request.body_reader_bytes - transfer->body_bytes_sent;
    length = std::min(left, static_cast<int64_t>(size * count));
    if (length > 0) {
      Result<int64_t> read = request.body_reader(target, length);
      if (!read.ok()) {
        transfer->caller_status = read.status();
        return CURL_READFUNC_ABORT;
      }
      length = *read;
    }
  } else {
    const auto left =
        request.body.substr(static_cast<size_t>(transfer->body_bytes_sent), size * count);
    std::memcpy(target, left.data(), left.size());
    length = static_cast<int64_t>(left.size());
  }
  transfer->body_bytes_sent += length;
  return static_cast<size_t>(length);
}

// libcurl would send a body a second time by itself when a reused connection turns out dead. Only
// the caller knows whether that is harmless.
int OnSeek(void*, curl_off_t, int) { return CURL_SEEKFUNC_FAIL; }

// libcurl sends a request again by itself when a reused connection ends before the answer begins.
// The first may have been carried out; so the caller hears of it and decides.
int OnBeforeRequest(void* context, char*, char*, int, int) {
  auto* transfer = static_cast<Transfer*>(context);
  transfer->was_lost = std::exchange(transfer->was_begun, true);
  return transfer->was_lost ? CURL_PREREQFUNC_ABORT : CURL_PREREQFUNC_OK;
}

int OnProgress(void* context, curl_off_t, curl_off_t received, curl_off_t, curl_off_t sent) {
  auto* transfer = static_cast<Transfer*>(context);
  const int64_t now_us = SystemClock()->MonotonicMicros();
  if (received + sent != transfer->bytes_seen || transfer->last_progress_us == 0) {
    transfer->bytes_seen = received + sent;
    transfer->last_progress_us = now_us;
    return 0;
  }
  transfer->is_stalled = now_us - transfer->last_progress_us >= transfer->stall_timeout_us;
  return transfer->is_stalled ? 1 : 0;
}

HttpFailureKind KindOfConnectFailure(CURL* handle) {
  long number = 0;
  curl_easy_getinfo(handle, CURLINFO_OS_ERRNO, &number);
  return number == ECONNREFUSED ? HttpFailureKind::kRefused : HttpFailureKind::kUnreachable;
}

// Whether the request's first byte may have left.
bool HasSentRequest(CURL* handle) {
  curl_off_t pretransfer_us = 0;
  curl_easy_getinfo(handle, CURLINFO_PRETRANSFER_TIME_T, &pretransfer_us);
  return pretransfer_us > 0;
}

HttpFailureKind KindOfFailure(CURLcode code, const Transfer& transfer) {
  switch (code) {
    case CURLE_URL_MALFORMAT:
      return HttpFailureKind::kMalformedUrl;
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_RESOLVE_PROXY:
      return HttpFailureKind::kUnknownHost;
    case CURLE_COULDNT_CONNECT:
      return KindOfConnectFailure(transfer.handle);
    case CURLE_OPERATION_TIMEDOUT:
      return HasSentRequest(transfer.handle) ? HttpFailureKind::kTotalTimeout
                                             : HttpFailureKind::kConnectTimeout;
    case CURLE_SSL_CONNECT_ERROR:
      return HttpFailureKind::kTlsMismatch;
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CERTPROBLEM:
    case CURLE_SSL_ISSUER_ERROR:
      return HttpFailureKind::kUntrustedCertificate;
    case CURLE_SSL_CACERT_BADFILE:
      return HttpFailureKind::kBadCaFile;
    case CURLE_UNSUPPORTED_PROTOCOL:
    case CURLE_WEIRD_SERVER_REPLY:
      return HttpFailureKind::kNotHttp;
    case CURLE_GOT_NOTHING:
    case CURLE_SEND_ERROR:
    case CURLE_SEND_FAIL_REWIND:
      return HttpFailureKind::kReset;
    case CURLE_RECV_ERROR:
      return transfer.response.headers.begin() == transfer.response.headers.end()
                 ? HttpFailureKind::kReset
                 : HttpFailureKind::kCutBody;
    case CURLE_PARTIAL_FILE:
      return HttpFailureKind::kCutBody;
    case CURLE_ABORTED_BY_CALLBACK:
      if (transfer.was_lost) {
        return HttpFailureKind::kReset;
      }
      return transfer.is_stalled ? HttpFailureKind::kStalled : HttpFailureKind::kCaller;
    case CURLE_WRITE_ERROR:
      return HttpFailureKind::kCaller;
    default:
      return HttpFailureKind::kOther;
  }
}

// A list of header lines as libcurl wants it.
class HeaderList {
 public:
  ~HeaderList() { curl_slist_free_all(list_); }
  HeaderList() = default;
  HeaderList(const HeaderList&) = delete;
  HeaderList& operator=(const HeaderList&) = delete;

  void Add(const std::string& line) { list_ = curl_slist_append(list_, line.c_str()); }
  curl_slist* list() const { return list_; }

 private:
  curl_slist* list_ = nullptr;
};

// Easy handles that wait for their next request, the last used first. Each keeps its connections.
class HandlePool {
 public:
  explicit HandlePool(size_t idle_max) : idle_max_(idle_max) {}
  HandlePool(const HandlePool&) = delete;
  HandlePool& operator=(const HandlePool&) = delete;

  ~HandlePool() {
    for (CURL* handle : idle_) {
      curl_easy_cleanup(handle);
    }
  }

  CURL* Take() {
    {
      MutexLock lock(&mutex_);
      if (!idle_.empty()) {
        CURL* handle = idle_.back();
        idle_.pop_back();
        return handle;
      }
    }
    return curl_easy_init();
  }

  void GiveBack(CURL* handle) {
    // Keeps connections and sessions, forgets the request.
    curl_easy_reset(handle);
    {
      MutexLock lock(&mutex_);
      if (idle_.size() < idle_max_) {
        idle_.push_back(handle);
        return;
      }
    }
    curl_easy_cleanup(handle);
  }

 private:
  const size_t idle_max_;
  Mutex mutex_;
  std::vector<CURL*> idle_;
};

class CurlHttpClient final : public HttpClient {
 public:
  explicit CurlHttpClient(HttpClientOptions options)
      : options_(std::move(options)), pool_(static_cast<size_t>(options_.idle_connections_max)) {
    static const CURLcode initialised = curl_global_init(CURL_GLOBAL_DEFAULT);
    LW_CHECK(initialised == CURLE_OK);
  }

  HttpOutcome Send(const HttpRequest& request) override {
    CURL* handle = pool_.Take();
    if (handle == nullptr) {
      return HttpOutcome::OfFailure(HttpFailureKind::kOther, "out of memory");
    }
    HttpOutcome outcome = SendWith(handle, request);
    pool_.GiveBack(handle);
    return outcome;
  }

 private:
  HttpOutcome SendWith(CURL* handle, const HttpRequest& request) {
    Transfer transfer;
    transfer.request = &request;
    transfer.handle = handle;
    HeaderList headers;
    char error_text[CURL_ERROR_SIZE] = "";
    curl_easy_setopt(handle, CURLOPT_ERRORBUFFER, error_text);
    SetConnection(handle, request);
    SetRequest(handle, request, &headers);
    SetCallbacks(handle, request, &transfer);

    const CURLcode code = curl_easy_perform(handle);
    HttpOutcome outcome;
    if (code != CURLE_OK) {
      HttpFailure& failure = outcome.failure.emplace();
      failure.kind = KindOfFailure(code, transfer);
      failure.message = error_text[0] != '\0' ? error_text : curl_easy_strerror(code);
      if (transfer.is_stalled) {
        failure.message = fmt::format("not a byte came or went for {} s",
                                      static_cast<double>(transfer.stall_timeout_us) / 1e6);
      }
      if (transfer.was_lost) {
        failure.message = "the connection ended before the answer";
      }
      failure.maybe_processed = transfer.was_lost || HasSentRequest(handle);
      failure.caller_status = std::move(transfer.caller_status);
    }
    long status_code = 0;
    curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &status_code);
    outcome.response = std::move(transfer.response);
    outcome.response.status_code = static_cast<int>(status_code);
    return outcome;
  }

  void SetConnection(CURL* handle, const HttpRequest& request) const {
    const auto own_or = [](int64_t own, int64_t general) { return own > 0 ? own : general; };
    curl_easy_setopt(handle, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(handle, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(handle, CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_1_1));
    curl_easy_setopt(
        handle, CURLOPT_CONNECTTIMEOUT_MS,
        static_cast<long>(own_or(request.connect_timeout_ms, options_.connect_timeout_ms)));
    curl_easy_setopt(handle, CURLOPT_TIMEOUT_MS, static_cast<long>(request.total_timeout_ms));
    curl_easy_setopt(handle, CURLOPT_TCP_KEEPALIVE, 1L);
    curl_easy_setopt(handle, CURLOPT_MAXAGE_CONN,
                     static_cast<long>(std::max<int64_t>(1, options_.idle_connection_ms / 1'000)));
    curl_easy_setopt(handle, CURLOPT_BUFFERSIZE, kTransferBufferBytes);
    curl_easy_setopt(handle, CURLOPT_UPLOAD_BUFFERSIZE, kTransferBufferBytes);
    if (!options_.ca_file.empty()) {
      curl_easy_setopt(handle, CURLOPT_CAINFO, options_.ca_file.c_str());
      curl_easy_setopt(handle, CURLOPT_CAPATH, nullptr);
    }
    if (options_.proxy_url.has_value()) {
      curl_easy_setopt(handle, CURLOPT_PROXY, options_.proxy_url->c_str());
    }
    if (!options_.proxy_user_name.empty()) {
      curl_easy_setopt(handle, CURLOPT_PROXYUSERNAME, options_.proxy_user_name.c_str());
      curl_easy_setopt(handle, CURLOPT_PROXYPASSWORD, options_.proxy_password.Reveal().c_str());
    }
    curl_easy_setopt(handle, CURLOPT_USERAGENT, options_.user_agent.c_str());
  }

  static void SetRequest(CURL* handle, const HttpRequest& request, HeaderList* headers) {
    curl_easy_setopt(handle, CURLOPT_URL, request.url.c_str());
    curl_easy_setopt(handle, CURLOPT_PATH_AS_IS, 1L);
    const bool has_body = request.method == HttpMethod::kPut ||
                          request.method == HttpMethod::kPost || !request.body.empty() ||
                          request.body_reader;
    if (request.method == HttpMethod::kHead) {
      curl_easy_setopt(handle, CURLOPT_NOBODY, 1L);
    } else if (has_body) {
      const int64_t bytes =
          request.body_reader ? request.body_reader_bytes : std::ssize(request.body);
      curl_easy_setopt(handle, CURLOPT_UPLOAD, 1L);
      curl_easy_setopt(handle, CURLOPT_INFILESIZE_LARGE, static_cast<curl_off_t>(bytes));
    }
    if (request.method != HttpMethod::kHead) {
      curl_easy_setopt(handle, CURLOPT_CUSTOMREQUEST, ToText(request.method).data());
    }
    for (const auto& [name, value] : request.headers) {
      // "Name;" is how libcurl sends a field without a value.
      headers->Add(value.empty() ? name + ";" : fmt::format("{}: {}", name, value));
    }
    // An empty entry keeps libcurl from adding the field.
    headers->Add("Expect:");
    if (request.headers.Find("Accept") == nullptr) {
      headers->Add("Accept:");
    }
    curl_easy_setopt(handle, CURLOPT_HTTPHEADER, headers->list());
  }

  void SetCallbacks(CURL* handle, const HttpRequest& request, Transfer* transfer) const {
    curl_easy_setopt(handle, CURLOPT_HEADERFUNCTION, OnHeader);
    curl_easy_setopt(handle, CURLOPT_HEADERDATA, transfer);
    curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, OnBody);
    curl_easy_setopt(handle, CURLOPT_WRITEDATA, transfer);
    curl_easy_setopt(handle, CURLOPT_READFUNCTION, OnRead);
    curl_easy_setopt(handle, CURLOPT_READDATA, transfer);
    curl_easy_setopt(handle, CURLOPT_SEEKFUNCTION, OnSeek);
    curl_easy_setopt(handle, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
    curl_easy_setopt(handle, CURLOPT_PREREQFUNCTION, OnBeforeRequest);
    curl_easy_setopt(handle, CURLOPT_PREREQDATA, transfer);
    transfer->stall_timeout_us = 1'000 * (request.stall_timeout_ms > 0 ? request.stall_timeout_ms
                                                                       : options_.stall_timeout_ms);
    curl_easy_setopt(handle, CURLOPT_NOPROGRESS, 0L);
    curl_easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, OnProgress);
    curl_easy_setopt(handle, CURLOPT_XFERINFODATA, transfer);
  }

  const HttpClientOptions options_;
  HandlePool pool_;
};

}  // namespace

std::shared_ptr<HttpClient> MakeHttpClient(HttpClientOptions options) {
  return std::make_shared<CurlHttpClient>(std::move(options));
}

}  // namespace lakeward::net
