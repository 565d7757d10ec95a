#include "packaging/process.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string_view>

#include "packaging/interrupt.h"
#include "packaging/leftovers.h"

namespace mechfmu {

namespace {

/// The environment of this process, with messages in English: some of them are searched for names.
std::vector<char*> environment() {
  static char english[] = "LC_ALL=C";
  std::vector<char*> all = {english};
  for (char** entry = environ; *entry != nullptr; ++entry)
    if (!std::string_view(*entry).starts_with("LC_ALL=")) all.push_back(*entry);
  all.push_back(nullptr);
  return all;
}

/// In memory, because a compiler must be able to report a full disk.
std::FILE* nameless_file() {
  constexpr unsigned close_on_exec = 1;  // MFD_CLOEXEC; memfd_create is a function since glibc 2.27
  const auto file = static_cast<int>(syscall(SYS_memfd_create, "mechfmu", close_on_exec));
  std::FILE* stream = file < 0 ? std::tmpfile() : fdopen(file, "w+b");
  if (stream == nullptr)
    throw std::runtime_error(std::string("cannot make a temporary file: ") + std::strerror(errno));
  return stream;
}

}  // namespace

Process::Process(const std::vector<std::string>& words) : output_(nameless_file(), &std::fclose) {
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  std::vector<char*> variables = environment();
  // A separate process group also reaches its children: the compiler behind its driver
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  const int file = fileno(output_.get());
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, file, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, file, STDERR_FILENO);
  int problem = 0;
  pid_ = start_group([&] {
    pid_t started = 0;
    problem = posix_spawnp(&started, words[0].c_str(), &actions, &attributes, arguments.data(),
                           variables.data());
    return problem == 0 ? started : 0;
  });
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  if (problem != 0)
    throw std::runtime_error("cannot start " + words[0] + ": " + std::strerror(problem));
  // a signal just before was sent only to the programs that had been started
  if (interrupted()) signal_groups(SIGTERM);
}

Process::~Process() {
  if (pid_ == 0) return;
  kill(-pid_, SIGTERM);
  (void)wait();
}

bool Process::ended() const {
  siginfo_t state{};
  return waitid(P_PID, static_cast<id_t>(pid_), &state, WEXITED | WNOWAIT | WNOHANG) == 0 &&
         state.si_pid != 0;
}

ProcessResult Process::wait() {
  siginfo_t ended{};
  while (waitid(P_PID, static_cast<id_t>(pid_), &ended, WEXITED | WNOWAIT) != 0 && errno == EINTR) {
  }
  forget_group(pid_);
  int state = 0;
  while (waitpid(pid_, &state, 0) < 0 && errno == EINTR) {
  }
  pid_ = 0;
  ProcessResult result;
  result.status = WIFEXITED(state) ? WEXITSTATUS(state) : 128 + WTERMSIG(state);
  constexpr long most = 200'000;
  std::fseek(output_.get(), 0, SEEK_END);
  const long size = std::ftell(output_.get());
  std::fseek(output_.get(), size > most ? size - most : 0, SEEK_SET);
  result.output.resize(static_cast<std::size_t>(size > most ? most : size));
  result.output.resize(std::fread(result.output.data(), 1, result.output.size(), output_.get()));
  return result;
}

ProcessResult run_process(const std::vector<std::string>& words) {
  return std::move(run_processes({words}).front());
}

std::vector<ProcessResult> run_processes(const std::vector<std::vector<std::string>>& programs) {
  std::vector<std::unique_ptr<Process>> running;
  running.reserve(programs.size());
  for (const auto& words : programs) running.push_back(std::make_unique<Process>(words));
  std::vector<ProcessResult> results;
  results.reserve(programs.size());
  for (const auto& process : running) results.push_back(process->wait());
  if (interrupted()) throw Interrupted();
  return results;
}

bool can_be_run(const std::string& program) {
  if (program.find('/') != std::string::npos) return access(program.c_str(), X_OK) == 0;
  const char* path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "/usr/bin:/bin" : path);
  for (std::string folder; std::getline(folders, folder, ':');)
    if (access((std::filesystem::path(folder.empty() ? "." : folder) / program).c_str(), X_OK) == 0)
      return true;
  return false;
}

std::string operand(const std::filesystem::path& path) {
  const std::string text = path.string();
  return text.starts_with('-') || text.starts_with('@') ? "./" + text : text;
}

std::string command_line(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) {
    const bool plain = word.find_first_of(" \t\"'\\$&|;<>()*?`") == std::string::npos;
    text += (text.empty() ? "" : " ") + (plain ? word : "'" + word + "'");
  }
  return text;
}

}  // namespace mechfmu
