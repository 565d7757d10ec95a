#include "packaging/interrupt.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <mutex>
#include <string_view>
#include <thread>

#include "packaging/leftovers.h"

namespace mechfmu {

namespace {

constexpr int patience = 1000;  // ms

std::atomic<int> noted = 0;  // the first signal
std::atomic<int> interruptibles = 0;
std::array<int, 2> wake = {-1, -1};  // a pipe: handlers may do little more than write to one

struct Words {
  std::mutex mutex;
  std::function<void()> say;
};

/// Never destroyed: a signal may come while the program ends.
Words& last_words() {
  static auto& words = *new Words;
  return words;
}

void note(int signal) {
  const int before = errno;
  int none = 0;
  noted.compare_exchange_strong(none, signal);
  const char byte = 0;
  (void)!write(wake[1], &byte, 1);
  errno = before;
}

void write_error(std::string_view text) { (void)!write(STDERR_FILENO, text.data(), text.size()); }

/// Waits for a signal and ends the program at any point of its work.
void watch() {
  char byte = 0;
  while (read(wake[0], &byte, 1) != 1) {
  }
  signal_groups(SIGTERM);
  if (interruptibles > 0) {
    pollfd next{wake[0], POLLIN, 0};
    poll(&next, 1, patience);
  }
  if (Words& words = last_words(); words.mutex.try_lock() && words.say) try {
      words.say();
    } catch (const std::exception&) {  // no space, for example; it cannot be reported
    }
  if (!output_is_closed())
    write_error(isatty(STDERR_FILENO) != 0 ? "\nmechfmu: stopped\n" : "mechfmu: stopped\n");
  end_by_signal();
}

void handle(int signal) {
  struct sigaction action {};
  // A program under nohup continues; output to a broken pipe may be an ordinary error.
  if (signal != SIGINT && signal != SIGTERM && sigaction(signal, nullptr, &action) == 0 &&
      action.sa_handler == SIG_IGN)
    return;
  action = {};
  action.sa_handler = note;
  sigaction(signal, &action, nullptr);
}

}  // namespace

void watch_signals() {
  static std::once_flag once;
  std::call_once(once, [] {
    if (pipe2(wake.data(), O_CLOEXEC) != 0) return;  // then signals end the program as they are
    // The thread receives no signals: they interrupt the call that the program waits for.
    sigset_t everything;
    sigset_t before;
    sigfillset(&everything);
    pthread_sigmask(SIG_SETMASK, &everything, &before);
    std::thread(watch).detach();
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) handle(signal);
  });
}

Interruptible::Interruptible() {
  watch_signals();
  ++interruptibles;
}

Interruptible::~Interruptible() { --interruptibles; }

bool interrupted() { return noted != 0; }

LastWords::LastWords(std::function<void()> say) {
  const std::scoped_lock lock(last_words().mutex);
  last_words().say = std::move(say);
}

LastWords::~LastWords() {
  const std::scoped_lock lock(last_words().mutex);
  last_words().say = nullptr;
}

bool output_is_closed() { return noted == SIGPIPE; }

void end_by_signal() {
  const int signal = noted;
  clear_leftovers();
  struct sigaction action {};
  action.sa_handler = SIG_DFL;
  sigaction(signal, &action, nullptr);
  sigset_t mask;
  sigemptyset(&mask);
  sigaddset(&mask, signal);
  pthread_sigmask(SIG_UNBLOCK, &mask, nullptr);
  kill(getpid(), signal);
  std::_Exit(128 + signal);
}

}  // namespace mechfmu
