// What is wrong with a file, and where: all of it in one list, in the order of the lines.
//
//   crank.xml:12: joint 'B': body 'copler' does not exist; did you mean 'coupler'?
//   crank.xml:20: warning: body 'ballast': it is connected to nothing and moves freely; free="true" says …

#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace mechfmu {

struct Place {
  std::string file;
  long line = 0;  // from 1; 0: the file as a whole
};

enum class Severity { error, warning };

struct Diagnostic {
  Severity severity = Severity::error;
  Place place{};
  std::string element{};    // "joint 'B'", or empty
  std::string attribute{};  // for tools; the message names it where a reader needs it
  std::string message{};
};

/// file:line: element: message
std::string text(const Diagnostic& diagnostic);

/// Collects what the steps from file to mechanism find. The same complaint about the same place is kept once: the
/// elements of a group are checked each time the group is used.
class Diagnostics {
 public:
  static constexpr std::size_t limit = 200;  // errors beyond it are counted only

  void error(const Place& place, std::string element, std::string attribute, std::string message);
  void warning(const Place& place, std::string element, std::string attribute, std::string message);

  bool has_errors() const { return errors_ > 0; }
  std::size_t errors() const { return errors_; }
  bool full() const { return list_.size() >= limit; }
  /// By file, in the order the files were first seen, then by line.
  std::vector<Diagnostic> sorted() const;
  /// All of them, one in a line.
  std::string text() const;
  /// Files sort in the order they are announced.
  void announce(const std::string& file);

 private:
  void add(Diagnostic diagnostic);

  std::vector<Diagnostic> list_;
  std::set<std::tuple<std::string, long, std::string, std::string>> known_;
  std::vector<std::string> files_;
  std::size_t errors_ = 0;
  std::size_t left_out_ = 0;
};

/// The candidate that was probably meant, or an empty text: few letters wrong, left out, doubled, swapped or in the
/// other case. Of several the nearest, of equally near ones the first. Looks at the first few thousand only.
std::string did_you_mean(std::string_view written, const std::vector<std::string>& candidates);

/// "; did you mean 'coupler'?", or nothing.
std::string suggestion(std::string_view written, const std::vector<std::string>& candidates);

}  // namespace mechfmu
