// Names with indices: link[3], node[i, j+1].
//
// Brackets directly after a name hold whole numbers, made of indices of repeats by + - * and parentheses. The reader
// works them out; afterwards names are written without spaces, node[2,5], as FMI has them.

#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mechfmu {

/// A whole number, or why there is none.
struct Whole {
  std::optional<long> value{};
  std::string problem{};
};
/// What a name in brackets stands for.
using IndexLookup = std::function<Whole(std::string_view name)>;

constexpr long largest_index = 1'000'000'000;
constexpr std::size_t most_indices = 8;  // of a name

/// "2*i - 1". Names in it are looked up.
Whole whole_number(std::string_view text, const IndexLookup& lookup);

/// Behind the bracket that closes the one at `open`; nothing where there is none, or another one is opened before.
std::optional<std::size_t> past_indices(std::string_view text, std::size_t open);
/// "i, 2*(j + 1)" → its two expressions
std::vector<std::string_view> split_indices(std::string_view inside);
/// Whether one of the names in the brackets of a name is this one: i in node[i-1,j].
bool holds_index(std::string_view name, std::string_view index);

/// Letters, digits and _, beginning with a letter; then perhaps indices, which are not looked at.
bool is_name_with_indices(std::string_view text);
/// Words with spaces between them, but for those in brackets: "a link[i, j]" → a, link[i, j]
std::vector<std::string> reference_words(std::string_view text);

/// Which copies there are of what is written as link or link[0]: "; the copies are link[1] … link[40]". Empty where
/// there are none.
class NamedCopies {
 public:
  /// Of full names in the order of the alphabet those that begin with name + "[" are added.
  explicit NamedCopies(std::string_view name) : begin_(std::string(name) + "[") {}
  const std::string& begin() const { return begin_; }
  /// False when there can be no more.
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
