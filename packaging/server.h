// A web server for one page on this machine: for mechfmu view, and for the browser that draws
// pictures and videos.
//
// It listens on 127.0.0.1 only. Its addresses begin with a random word, so that only programs that
// know the word can read them. It answers only requests for that host, so that pages from elsewhere
// cannot reach it by another name.

#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <string>

namespace mechfmu {

struct Request {
  std::string method, path;  // after the word: "frame/12"
  std::string body;
};

struct Answer {
  int status = 200;
  std::string type = "text/plain; charset=utf-8";
  std::string body{};
};

class Server {
 public:
  using Handler = std::function<Answer(const Request&)>;
  static constexpr std::size_t most_bytes = 200'000'000;  // of a request

  /// Port 0 selects a free one. Throws std::runtime_error if it cannot listen.
  explicit Server(Handler handler, int port = 0);
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;
  ~Server();

  /// http://127.0.0.1:…/…/
  std::string address() const;
  /// Answers at most one request; returns after it, or after that time.
  void serve(std::chrono::milliseconds patience);

 private:
  void answer(int connection);

  Handler handler_;
  int socket_ = -1, port_ = 0;
  std::string word_;
};

}  // namespace mechfmu
