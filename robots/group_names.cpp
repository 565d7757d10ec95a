#include "robots/group_names.h"

#include <algorithm>
#include <string_view>

#include "model_desc/text.h"

namespace mechfmu::robots {

namespace {

struct Word {
  std::string text;
  bool apart = false;  // a _ precedes it

  bool operator==(const Word& other) const { return text == other.text; }
};

/// The length of the word for a side at the beginning of a text; 0 if there is none or the text has
/// no other part.
std::size_t side(std::string_view text) {
  for (const std::string_view known :
       {"left", "right", "front", "rear", "hind", "back", "upper", "lower"})
    if (text.size() > known.size() &&
        std::equal(known.begin(), known.end(), text.begin(), [](char a, char b) {
          return a == (b >= 'A' && b <= 'Z' ? static_cast<char>(b - 'A' + 'a') : b);
        }))
      return known.size();
  return 0;
}

std::vector<Word> words(std::string_view name) {
  std::vector<Word> made;
  bool apart = false;
  const auto is_capital = [](char c) { return c >= 'A' && c <= 'Z'; };
  for (std::size_t i = 0; i < name.size();) {
    if (name[i] == '_') {
      apart = true;
      ++i;
      continue;
    }
    std::size_t end = i + 1;
    while (end < name.size() && name[end] != '_' && is_digit(name[end]) == is_digit(name[i]) &&
           !(is_capital(name[end]) && !is_capital(name[end - 1])))
      ++end;
    if (const std::size_t length = side(name.substr(i, end - i)); length > 0) end = i + length;
    made.push_back({std::string(name.substr(i, end - i)), apart});
    apart = false;
    i = end;
  }
  return made;
}

std::string joined(const std::vector<Word>& all, const std::vector<bool>& wanted, bool those) {
  std::string made;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (wanted[i] == those) {
      const bool gap = all[i].apart || (i > 0 && wanted[i - 1] != those);
      made += (made.empty() || !gap ? "" : "_") + all[i].text;
    }
  return made;
}

}  // namespace

CommonName common_name(const std::vector<std::string>& names) {
  std::vector<std::vector<Word>> split;
  split.reserve(names.size());
  for (const std::string& name : names) split.push_back(words(name));
  const std::vector<Word>& first = split.front();
  std::size_t least = first.size();
  for (const auto& name : split) least = std::min(least, name.size());
  const bool as_many = std::all_of(split.begin(), split.end(),
                                   [&](const auto& s) { return s.size() == first.size(); });
  const auto in_all = [&](std::size_t i, bool from_end) {
    return std::all_of(split.begin(), split.end(), [&](const std::vector<Word>& s) {
      return from_end ? s[s.size() - 1 - i] == first[first.size() - 1 - i] : s[i] == first[i];
    });
  };
  std::size_t head = 0, tail = 0;
  while (head < least && in_all(head, false)) ++head;
  while (head + tail < least && in_all(tail, true)) ++tail;
  CommonName made;
  for (const std::vector<Word>& name : split) {
    std::vector<bool> is_common(name.size());
    for (std::size_t i = 0; i < name.size(); ++i)
      is_common[i] = as_many ? in_all(i, false) : i < head || i + tail >= name.size();
    if (made.each.empty()) made.common = joined(name, is_common, true);
    made.each.push_back(joined(name, is_common, false));
  }
  return made;
}

}  // namespace mechfmu::robots
