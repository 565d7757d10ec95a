#include "language/file/scope.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <stdexcept>

#include "language/file/elements.h"
#include "model_desc/text.h"
#include "model_desc/units.h"

namespace mechfmu::reader {

namespace {

/// The position after "/s" or "/(kg.K)" if they belong to the unit of the number that ends at `at`,
/// as in the parser.
std::size_t past_divisors(std::string_view text, std::size_t at) {
  const auto is_unit = [](std::string_view symbol) {
    try {
      (void)parse_unit(symbol);
      return true;
    } catch (const std::invalid_argument&) {
      return false;
    }
  };
  while (at + 1 < text.size() && text[at] == '/') {
    std::size_t end = at + 1;
    if (text[end] == '(') {
      end = std::min(text.find(')', end), text.size() - 1) + 1;
    } else {
      while (end < text.size() && (in_word(text[end]) || text[end] == '.')) ++end;
      if (end < text.size() && text[end] == '(') return at;  // 5m/min(a, b)
    }
    const std::string_view divisor = text.substr(at + 1, end - at - 1);
    if (divisor.size() > 40 || divisor.empty() || is_digit(divisor.front()) || !is_unit(divisor))
      return at;
    at = end;
  }
  return at;
}

Whole look_up(std::string_view name, const Scope& scope) {
  for (const RepeatIndex& index : scope.indices)
    if (index.name == name) return {index.value, {}};
  const std::string word(name);
  if (const auto argument = scope.arguments.find(word); argument != scope.arguments.end()) {
    Whole value = whole_number(argument->second, [](std::string_view) { return Whole{}; });
    if (!value.value) value.problem = in_quotes(word) + " is not a whole number here";
    return value;
  }
  std::vector<std::string> known;
  for (const RepeatIndex& index : scope.indices) known.emplace_back(index.name);
  return {{},
          in_quotes(word) + " is not an index" +
              (known.empty()       ? "; outside a repeat only whole numbers are allowed"
               : known.size() == 1 ? "; the index of the repeat is " + known[0]
                                   : "; the indices of the repeats are " + listed(known, "and"))};
}

class InScope {
 public:
  InScope(std::string_view text, const Scope& scope, TextKind kind)
      : text_(text), scope_(scope), kind_(kind) {}

  TextOrProblem put() {
    if (scope_.locals == nullptr && scope_.indices.empty() &&
        text_.find('[') == std::string_view::npos)
      return {std::string(text_), {}};
    begin_ = text_.find_first_not_of(" \t\r\n");
    last_ = text_.find_last_not_of(" \t\r\n");
    while (at_ < text_.size() && made_.problem.empty()) token();
    return std::move(made_);
  }

 private:
  void token() {
    const char c = text_[at_];
    const std::size_t from = at_++;
    if (!in_word(c) && c != '.') {
      made_.text += c;
      return;
    }
    const bool name = is_letter(c) || c == '_';
    const bool dotted = c == '.' && at_ < text_.size() && is_letter(text_[at_]);
    while (at_ < text_.size() && (in_word(text_[at_]) || (!name && text_[at_] == '.'))) ++at_;
    if (!name && !dotted) {
      double number = 0;
      const char* const end = text_.data() + at_;
      const bool has_unit = std::from_chars(text_.data() + from, end, number).ptr != end;
      if (has_unit) at_ = past_divisors(text_, at_);
    }
    const std::string word(text_.substr(from, at_ - from));
    const char next = at_ < text_.size() ? text_[at_] : ' ';
    if (!name || next == '(' || kind_ == TextKind::own_name)
      made_.text += word;
    else
      put_word(word, from, next);
    if ((name || dotted) && next == '[') put_indices(name ? word : std::string());
  }

  void put_word(const std::string& word, std::size_t from, char next) {
    const bool alone = from == begin_ && at_ == last_ + 1;
    const bool begins_name = next == '.' || next == '[';
    const auto index = std::find_if(scope_.indices.begin(), scope_.indices.end(),
                                    [&](const RepeatIndex& i) { return i.name == word; });
    const auto argument = scope_.arguments.find(word);
    if (argument != scope_.arguments.end()) {
      const bool plain = alone || begins_name || kind_ != TextKind::expression;
      made_.text += plain ? argument->second : "(" + argument->second + ")";
    } else if (index != scope_.indices.end() && kind_ == TextKind::expression && !begins_name) {
      const std::string number = std::to_string(index->value);
      made_.text += alone ? number : "(" + number + ")";
    } else {
      const bool local =
          scope_.locals != nullptr && scope_.locals->contains(next == '[' ? word + "[" : word);
      made_.text += local ? scope_.prefix + word : word;
    }
  }

  /// The bracket here, which belongs to `name`.
  void put_indices(const std::string& name) {
    const std::optional<std::size_t> end = past_indices(text_, at_);
    if (!end) {  // for the name of an element, this error was reported before
      made_.problem = kind_ == TextKind::own_name
                          ? std::string()
                          : "'[' after '" + name + "' is not closed: ']' is missing";
      at_ = text_.size();
      return;
    }
    const std::string shown = "\"" + name + std::string(text_.substr(at_, *end - at_)) + "\": ";
    std::vector<long> numbers;
    for (const std::string_view part : split_indices(text_.substr(at_ + 1, *end - at_ - 2))) {
      const Whole number = index_in_scope(part, scope_);
      if (!number.value) {
        made_.problem = shown + number.problem;
        return;
      }
      numbers.push_back(*number.value);
    }
    if (numbers.size() > most_indices) {
      made_.problem = shown + "a name has at most " + std::to_string(most_indices) + " indices";
      return;
    }
    if (kind_ == TextKind::own_name) {
      if (std::any_of(numbers.begin(), numbers.end(), [](long n) { return n < 0; })) {
        made_.problem = shown + "an index in a name cannot be negative" +
                        (scope_.indices.empty() ? "" : ", as with " + text_of(scope_.indices));
        return;
      }
    } else {
      go_round(name, numbers);
    }
    for (std::size_t i = 0; i < numbers.size(); ++i)
      made_.text += (i == 0 ? "[" : ",") + std::to_string(numbers[i]);
    made_.text += ']';
    at_ = *end;
  }

  void go_round(const std::string& name, std::vector<long>& numbers) const {
    for (const Ring& ring : scope_.rings) {
      const auto found = ring.find({name, numbers.size()});
      if (found == ring.end()) continue;
      for (std::size_t i = 0; i < numbers.size(); ++i) {
        const auto& [low, period] = found->second[i];
        if (period > 0) numbers[i] = low + ((numbers[i] - low) % period + period) % period;
      }
    }
  }

  std::string_view text_;
  const Scope& scope_;
  TextKind kind_;
  std::size_t at_ = 0, begin_ = 0, last_ = 0;
  TextOrProblem made_;
};

}  // namespace

std::string text_of(const std::vector<RepeatIndex>& indices) {
  std::string text;
  for (const RepeatIndex& index : indices)
    text.append(text.empty() ? "" : ", ")
        .append(index.name)
        .append(" = ")
        .append(std::to_string(index.value));
  return text;
}

Whole index_in_scope(std::string_view text, const Scope& scope) {
  return whole_number(text, [&](std::string_view name) { return look_up(name, scope); });
}

TextOrProblem in_scope(std::string_view text, const Scope& scope, TextKind kind) {
  return InScope(text, scope, kind).put();
}

}  // namespace mechfmu::reader
