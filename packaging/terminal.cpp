#include "packaging/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <string_view>

namespace mechfmu {

namespace {

constexpr double short_run = 0.5;  // s; it is over before a bar can be read

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::string duration(double seconds) {
  const auto s = static_cast<long>(std::ceil(seconds));
  if (s < 90) return std::to_string(s) + " s";
  if (s < 5400) return std::to_string((s + 30) / 60) + " min";
  return std::to_string((s + 1800) / 3600) + " h";
}

/// A terminal that can write over a line.
bool is_screen(int stream) {
  const char* terminal = std::getenv("TERM");
  return isatty(stream) != 0 && terminal != nullptr && std::string_view(terminal) != "dumb";
}

/// The beginning that fits; a letter of several bytes counts as one.
std::string cut(const std::string& text, std::size_t width) {
  std::size_t letters = 0;
  for (std::size_t i = 0; i < text.size(); ++i)
    if ((text[i] & 0xC0) != 0x80 && ++letters > width) return text.substr(0, i);
  return text;
}

}  // namespace

StatusLine::StatusLine() : on_(is_screen(STDERR_FILENO)) {}

void StatusLine::show(const std::string& text) {
  if (!on_) return;
  // a line that wraps could not be overwritten
  std::cerr << "\r\033[K" << cut(text, terminal_width(STDERR_FILENO) - 1) << std::flush;
  shown_ = true;
}

void StatusLine::show_progress(double fraction, const std::string& text) {
  constexpr int cells = 30;
  if (!begin_) begin_ = now();
  const double done = std::clamp(fraction, 0.0, 1.0);
  const double taken = now() - *begin_;
  if (taken < short_run) return;
  const int full = static_cast<int>(done * cells);
  std::string bar = "[" + std::string(static_cast<std::size_t>(full), '#') +
                    std::string(static_cast<std::size_t>(cells - full), '-') + "] " +
                    std::to_string(static_cast<int>(done * 100)) + " %  " + text;
  if (done > 0.01) bar += ", " + duration(taken * (1 - done) / done) + " left";
  show(bar);
}

void StatusLine::clear() {
  if (shown_) std::cerr << "\r\033[K" << std::flush;
  shown_ = false;
}

std::size_t terminal_width(int stream) {
  winsize size{};
  if (ioctl(stream, TIOCGWINSZ, &size) == 0 && size.ws_col > 20) return size.ws_col;
  return 100;
}

void write_text(const std::filesystem::path& path, const std::string& text) {
  if (path.empty() || path == "-") {
    std::cout << text << std::flush;
    return;
  }
  std::ofstream file(path, std::ios::binary);
  if (!file)
    throw std::runtime_error("cannot write " + path.string() + ": " + std::strerror(errno));
  file << text;
  file.close();
  if (!file) throw std::runtime_error("cannot write " + path.string() + "; is the disk full?");
}

}  // namespace mechfmu
