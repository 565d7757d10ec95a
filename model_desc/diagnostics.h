// The errors and warnings of a file with their places, in one list, in the order of the lines.
//
//   crank.xml:12: joint 'B': body 'copler' does not exist; did you mean 'coupler'?
//   crank.xml:15: joint 'B': stiffness: 'kk' is not declared; did you mean 'k'?
//   crank.xml:20: warning: body 'ballast': it is connected to nothing and moves freely; …

#pragma once

#include <cstddef>
#include <map>
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
  int column = 0;  // position in the text of the attribute, from 1; 0: all of it
};

/// file:line: element: message. With `marked`, errors look like those of compilers, for editors
/// that recognize them: file:line: error: element: message
std::string text(const Diagnostic& diagnostic, bool marked = false);

/// Collects the errors and warnings of all steps from file to mechanism, each as one line of plain
/// text. It keeps the same complaint about the same place once, because the elements of a group are
/// checked each time the group is used. Copies of an element differ only in their indices, body
/// 'link[1]' and body 'link[2]': the first one is reported, the others are counted.
class Diagnostics {
 public:
  static constexpr std::size_t limit = 200;  // errors beyond it are counted only

  void error(const Place& place, std::string element, std::string attribute, std::string message,
             int column = 0);
  void warning(const Place& place, std::string element, std::string attribute, std::string message,
               int column = 0);

  bool has_errors() const { return errors_ > 0; }
  std::size_t errors() const { return errors_; }
  bool full() const { return list_.size() >= limit; }
  /// Whether an error would only be counted, so that its message is not needed.
  bool would_drop(const Place& place, const std::string& element,
                  const std::string& attribute) const;
  /// By file, in the order the files were first seen, then by line.
  std::vector<Diagnostic> sorted() const;
  /// All messages, one per line.
  std::string text(bool marked = false) const;
  /// Files sort in the order of these calls.
  void announce(const std::string& file);

 private:
  /// The place of a complaint about an attribute of one of several copies, without their indices.
  using Spot = std::tuple<Severity, std::string, long, std::string, std::string>;
  struct Copies {
    std::size_t complaint;    // in the list
    std::string first, last;  // copies that were complained about
    std::size_t more = 0;
  };
  void add(Diagnostic diagnostic);

  std::vector<Diagnostic> list_;
  std::map<Spot, Copies> copies_;
  std::set<std::tuple<std::string, long, std::string, std::string>> known_;
  std::vector<std::string> files_;
  std::size_t errors_ = 0;
  std::size_t left_out_ = 0;
};

/// The receiver of complaints about one expression: the attribute that holds it. The message
/// includes the column if the text is long.
///
///   joint 'B': stiffness: 'kk' is not declared; did you mean 'k'?
///   output 'power': value: only equal dimensions are added: this is in N, … (column 25)
struct Report {
  Diagnostics& list;
  Place place{};
  std::string element{}, attribute{};
  std::string prefix{};     // prefix of the group; messages leave it out
  std::size_t length = 0;   // length of the text, if known
  std::size_t looks = 0;    // characters read, a measure of the work
  bool has_failed = false;  // an error was reported

  /// Columns count from 1; 0: the whole.
  void error(int column, std::string message);
  void warning(int column, std::string message);
  bool failed() const { return has_failed; }

 private:
  std::string text(int column, std::string message) const;
};

/// Names as written in the group whose elements have the prefix: 'leg1.knee' → 'knee'.
std::string without_prefix(std::string message, std::string_view prefix);

/// The candidate that was probably meant, or an empty text: few letters are wrong, missing,
/// doubled, swapped or in the other case. It is the nearest candidate, or the first of equally near
/// ones. Only the first few thousand candidates count.
std::string did_you_mean(std::string_view written, const std::vector<std::string>& candidates);

/// "; did you mean 'coupler'?", or an empty text.
std::string suggestion(std::string_view written, const std::vector<std::string>& candidates);

}  // namespace mechfmu
