#include "lakeward/net/loopback_server_testing.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <vector>

#include "fmt/format.h"
#include "lakeward/base/executor.h"
#include "lakeward/base/mutex.h"

namespace lakeward::net {
namespace {

// A socket that listens on 127.0.0.1, and its port.
std::pair<int, int> Listen() {
  const int descriptor = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof(address);
  auto* generic = reinterpret_cast<sockaddr*>(&address);
  if (descriptor < 0 || bind(descriptor, generic, length) != 0 || listen(descriptor, 64) != 0 ||
      getsockname(descriptor, generic, &length) != 0) {
    std::abort();
  }
  return {descriptor, ntohs(address.sin_port)};
}

int64_t ContentLength(std::string_view head) {
  std::string lower(head);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  const size_t place = lower.find("\r\ncontent-length:");
  return place == std::string::npos ? 0 : std::atoll(lower.c_str() + place + 17);
}

class SocketConnection final : public LoopbackConnection {
 public:
  SocketConnection(int descriptor, SSL* tls) : descriptor_(descriptor), tls_(tls) {}

  std::string ReadRequest() override {
    std::string bytes;
    size_t head_end = std::string::npos;
    while ((head_end = bytes.find("\r\n\r\n")) == std::string::npos) {
      const std::string more = ReadSome(64 << 10);
      if (more.empty()) {
        return "";
      }
      bytes += more;
    }
    const size_t whole =
        head_end + 4 + static_cast<size_t>(ContentLength(bytes.substr(0, head_end)));
    while (bytes.size() < whole) {
      const std::string more = ReadSome(whole - bytes.size());
      if (more.empty()) {
        return bytes;
      }
      bytes += more;
    }
    return bytes;
  }

  std::string ReadSome(size_t length) override {
    std::string bytes(length, '\0');
    const int64_t count = tls_ != nullptr ? SSL_read(tls_, bytes.data(), static_cast<int>(length))
                                          : recv(descriptor_, bytes.data(), length, 0);
    bytes.resize(static_cast<size_t>(std::max<int64_t>(0, count)));
    return bytes;
  }

  void Send(std::string_view bytes) override {
    while (!bytes.empty()) {
      const int64_t count = tls_ != nullptr
                                ? SSL_write(tls_, bytes.data(), static_cast<int>(bytes.size()))
                                : send(descriptor_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (count <= 0) {
        return;
      }
      bytes.remove_prefix(static_cast<size_t>(count));
    }
  }

  void Reset() override {
    const linger no_linger{1, 0};
    setsockopt(descriptor_, SOL_SOCKET, SO_LINGER, &no_linger, sizeof(no_linger));
  }

  void AwaitClose() override {
    while (!ReadSome(4'096).empty()) {
    }
  }

 private:
  const int descriptor_;
  SSL* const tls_;
};

}  // namespace

struct LoopbackServer::State {
  Serve serve;
  int listener = -1;
  int port = 0;
  SSL_CTX* tls = nullptr;
  std::string certificate;
  std::atomic<int> connection_count{0};
  Mutex mutex;
  std::vector<int> open;
  std::vector<Thread> threads;
  Thread acceptor;

  void MakeCertificate() {
    EVP_PKEY* key = EVP_EC_gen("P-256");
    X509* x509 = X509_new();
    X509_set_version(x509, 2);
    ASN1_INTEGER_set(X509_get_serialNumber(x509), 1);
    X509_gmtime_adj(X509_getm_notBefore(x509), -3'600);
    X509_gmtime_adj(X509_getm_notAfter(x509), 86'400);
    X509_set_pubkey(x509, key);
    X509_NAME* name = X509_get_subject_name(x509);
    const std::string text = "lakeward test";
    X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC,
                               reinterpret_cast<const unsigned char*>(text.c_str()), -1, -1, 0);
    X509_set_issuer_name(x509, name);
    for (const auto& [number, value] : {std::pair{NID_subject_alt_name, "IP:127.0.0.1"},
                                        std::pair{NID_basic_constraints, "critical,CA:TRUE"}}) {
      X509_EXTENSION* extension = X509V3_EXT_conf_nid(nullptr, nullptr, number, value);
      X509_add_ext(x509, extension, -1);
      X509_EXTENSION_free(extension);
    }
    X509_sign(x509, key, EVP_sha256());
    tls = SSL_CTX_new(TLS_server_method());
    SSL_CTX_use_certificate(tls, x509);
    SSL_CTX_use_PrivateKey(tls, key);
    BIO* memory = BIO_new(BIO_s_mem());
    PEM_write_bio_X509(memory, x509);
    char* data = nullptr;
    const long length = BIO_get_mem_data(memory, &data);
    certificate.assign(data, static_cast<size_t>(length));
    BIO_free(memory);
    X509_free(x509);
    EVP_PKEY_free(key);
  }

  void ServeOne(int descriptor) {
    SSL* session = nullptr;
    bool is_ready = true;
    if (tls != nullptr) {
      session = SSL_new(tls);
      SSL_set_fd(session, descriptor);
      is_ready = SSL_accept(session) == 1;
    }
    if (is_ready) {
      SocketConnection connection(descriptor, session);
      serve(connection);
      if (session != nullptr) {
        SSL_shutdown(session);
      }
    }
    SSL_free(session);
    MutexLock lock(&mutex);
    std::erase(open, descriptor);
    close(descriptor);
  }

  void AcceptAll() {
    while (true) {
      const int descriptor = accept(listener, nullptr, nullptr);
      if (descriptor < 0) {
        return;
      }
      ++connection_count;
      MutexLock lock(&mutex);
      open.push_back(descriptor);
      threads.emplace_back("loopback", [this, descriptor] { ServeOne(descriptor); });
    }
  }
};

LoopbackServer::LoopbackServer(Serve serve, Security security) : state_(std::make_unique<State>()) {
  std::signal(SIGPIPE, SIG_IGN);  // SSL_write to a client that is gone
  state_->serve = std::move(serve);
  std::tie(state_->listener, state_->port) = Listen();
  if (security == Security::kTls) {
    state_->MakeCertificate();
  }
  state_->acceptor = Thread("acceptor", [state = state_.get()] { state->AcceptAll(); });
}

LoopbackServer::~LoopbackServer() {
  shutdown(state_->listener, SHUT_RDWR);
  state_->acceptor.Join();
  close(state_->listener);
  {
    MutexLock lock(&state_->mutex);
    for (const int descriptor : state_->open) {
      shutdown(descriptor, SHUT_RDWR);
    }
  }
  state_->threads.clear();
  SSL_CTX_free(state_->tls);
}

int LoopbackServer::port() const { return state_->port; }
int LoopbackServer::connection_count() const { return state_->connection_count; }
std::string LoopbackServer::certificate() const { return state_->certificate; }

std::string LoopbackServer::url() const {
  return fmt::format("{}://127.0.0.1:{}", state_->tls != nullptr ? "https" : "http", port());
}

std::string HttpAnswer(std::string_view status_line, std::string_view body,
                       std::string_view more_headers) {
  return fmt::format("HTTP/1.1 {}\r\nContent-Length: {}\r\n{}\r\n{}", status_line, body.size(),
                     more_headers, body);
}

int UnusedPort() {
  const auto [descriptor, port] = Listen();
  close(descriptor);
  return port;
}

}  // namespace lakeward::net
