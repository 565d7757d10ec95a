#include "model_desc/json_value.h"

#include <cmath>

#include "model_desc/text.h"

namespace mechfmu {

namespace {

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  std::optional<JsonValue> run() {
    JsonValue made;
    if (!value(made, 0)) return {};
    skip();
    if (at_ != text_.size()) return {};
    return made;
  }

 private:
  static constexpr int deepest = 100;

  void skip() {
    while (at_ < text_.size() && std::string_view(" \t\r\n").find(text_[at_]) != std::string::npos)
      ++at_;
  }
  bool take(std::string_view word) {
    skip();
    if (!text_.substr(at_).starts_with(word)) return false;
    at_ += word.size();
    return true;
  }

  bool value(JsonValue& to, int depth) {
    if (depth > deepest) return false;
    if (take("{")) return object(to, depth);
    if (take("[")) return list(to, depth);
    if (take("null")) return true;
    for (const auto& [word, number] : {std::pair{"false", 0.0}, {"true", 1.0}})
      if (take(word)) {
        to.kind = JsonValue::Kind::boolean;
        to.number = number;
        return true;
      }
    if (at_ < text_.size() && text_[at_] == '"') {
      to.kind = JsonValue::Kind::text;
      return string(to.text);
    }
    const std::size_t end = std::min(text_.find_first_not_of("+-.eE0123456789", at_), text_.size());
    const auto number = parse_number(text_.substr(at_, end - at_));
    if (!number || !std::isfinite(*number)) return false;
    at_ = end;
    to.kind = JsonValue::Kind::number;
    to.number = *number;
    return true;
  }

  bool object(JsonValue& to, int depth) {
    to.kind = JsonValue::Kind::object;
    if (take("}")) return true;
    do {
      skip();
      auto& [name, member] = to.members.emplace_back(std::string(), JsonValue());
      if (!string(name) || !take(":") || !value(member, depth + 1)) return false;
    } while (take(","));
    return take("}");
  }

  bool list(JsonValue& to, int depth) {
    to.kind = JsonValue::Kind::list;
    if (take("]")) return true;
    do {
      if (!value(to.list.emplace_back(), depth + 1)) return false;
    } while (take(","));
    return take("]");
  }

  bool string(std::string& to) {
    if (at_ == text_.size() || text_[at_++] != '"') return false;
    while (at_ < text_.size() && text_[at_] != '"') {
      char c = text_[at_++];
      if (static_cast<unsigned char>(c) < 0x20) return false;
      if (c == '\\') {
        constexpr std::string_view names = "\"\\/bfnrt", meant = "\"\\/\b\f\n\r\t";
        if (at_ == text_.size()) return false;
        const std::size_t known = names.find(text_[at_]);
        if (known != std::string_view::npos) {
          c = meant[known];
          ++at_;
        } else if (text_[at_] == 'u') {
          unsigned code = 0;
          if (!hexadecimal(code)) return false;
          append_utf8(to, code);
          continue;
        } else {
          return false;
        }
      }
      to += c;
    }
    return at_ < text_.size() && text_[at_++] == '"';
  }

  /// u0041, or a pair of them for characters above U+FFFF
  bool hexadecimal(unsigned& code) {
    const auto four = [&](unsigned& number) {
      if (text_.size() - at_ < 5 || text_[at_] != 'u') return false;
      number = 0;
      for (std::size_t i = 1; i < 5; ++i) {
        const std::size_t digit =
            std::string_view("0123456789abcdef0123456789ABCDEF").find(text_[at_ + i]);
        if (digit == std::string_view::npos) return false;
        number = 16 * number + static_cast<unsigned>(digit % 16);
      }
      at_ += 5;
      return true;
    };
    if (!four(code)) return false;
    if (code < 0xD800 || code > 0xDFFF) return true;
    unsigned second = 0;
    if (code > 0xDBFF || at_ == text_.size() || text_[at_++] != '\\' || !four(second) ||
        second < 0xDC00 || second > 0xDFFF)
      return false;
    code = 0x10000 + ((code - 0xD800) << 10) + (second - 0xDC00);
    return true;
  }

  static void append_utf8(std::string& to, unsigned code) {
    const auto tail = [&](int shift) { to += static_cast<char>(0x80 | (code >> shift & 0x3F)); };
    if (code < 0x80) {
      to += static_cast<char>(code);
    } else if (code < 0x800) {
      to += static_cast<char>(0xC0 | code >> 6);
      tail(0);
    } else if (code < 0x10000) {
      to += static_cast<char>(0xE0 | code >> 12);
      tail(6), tail(0);
    } else {
      to += static_cast<char>(0xF0 | code >> 18);
      tail(12), tail(6), tail(0);
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

const JsonValue nothing{};

}  // namespace

const JsonValue& JsonValue::operator[](std::string_view name) const {
  for (const auto& [own, value] : members)
    if (own == name) return value;
  return nothing;
}

const JsonValue& JsonValue::operator[](std::size_t place) const {
  return place < list.size() ? list[place] : nothing;
}

std::optional<std::size_t> JsonValue::count() const {
  if (kind != Kind::number || !(number >= 0 && number <= 9e15) || number != std::floor(number))
    return {};
  return static_cast<std::size_t>(number);
}

std::optional<JsonValue> read_json(std::string_view text) { return Reader(text).run(); }

}  // namespace mechfmu
