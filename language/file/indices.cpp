#include "language/file/indices.h"

#include <algorithm>
#include <charconv>
#include <system_error>

#include "language/file/elements.h"
#include "model_desc/text.h"

namespace mechfmu {

namespace {

constexpr std::size_t longest = 200;  // characters of an index
constexpr int deepest = 20;           // nesting of brackets and signs

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

struct Failure {
  std::string message;
};

///   sum = term { (+|-) term },  term = factor { * factor },
///   factor = [+|-] factor | (sum) | number | name
class Parser {
 public:
  Parser(std::string_view text, const IndexLookup& lookup) : text_(text), lookup_(lookup) {}

  long whole() {
    const long value = sum();
    if (at_ < text_.size()) not_understood();
    return value;
  }

 private:
  [[noreturn]] static void fail(std::string message) { throw Failure{std::move(message)}; }
  [[noreturn]] void not_understood() {
    std::size_t end = at_ + 1;  // not inside a character
    while (end < text_.size() && (static_cast<unsigned char>(text_[end]) & 0xC0U) == 0x80U) ++end;
    fail(in_quotes(text_.substr(at_, end - at_)) +
         " is not allowed in an index, a whole number made with + - * and parentheses");
  }

  char look() {
    while (at_ < text_.size() && is_space(text_[at_])) ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  static long in_range(long value) {
    if (value > largest_index || value < -largest_index) fail("it is larger than 1000000000");
    return value;
  }

  long sum() {
    long value = term();
    for (char c = look(); c == '+' || c == '-'; c = look()) {
      ++at_;
      const long other = term();
      value = in_range(c == '+' ? value + other : value - other);
    }
    return value;
  }

  long term() {
    long value = factor();
    while (look() == '*') {
      ++at_;
      value = in_range(value * factor());
    }
    return value;
  }

  long factor() {
    const char c = look();
    if (c == '\0') fail("a number is missing");
    if (is_digit(c)) return number();
    if (is_letter(c) || c == '_') return name();
    if (c != '+' && c != '-' && c != '(') not_understood();
    if (++depth_ > deepest) fail("it is nested too deep");
    ++at_;
    long value = 0;
    if (c == '(') {
      value = sum();
      if (look() != ')') fail("')' is missing");
      ++at_;
    } else {
      value = c == '-' ? -factor() : factor();
    }
    --depth_;
    return value;
  }

  long number() {
    long value = 0;
    const char* const first = text_.data() + at_;
    const auto read = std::from_chars(first, text_.data() + text_.size(), value);
    if (read.ec != std::errc()) value = largest_index + 1;
    at_ += static_cast<std::size_t>(read.ptr - first);
    return in_range(value);
  }

  long name() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && in_word(text_[at_])) ++at_;
    const Whole found = lookup_(text_.substr(begin, at_ - begin));
    if (!found.value) fail(found.problem);
    return *found.value;
  }

  std::string_view text_;
  const IndexLookup& lookup_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace

Whole whole_number(std::string_view text, const IndexLookup& lookup) {
  if (text.size() > longest)
    return {{}, "an index has at most " + std::to_string(longest) + " characters"};
  try {
    return {Parser(text, lookup).whole(), {}};
  } catch (const Failure& failure) {
    return {{}, failure.message};
  }
}

std::optional<std::size_t> past_indices(std::string_view text, std::size_t open) {
  const std::size_t end = text.find_first_of("[]", open + 1);
  if (end == std::string_view::npos || text[end] == '[') return {};
  return end + 1;
}

std::vector<std::string_view> split_indices(std::string_view inside) {
  std::vector<std::string_view> parts;
  for (std::size_t at = 0; at <= inside.size();) {
    const std::size_t end = std::min(inside.find(',', at), inside.size());
    parts.push_back(inside.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

bool holds_index(std::string_view name, std::string_view index) {
  bool inside = false;
  for (std::size_t at = 0; at < name.size();) {
    inside = name[at] == '[' || (inside && name[at] != ']');
    std::size_t end = at + 1;
    if (in_word(name[at]))
      while (end < name.size() && in_word(name[end])) ++end;
    if (inside && name.substr(at, end - at) == index) return true;
    at = end;
  }
  return false;
}

bool is_name_with_indices(std::string_view text) {
  const std::size_t open = text.find('[');
  if (open == std::string_view::npos) return is_name(text);
  return is_name(text.substr(0, open)) && past_indices(text, open) == text.size();
}

std::vector<std::string> reference_words(std::string_view text) {
  std::vector<std::string> words;
  bool inside = false, ended = true;
  for (const char c : text) {
    inside = c == '[' || (inside && c != ']');
    const bool ends = is_space(c) && !inside;
    if (ended && !ends) words.emplace_back();
    if (!ends) words.back() += c;
    ended = ends;
  }
  return words;
}

bool NamedCopies::add(std::string_view full_name) {
  if (!full_name.starts_with(begin_)) return false;
  const std::optional<std::size_t> end = past_indices(full_name, begin_.size() - 1);
  if (!end) return true;
  std::vector<long> numbers;
  const IndexLookup none = [](std::string_view) { return Whole{}; };
  for (const std::string_view part :
       split_indices(full_name.substr(begin_.size(), *end - 1 - begin_.size())))
    numbers.push_back(whole_number(part, none).value.value_or(0));
  copies_.emplace(std::move(numbers), full_name.substr(0, *end));
  return true;
}

std::string NamedCopies::text(std::string_view prefix) const {
  if (copies_.empty()) return {};
  std::vector<std::string> names;
  const auto local = [&](const std::string& name) {
    return name.starts_with(prefix) ? name.substr(prefix.size()) : name;
  };
  constexpr std::size_t few = 3;
  if (copies_.size() > few)
    return "; the copies are " + local(copies_.begin()->second) + " … " +
           local(copies_.rbegin()->second);
  for (const auto& [numbers, name] : copies_) names.push_back(local(name));
  return (names.size() == 1 ? "; there is " : "; there are ") + listed(names, "and");
}

}  // namespace mechfmu
