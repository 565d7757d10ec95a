#include "language/backend/cpp_text.h"

#include <algorithm>
#include <vector>

#include "language/file/elements.h"
#include "model_desc/text.h"

namespace mechfmu {

namespace {

/// The places for line breaks in a text: blanks outside strings at this depth of brackets, but not
/// beside "=".
std::vector<std::string_view> split(std::string_view text, int depth) {
  std::vector<std::string_view> made;
  std::size_t begin = 0;
  int at = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\') ++i;
      in_string = c != '"';
    } else if (c == '"') {
      in_string = true;
    } else if (c == '{' || c == '(' || c == '[') {
      ++at;
    } else if (c == '}' || c == ')' || c == ']') {
      --at;
    } else if (c == ' ' && at <= depth && text[i - 1] != '=' && text[i + 1] != '=') {
      made.push_back(text.substr(begin, i - begin));
      begin = i + 1;
    }
  }
  made.push_back(text.substr(begin));
  return made;
}

/// A string that is too long for a line, as several that C++ joins.
std::vector<std::string> cut_string(std::string_view text, std::size_t longest) {
  std::vector<std::string> made(1);
  while (!text.empty()) {
    const std::size_t word = std::min(text.find(' ', 1), text.size());  // with the blank before it
    if (made.back().size() + word + 1 > longest) {
      made.back() += '"';
      made.emplace_back("\"");
    }
    made.back() += text.substr(0, word);
    text.remove_prefix(word);
  }
  return made;
}

/// Pieces that fit into a line, as large as possible: brackets stay whole if they fit.
void cut(std::string_view text, std::size_t longest, int depth, std::vector<std::string>& to) {
  for (const std::string_view piece : split(text, depth)) {
    const bool fits = piece.size() <= longest;
    if (!fits && piece.find_first_of("{([") != std::string_view::npos && depth < 8)
      cut(piece, longest, depth + 1, to);
    else if (!fits && piece.find('"') != std::string_view::npos)
      for (std::string& part : cut_string(piece, longest)) to.push_back(std::move(part));
    else
      to.emplace_back(piece);
  }
}

}  // namespace

std::string cpp_string(std::string_view text) {
  std::string made = "\"";
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') made += '\\';
    if (c == '\n') {
      made += "\\n";
    } else if (code < 32 || c == '?') {  // trigraphs and control characters
      static constexpr char digits[] = "01234567";
      made += {'\\', digits[code >> 6], digits[(code >> 3) & 7], digits[code & 7]};
    } else {
      made += c;
    }
  }
  return made + "\"";
}

std::string cpp_number(double value) {
  std::string text = tidy(value);
  if (text.find_first_of(".en") == std::string::npos) text += ".0";
  return text;
}

std::string filled(const std::string& text, std::size_t indent, std::size_t more) {
  std::string made;
  std::string line(indent, ' ');
  bool fresh = true;
  std::vector<std::string> pieces;
  cut(text, cpp_width - indent - more, 0, pieces);
  for (const std::string& piece : pieces) {
    if (!fresh && line.size() + 1 + piece.size() > cpp_width) {
      made += line + "\n";
      line.assign(indent + more, ' ');
      fresh = true;
    }
    if (!fresh) line += ' ';
    line += piece;
    fresh = false;
  }
  return made + line + "\n";
}

std::string cpp_comment(std::string_view text) {
  std::string plain;
  for (const char c : text) plain += static_cast<unsigned char>(c) < 32 || c == '\\' ? ' ' : c;
  std::string made;
  std::string line = "//";
  for (const std::string& word : words_of(plain)) {
    if (line.size() > 2 && line.size() + 1 + word.size() > cpp_width) {
      made += line + "\n";
      line = "//";
    }
    line += " " + word;
  }
  return made + line + "\n";
}

}  // namespace mechfmu
