#include "packaging/interrupt.h"

#include <csignal>
#include <initializer_list>

namespace mechfmu {

namespace {

volatile std::sig_atomic_t noted = 0;

void set_handlers(void (*handler)(int), int flags) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = flags;
  for (const int signal : {SIGINT, SIGTERM}) sigaction(signal, &action, nullptr);
}

}  // namespace

Interruptible::Interruptible() {
  // the next one is the default again
  set_handlers([](int) { noted = 1; }, static_cast<int>(SA_RESETHAND));
}

Interruptible::~Interruptible() { set_handlers(SIG_DFL, 0); }

bool interrupted() { return noted != 0; }

}  // namespace mechfmu
