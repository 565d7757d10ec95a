#include "model_desc/text.h"

#include <algorithm>
#include <cmath>
#include <system_error>

namespace mechfmu {

namespace {

std::string padded(std::string text, std::size_t width) {
  // letters beyond ASCII are longer in bytes than on the screen
  const auto shown = static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
  if (shown < width) text.append(width - shown, ' ');
  return text;
}

}  // namespace

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t\r\n";
  const std::size_t begin = text.find_first_not_of(blanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

std::size_t character_size(std::string_view text) {
  if (text.empty()) return 0;
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char c = byte(0);
  if (c < 0x80) return 1;
  const std::size_t size = c >= 0xf0 ? 4 : c >= 0xe0 ? 3 : 2;
  if (c < 0xc2 || c > 0xf4 || text.size() < size) return 0;
  for (std::size_t i = 1; i < size; ++i)
    if ((byte(i) & 0xc0) != 0x80) return 0;
  // overlong forms, surrogates, beyond the last plane
  if ((c == 0xe0 && byte(1) < 0xa0) || (c == 0xed && byte(1) > 0x9f) ||
      (c == 0xf0 && byte(1) < 0x90) || (c == 0xf4 && byte(1) > 0x8f))
    return 0;
  return size;
}

std::string plain_line(std::string_view text, std::size_t most) {
  std::string line;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t size = character_size(text.substr(at));
    const auto code = static_cast<unsigned char>(text[at]);
    if (size == 0)
      line += '?';
    else if ((size == 1 && (code < ' ' || code == 0x7f)) ||
             (code == 0xc2 && static_cast<unsigned char>(text[at + 1]) < 0xa0))
      line += ' ';
    else
      line += text.substr(at, size);
    at += std::max<std::size_t>(1, size);
  }
  if (line.size() <= most) return line;
  const auto first_from = [&](std::size_t at) {  // of a character
    while (at < line.size() && (line[at] & 0xC0) == 0x80) ++at;
    return at;
  };
  const std::size_t head = first_from(most - most / 3), tail = first_from(line.size() - most / 3);
  return line.replace(head, tail - head, " … ");
}

std::optional<double> parse_number(std::string_view text) {
  text = trimmed(text);
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  double x = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), x);
  if (read.ec != std::errc() || read.ptr != text.data() + text.size()) return {};
  return x;
}

std::string table(const std::vector<TextRow>& rows, std::size_t indent) {
  std::vector<std::size_t> widths;
  for (const TextRow& row : rows)
    for (std::size_t c = 0; c < row.size(); ++c) {
      if (widths.size() <= c) widths.push_back(0);
      widths[c] = std::max(widths[c], row[c].size());
    }
  std::string text;
  for (const TextRow& row : rows) {
    std::string line(indent, ' ');
    for (std::size_t c = 0; c < row.size(); ++c) line += padded(row[c], widths[c] + 2);
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

std::string value_text(Type type, double value) {
  switch (type) {
    case Type::real: return shortest(value);
    case Type::boolean: return value != 0 ? "true" : "false";
    case Type::integer:
    case Type::enumeration: break;
  }
  return std::to_string(std::llround(value));
}

const char* text(Causality causality) {
  switch (causality) {
    case Causality::independent: return "independent";
    case Causality::parameter: return "parameter";
    case Causality::input: return "input";
    case Causality::output: return "output";
    case Causality::local: break;
  }
  return "local";
}

const char* text(Variability variability) {
  switch (variability) {
    case Variability::discrete: return "discrete";
    case Variability::tunable: return "tunable";
    case Variability::fixed: return "fixed";
    case Variability::continuous: break;
  }
  return "continuous";
}

const char* text(Initial initial) {
  switch (initial) {
    case Initial::exact: return "exact";
    case Initial::approx: return "approx";
    case Initial::none:
    case Initial::calculated: break;
  }
  return "calculated";
}

}  // namespace mechfmu
