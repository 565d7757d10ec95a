#include "packaging/server.h"

#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <random>
#include <stdexcept>
#include <string_view>

namespace mechfmu {

namespace {

std::string random_word() {
  std::random_device random;
  std::string word;
  for (int i = 0; i < 24; ++i) word += "abcdefghijklmnopqrstuvwxyz234567"[random() % 32];
  return word;
}

bool is_ready(int file, short what, int milliseconds) {
  pollfd wait{file, what, 0};
  return poll(&wait, 1, milliseconds) > 0;
}

/// The value of a header field; the case of its name does not matter.
std::string field(std::string_view head, std::string_view name) {
  for (std::size_t at = head.find("\r\n"); at != std::string_view::npos && at + 2 < head.size();) {
    const std::size_t begin = at + 2;
    const std::size_t end = std::min(head.find("\r\n", begin), head.size());
    const std::string_view line = head.substr(begin, end - begin);
    const std::size_t colon = line.find(':');
    if (colon == name.size() && std::equal(name.begin(), name.end(), line.begin(),
                                           [](char a, char b) { return (a | 32) == (b | 32); })) {
      std::string_view value = line.substr(colon + 1);
      while (value.starts_with(' ')) value.remove_prefix(1);
      return std::string(value);
    }
    at = head.find("\r\n", begin);
  }
  return {};
}

/// Reads until `enough` is true, or for five seconds without data.
template <class Enough>
bool receive(int connection, std::string& into, const Enough& enough) {
  char bytes[65536];
  while (!enough()) {
    if (!is_ready(connection, POLLIN, 5000)) return false;
    const ssize_t count = recv(connection, bytes, sizeof bytes, 0);
    if (count <= 0 || into.size() + static_cast<std::size_t>(count) > Server::most_bytes)
      return false;
    into.append(bytes, static_cast<std::size_t>(count));
  }
  return true;
}

void send_all(int connection, const std::string& text) {
  for (std::size_t sent = 0; sent < text.size();) {
    if (!is_ready(connection, POLLOUT, 5000)) return;
    const ssize_t count = send(connection, text.data() + sent, text.size() - sent, MSG_NOSIGNAL);
    if (count <= 0) return;
    sent += static_cast<std::size_t>(count);
  }
}

}  // namespace

Server::Server(Handler handler, int port) : handler_(std::move(handler)), word_(random_word()) {
  socket_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const int yes = 1;
  setsockopt(socket_, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  sockaddr_in place{};
  place.sin_family = AF_INET;
  place.sin_port = htons(static_cast<std::uint16_t>(port));
  place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof place;
  auto* address = reinterpret_cast<sockaddr*>(&place);
  if (socket_ < 0 || bind(socket_, address, size) != 0 || listen(socket_, 16) != 0 ||
      getsockname(socket_, address, &size) != 0) {
    const std::string why = std::strerror(errno);
    if (socket_ >= 0) close(socket_);
    throw std::runtime_error("cannot listen on port " + std::to_string(port) +
                             " of this machine: " + why);
  }
  port_ = ntohs(place.sin_port);
}

Server::~Server() { close(socket_); }

std::string Server::address() const {
  return "http://127.0.0.1:" + std::to_string(port_) + "/" + word_ + "/";
}

void Server::serve(std::chrono::milliseconds patience) {
  if (!is_ready(socket_, POLLIN, static_cast<int>(patience.count()))) return;
  const int connection = accept4(socket_, nullptr, nullptr, SOCK_CLOEXEC);
  if (connection < 0) return;
  try {
    answer(connection);
  } catch (...) {
    close(connection);
    throw;
  }
  close(connection);
}

void Server::answer(int connection) {
  std::string text;
  std::size_t head = std::string::npos;
  if (!receive(connection, text,
               [&] {
                 head = text.find("\r\n\r\n");
                 return head != std::string::npos || text.size() > 65536;
               }) ||
      head == std::string::npos)
    return;
  const std::string_view lines(text.data(), head);
  const std::string host = field(lines, "host");
  const std::string length = field(lines, "content-length");
  std::size_t size = 0;
  for (const char c : length) {
    if (c < '0' || c > '9' || size > most_bytes) return;
    size = 10 * size + static_cast<std::size_t>(c - '0');
  }
  Request request;
  const std::size_t first = lines.find(' ');
  const std::size_t second = first == std::string_view::npos ? first : lines.find(' ', first + 1);
  if (second == std::string_view::npos || size > most_bytes) return;
  request.method = lines.substr(0, first);
  request.path = lines.substr(first + 1, second - first - 1);
  if (!receive(connection, text, [&] { return text.size() >= head + 4 + size; })) return;
  request.body = text.substr(head + 4, size);

  const std::string port = ":" + std::to_string(port_);
  const std::string prefix = "/" + word_ + "/";
  Answer answer{404, "text/plain; charset=utf-8", "nothing here\n"};
  if ((host == "127.0.0.1" + port || host == "localhost" + port) &&
      request.path.starts_with(prefix)) {
    request.path.erase(0, prefix.size());
    answer = handler_(request);
  }
  send_all(connection, "HTTP/1.1 " + std::to_string(answer.status) +
                           (answer.status == 200 ? " OK" : " Not Found") +
                           "\r\nContent-Type: " + answer.type +
                           "\r\nContent-Length: " + std::to_string(answer.body.size()) +
                           "\r\nCache-Control: no-store\r\nX-Content-Type-Options: nosniff"
                           "\r\nConnection: close\r\n\r\n" +
                           answer.body);
}

}  // namespace mechfmu
