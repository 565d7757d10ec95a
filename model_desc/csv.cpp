#include "model_desc/csv.h"

#include <algorithm>

#include "model_desc/text.h"

namespace mechfmu {

namespace {

/// A line without its comment, which a # outside quotes begins.
std::string_view without_comment(std::string_view line) {
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"') quoted = !quoted;
    if (line[i] == '#' && !quoted) return line.substr(0, i);
  }
  return line;
}

/// The separator of the cells of a line.
std::string_view separator_of(std::string_view line) {
  bool comma = false;
  bool tab = false;
  bool quoted = false;
  for (const char c : line) {
    if (c == '"') quoted = !quoted;
    if (quoted) continue;
    if (c == ';') return ";";
    comma = comma || c == ',';
    tab = tab || c == '\t';
  }
  return comma ? "," : tab ? "\t" : " ";
}

}  // namespace

CsvLines::CsvLines(std::string_view text) : left_(text) {
  if (left_.starts_with("\xef\xbb\xbf")) left_.remove_prefix(3);  // byte order mark
}

bool CsvLines::next() {
  while (!left_.empty()) {
    const std::size_t end = left_.find('\n');
    const std::string_view line = trimmed(without_comment(left_.substr(0, end)));
    left_.remove_prefix(end == std::string_view::npos ? left_.size() : end + 1);
    ++number_;
    if (line.empty()) continue;
    split(line);
    return true;
  }
  return false;
}

void CsvLines::split(std::string_view line) {
  cells_.clear();
  problem_.clear();
  const std::string_view separator = separator_of(line);
  while (true) {
    std::string cell;
    if (separator != "\t") line = trimmed(line);
    if (line.starts_with('"')) {
      line.remove_prefix(1);
      while (!line.empty() && (!line.starts_with('"') || line.starts_with("\"\""))) {
        cell += line.front();
        line.remove_prefix(line.front() == '"' ? 2 : 1);
      }
      if (line.empty()) {
        problem_ = "a quote is not closed";
        return;
      }
      line.remove_prefix(1);
      const std::size_t rest = std::min(line.find(separator), line.size());
      if (!trimmed(line.substr(0, rest)).empty())
        problem_ = "unexpected text between a quote and the end of its cell";
      line.remove_prefix(rest);
    } else {
      const std::string_view plain = line.substr(0, line.find(separator));
      cell = trimmed(plain);
      line.remove_prefix(plain.size());
    }
    cells_.push_back(std::move(cell));
    if (line.empty()) return;
    line.remove_prefix(1);
  }
}

std::string csv_name(const std::string& name) {
  if (!name.empty() && name.find_first_of(",;\t\"#\r\n") == std::string::npos &&
      name.front() != ' ' && name.back() != ' ')
    return name;
  std::string quoted = "\"";
  for (const char c : name) {
    if (c == '"') quoted += c;
    quoted += c;
  }
  return quoted + '"';
}

}  // namespace mechfmu
