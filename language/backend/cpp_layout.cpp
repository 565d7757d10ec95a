#include "language/backend/cpp_layout.h"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

namespace mechfmu {

namespace {

constexpr std::size_t endless = std::numeric_limits<std::size_t>::max() / 4;
constexpr std::size_t deeper = 4;  // of a line that goes on
constexpr std::size_t inside = 2;  // of the statements of a block

struct Part;
using Sequence = std::vector<Part>;

struct Part {
  enum class Kind { text, literal, bracket, block };
  Kind kind = Kind::text;
  std::string text{};             // of a text or literal; the opening one of a bracket
  std::vector<Sequence> items{};  // of a bracket; statements of a block
};

std::size_t length(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

char closing(const std::string& opening) {
  return opening == "(" ? ')' : opening == "[" ? ']' : '}';
}

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  /// Up to a bracket that closes, a comma in `list`, or the end of a statement.
  Sequence sequence(bool list) {
    Sequence parts;
    std::string run;
    const auto flush = [&] {
      if (!run.empty()) parts.push_back({Part::Kind::text, std::exchange(run, {})});
    };
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == ')' || c == ']' || c == '}' || c == '\n' || (list && c == ',')) break;
      if (c == '"') {
        flush();
        parts.push_back({Part::Kind::literal, literal()});
      } else if (c == '(' || c == '[' || c == '{') {
        flush();
        parts.push_back(bracket());
      } else {
        run += c;
        ++at_;
      }
    }
    flush();
    return parts;
  }

 private:
  std::string literal() {
    const std::size_t begin = at_++;
    while (at_ < text_.size() && text_[at_] != '"') at_ += text_[at_] == '\\' ? 2 : 1;
    return std::string(text_.substr(begin, ++at_ - begin));
  }

  Part bracket() {
    Part part{Part::Kind::bracket, std::string(1, text_[at_++])};
    const char first = at_ < text_.size() ? text_[at_] : '\0';
    if (part.text == "{" && (first == ' ' || first == '\n')) {
      part.kind = Part::Kind::block;
      while (at_ < text_.size() && text_[at_] != '}') {
        while (text_[at_] == ' ' || text_[at_] == '\n') ++at_;
        if (text_[at_] == '}') break;
        part.items.push_back(sequence(false));
        trim(part.items.back());
      }
    } else {
      while (at_ < text_.size() && text_[at_] != closing(part.text)) {
        while (text_[at_] == ' ' || text_[at_] == ',') ++at_;
        part.items.push_back(sequence(true));
      }
    }
    if (at_ < text_.size()) ++at_;
    return part;
  }

