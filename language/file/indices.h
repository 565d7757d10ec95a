// Names with indices: link[3], node[i, j+1].
//
// Brackets directly after a name contain whole numbers, made of indices of repeats by + - * and
// parentheses. The reader evaluates them; afterwards names have no spaces, node[2,5], as in FMI.

#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mechfmu {

/// A whole number or the reason for its absence.
struct Whole {
  std::optional<long> value{};
  std::string problem{};
};
/// The value of a name in brackets.
using IndexLookup = std::function<Whole(std::string_view name)>;

constexpr long largest_index = 1'000'000'000;
constexpr std::size_t most_indices = 8;  // of a name

/// "2*i - 1". Names in it are looked up.
Whole whole_number(std::string_view text, const IndexLookup& lookup);

/// The position after the bracket that closes the one at `open`; nullopt if there is none, or
/// another one opens before.
std::optional<std::size_t> past_indices(std::string_view text, std::size_t open);
/// "i, 2*(j + 1)" → its two expressions
std::vector<std::string_view> split_indices(std::string_view inside);
/// Whether the brackets of a name contain this name: i in node[i-1,j].
bool holds_index(std::string_view name, std::string_view index);

/// Letters, digits and _, beginning with a letter; then optional indices, which are not checked.
bool is_name_with_indices(std::string_view text);
/// Words separated by spaces outside brackets: "a link[i, j]" → a, link[i, j]
std::vector<std::string> reference_words(std::string_view text);

/// The existing copies of a name written as link or link[0]: "; the copies are link[1] … link[40]".
/// Empty if there are none.
class NamedCopies {
 public:
  /// Full names are added in alphabetical order; those that begin with name + "[" count.
  explicit NamedCopies(std::string_view name) : begin_(std::string(name) + "[") {}
  const std::string& begin() const { return begin_; }
  /// False if no more can follow.
  bool add(std::string_view full_name);
  /// Without `prefix` of a group.
  std::string text(std::string_view prefix = {}) const;

 private:
  std::string begin_;
  std::map<std::vector<long>, std::string> copies_;
};

/// The copies among the keys of a sorted map; `name` may have indices itself.
template <class Map>
std::string copies_text(const Map& map, std::string_view name, std::string_view prefix = {}) {
  NamedCopies copies(name.ends_with(']') ? name.substr(0, name.rfind('[')) : name);
  for (auto at = map.lower_bound(copies.begin()); at != map.end() && copies.add(at->first); ++at) {
  }
  return copies.text(prefix);
}

}  // namespace mechfmu