  static void trim(Sequence& parts) {
    std::string& last = parts.back().text;
    while (!last.empty() && last.back() == ' ') last.pop_back();
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

class Printer {
 public:
  explicit Printer(std::size_t width) : width_(width) {}

  void statement(const Sequence& parts, std::size_t indent) {
    start_line(indent);
    sequence(parts, indent, 0);
    text_ += '\n';
  }
  std::string take() { return std::move(text_); }

 private:
  // On one line

  static std::size_t flat_length(const Part& part) {
    if (part.kind == Part::Kind::text || part.kind == Part::Kind::literal) return length(part.text);
    if (part.kind == Part::Kind::block)
      return part.items.size() > 1 ? endless : flat_length(part.items[0]) + 4;
    std::size_t sum = 2;
    for (const Sequence& item : part.items) sum += flat_length(item) + 2;
    return std::min(part.items.empty() ? sum : sum - 2, endless);
  }
  static std::size_t flat_length(const Sequence& parts) {
    std::size_t sum = 0;
    for (const Part& part : parts) sum += flat_length(part);
    return std::min(sum, endless);
  }
  void flat(const Part& part) {
    switch (part.kind) {
      case Part::Kind::text:
      case Part::Kind::literal: return put(part.text);
      case Part::Kind::block:
        put("{ ");
        flat(part.items[0]);
        return put(" }");
      case Part::Kind::bracket: break;
    }
    put(part.text);
    for (std::size_t i = 0; i < part.items.size(); ++i) {
      if (i > 0) put(", ");
      flat(part.items[i]);
    }
    put(std::string(1, closing(part.text)));
  }
  void flat(const Sequence& parts) {
    for (const Part& part : parts) flat(part);
  }

  void put(std::string_view text) {
    text_ += text;
    column_ += length(text);
  }
  void start_line(std::size_t indent) {
    while (!text_.empty() && text_.back() == ' ') text_.pop_back();
    if (!text_.empty() && text_.back() != '\n') text_ += '\n';
    text_.append(indent, ' ');
    column_ = indent;
  }
  bool fits(std::size_t size) const { return column_ + size <= width_; }

  // On several

  /// `after`: what follows on the last line.
  void sequence(const Sequence& parts, std::size_t indent, std::size_t after) {
    if (fits(flat_length(parts) + after)) return flat(parts);
    if (operators(parts, indent, after)) return;
    // the longest bracket gets lines, the others stay as they are
    std::size_t longest = 0;
    for (std::size_t i = 1; i < parts.size(); ++i)
      if (breakable(parts[i]) >= breakable(parts[longest])) longest = i;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      std::size_t rest = after;
      for (std::size_t k = i + 1; k < parts.size(); ++k) rest += flat_length(parts[k]);
      if (i != longest)
        flat(parts[i]);
      else
        open(parts[i], indent, std::min(rest, width_ / 2));
    }
  }
  static std::size_t breakable(const Part& part) {
    if (part.kind == Part::Kind::text) return 0;
    return part.kind == Part::Kind::block ? endless + 1 : flat_length(part);
  }

  void open(const Part& part, std::size_t indent, std::size_t after) {
    switch (part.kind) {
      case Part::Kind::text: return put(part.text);
      case Part::Kind::literal: return literal(part.text, indent + deeper, after);
      case Part::Kind::block: return block(part, indent);
      case Part::Kind::bracket: break;
    }
    const char close = closing(part.text);
    const Sequence& last = part.items.back();
    const bool ends_in_block = last.back().kind == Part::Kind::block;
    std::size_t head = 1;
    for (std::size_t i = 0; i + 1 < part.items.size(); ++i) head += flat_length(part.items[i]) + 2;
    for (std::size_t i = 0; i + 1 < last.size(); ++i) head += flat_length(last[i]);
    put(part.text);
    if (ends_in_block && fits(head)) {
      // a lambda at the end: its statements are all that needs lines
      for (std::size_t i = 0; i + 1 < part.items.size(); ++i) {
        flat(part.items[i]);
        put(", ");
      }
      for (std::size_t i = 0; i + 1 < last.size(); ++i) flat(last[i]);
      block(last.back(), indent);
    } else if (part.items.size() == 1 && last.back().kind == Part::Kind::bracket &&
               last.size() <= 2 && fits(head + 1)) {
      if (last.size() == 2) flat(last[0]);
      const Part& inner = last.back();  // ({ … }), (VectorForceData{ … })
      put(inner.text);
      start_line(indent + deeper);
      fill(inner.items, indent + deeper, after + 2);
      put(std::string(1, closing(inner.text)));
    } else if (part.items.size() == 1 && part.text == "(" && column_ < width_ / 2) {
      sequence(part.items[0], column_ - deeper, after + 1);  // lines begin after the bracket
    } else {
      const bool near = column_ <= indent + deeper + 6;
      const std::size_t at = near ? column_ : indent + deeper;
      if (!near) start_line(at);
      fill(part.items, at, after + 1);
    }
    put(std::string(1, close));
  }

  void fill(const std::vector<Sequence>& items, std::size_t indent, std::size_t after) {
    bool fresh = true;  // nothing may follow on this line
    for (std::size_t i = 0; i < items.size(); ++i) {
      const std::size_t rest = i + 1 < items.size() ? 1 : after;
      const bool alone = indent + flat_length(items[i]) + rest > width_;
      if (i > 0) put(",");
      if (i > 0 && (fresh || alone || !fits(1 + flat_length(items[i]) + rest)))
        start_line(indent);
      else if (i > 0)
        put(" ");
      sequence(items[i], indent, rest);
      fresh = alone;
    }
  }

  void block(const Part& part, std::size_t indent) {
    put("{");
    for (const Sequence& each : part.items) {
      start_line(indent + inside);
      sequence(each, indent + inside, 0);
    }
    start_line(indent);
    put("}");
  }

  /// "…" with breaks at blanks, each piece a literal of its own.
  void literal(const std::string& text, std::size_t indent, std::size_t after) {
    start_line(indent);
    std::string_view rest = std::string_view(text).substr(1, text.size() - 2);
    while (true) {
      std::size_t end = rest.size();
      if (indent + length(rest) + 2 + after > width_) {
        std::size_t last = std::string_view::npos;
        for (std::size_t i = rest.find(' '); i != std::string_view::npos;
             i = rest.find(' ', i + 1)) {
          const bool fitting = indent + length(rest.substr(0, i + 1)) + 2 <= width_;
          if (fitting || last == std::string_view::npos) last = i;
          if (!fitting) break;
        }
        if (last != std::string_view::npos) end = last + 1;
      }
      put("\"" + std::string(rest.substr(0, end)) + "\"");
      rest.remove_prefix(end);
      if (rest.empty()) return;
      start_line(indent);
    }
  }

  // Operators

  /// How loosely an operator at this place of a text binds; 0: there is none.
  static int operator_at(std::string_view text, std::size_t at) {
    static constexpr std::pair<std::string_view, int> table[] = {
        {" ? ", 6},  {" : ", 6},  {" || ", 5}, {" && ", 4}, {" < ", 3}, {" > ", 3}, {" <= ", 3},
        {" >= ", 3}, {" == ", 3}, {" != ", 3}, {" + ", 2},  {" - ", 2}, {" * ", 1}, {" / ", 1}};
    for (const auto& [word, level] : table)
      if (text.substr(at, word.size()) == word) return level;
    return 0;
  }

  /// Breaks before the loosest operators, if there are any outside of brackets.
  bool operators(const Sequence& parts, std::size_t indent, std::size_t after) {
    int loosest = 0;
    for (const Part& part : parts) {
      if (part.kind == Part::Kind::block) return false;
      if (part.kind != Part::Kind::text) continue;
      for (std::size_t i = 0; i < part.text.size(); ++i)
        loosest = std::max(loosest, operator_at(part.text, i));
    }
    if (loosest == 0) return false;
    // a * (b + c + …): the sum gets the lines
    if (loosest == 1)
      for (const Part& part : parts)
        if (part.kind == Part::Kind::bracket && flat_length(part) > width_ / 2) return false;
    std::vector<Sequence> operands(1);
    for (const Part& part : parts) {
      if (part.kind != Part::Kind::text) {
        operands.back().push_back(part);
        continue;
      }
      std::size_t begin = 0;
      const auto push = [&](std::size_t end) {
        if (end > begin)
          operands.back().push_back({Part::Kind::text, part.text.substr(begin, end - begin)});
      };
      for (std::size_t i = 0; i < part.text.size(); ++i) {
        if (operator_at(part.text, i) != loosest) continue;
        push(i);
        operands.emplace_back();
        begin = i + 1;  // without the blank
      }
      push(part.text.size());
    }
    for (std::size_t i = 0; i < operands.size(); ++i) {
      const std::size_t rest = i + 1 < operands.size() ? 0 : after;
      if (i > 0 && !fits(1 + flat_length(operands[i]) + rest))
        start_line(indent + deeper);
      else if (i > 0)
        put(" ");
      sequence(operands[i], indent + (i > 0 ? deeper : 0), rest);
    }
    return true;
  }

  std::size_t width_;
  std::string text_;
  std::size_t column_ = 0;
};

}  // namespace

std::string laid_out(std::string_view statement, std::size_t indent, std::size_t width) {
  Printer printer(width);
  printer.statement(Parser(statement).sequence(false), indent);
  return printer.take();
}

}  // namespace mechfmu
