#include "model_desc/diagnostics.h"

#include <algorithm>
#include <utility>

#include "model_desc/text.h"

namespace mechfmu {

namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// Twice the number of letters to change, insert, delete or swap with their neighbour; a letter in
/// the other case counts half. (Optimal string alignment.)
std::size_t distance(std::string_view a, std::string_view b) {
  const std::size_t n = b.size();
  std::vector<std::size_t> before(n + 1), last(n + 1), row(n + 1);
  for (std::size_t j = 0; j <= n; ++j) last[j] = 2 * j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = 2 * i;
    for (std::size_t j = 1; j <= n; ++j) {
      const char x = a[i - 1], y = b[j - 1];
      const std::size_t change = x == y ? 0 : lower(x) == lower(y) ? 1 : 2;
      row[j] = std::min({last[j - 1] + change, last[j] + 2, row[j - 1] + 2});
      if (i > 1 && j > 1 && x == b[j - 2] && a[i - 2] == y)
        row[j] = std::min(row[j], before[j - 2] + 2);
    }
    std::swap(before, last);
    std::swap(last, row);
  }
  return last[n];
}

/// body 'link[3]' → body 'link[]', shape (i = 3) → shape ()
std::string without_indices(std::string_view element) {
  std::string kept;
  bool inside = false;
  for (const char c : element) {
    if (c == ']' || c == ')') inside = false;
    if (!inside) kept += c;
    inside = inside || c == '[' || c == '(';
  }
  return kept;
}

bool has_indices(std::string_view element) {
  return element.find_first_of("[(") != std::string_view::npos;
}

}  // namespace

std::string text(const Diagnostic& d, bool marked) {
  std::string all = d.place.file;
  if (d.place.line > 0) all += ":" + std::to_string(d.place.line);
  if (!all.empty()) all += ": ";
  if (d.severity == Severity::warning) all += "warning: ";
  if (d.severity == Severity::error && marked) all += "error: ";
  if (!d.element.empty()) all += d.element + ": ";
  return all + d.message;
}

void Diagnostics::error(const Place& place, std::string element, std::string attribute,
                        std::string message, int column) {
  add({Severity::error, place, std::move(element), std::move(attribute), std::move(message),
       column});
}

void Diagnostics::warning(const Place& place, std::string element, std::string attribute,
                          std::string message, int column) {
  add({Severity::warning, place, std::move(element), std::move(attribute), std::move(message),
       column});
}

void Diagnostics::announce(const std::string& file) {
  if (std::find(files_.begin(), files_.end(), file) == files_.end()) files_.push_back(file);
}

void Diagnostics::add(Diagnostic d) {
  if (full()) {
    if (d.severity == Severity::error) {
      ++errors_;
      ++left_out_;
    }
    return;
  }
  // names and values are quoted as written in the file, which may be untrusted
  constexpr std::size_t longest_name = 200;
  constexpr std::size_t longest = 1500;
  d.element = plain_line(d.element, longest_name);
  d.message = plain_line(d.message, longest);
  const auto known = std::tuple(d.place.file, d.place.line, d.element, d.message);
  if (known_.contains(known)) return;
  if (has_indices(d.element)) {
    const Spot spot{d.severity, d.place.file, d.place.line, without_indices(d.element),
                    d.attribute};
    const auto [found, is_new] =
        copies_.try_emplace(spot, Copies{list_.size(), d.element, d.element});
    Copies& copies = found->second;
    if (!is_new && d.element != copies.first) {
      if (d.element != copies.last) ++copies.more;
      copies.last = d.element;
      return;
    }
  }
  known_.insert(known);
  announce(d.place.file);
  if (d.severity == Severity::error) ++errors_;
  list_.push_back(std::move(d));
}

bool Diagnostics::would_drop(const Place& place, const std::string& element,
                             const std::string& attribute) const {
  if (full()) return true;
  if (!has_indices(element)) return false;
  const auto found =
      copies_.find({Severity::error, place.file, place.line, without_indices(element), attribute});
  return found != copies_.end() && found->second.first != element;
}

std::vector<Diagnostic> Diagnostics::sorted() const {
  std::vector<Diagnostic> all = list_;
  for (const auto& [spot, copies] : copies_)
    if (copies.more > 0)
      all[copies.complaint].message += " (and in " + std::to_string(copies.more) + " more " +
                                       (copies.more == 1 ? "copy)" : "copies)");
  const auto rank = [this](const Diagnostic& d) {
    const auto file = std::find(files_.begin(), files_.end(), d.place.file);
    return std::pair(file - files_.begin(), d.place.line);
  };
  std::stable_sort(all.begin(), all.end(),
                   [&](const Diagnostic& a, const Diagnostic& b) { return rank(a) < rank(b); });
  return all;
}

std::string Diagnostics::text(bool marked) const {
  std::string all;
  for (const Diagnostic& d : sorted()) all += mechfmu::text(d, marked) + "\n";
  if (left_out_ > 0) all += "and " + std::to_string(left_out_) + " more errors\n";
  return all;
}

std::string Report::text(int column, std::string message) const {
  constexpr std::size_t at_a_glance = 16;
  message = without_prefix(std::move(message), prefix);
  if (!attribute.empty()) message.insert(0, attribute + ": ");
  if (column > 0 && length > at_a_glance) message += " (column " + std::to_string(column) + ")";
  return message;
}

void Report::error(int column, std::string message) {
  has_failed = true;
  list.error(place, element, attribute, text(column, std::move(message)), column);
}

void Report::warning(int column, std::string message) {
  list.warning(place, element, attribute, text(column, std::move(message)), column);
}

std::string without_prefix(std::string message, std::string_view prefix) {
  if (prefix.empty()) return message;
  for (std::size_t at = message.find(prefix); at != std::string::npos;
       at = message.find(prefix, at))
    if (at == 0 || std::string_view(" '\"(-+*/").find(message[at - 1]) != std::string_view::npos)
      message.erase(at, prefix.size());
    else
      at += prefix.size();
  return message;
}

std::string did_you_mean(std::string_view written, const std::vector<std::string>& candidates) {
  constexpr std::size_t longest = 100;
  if (written.empty() || written.size() > longest) return {};
  std::string best;
  std::size_t least = 0;
  for (std::size_t i = 0; i < std::min<std::size_t>(candidates.size(), 5000); ++i) {
    const std::string& candidate = candidates[i];
    // One letter in three may be wrong; of two letters one may be too many.
    const std::size_t size = std::max(written.size(), candidate.size());
    const std::size_t difference = size - std::min(written.size(), candidate.size());
    const bool short_name = size < 2 || (size == 2 && difference == 0);
    const std::size_t allowed = short_name ? 1 : 2 * std::max<std::size_t>(1, size / 3);
    if (size > longest || 2 * difference > allowed) continue;
    const std::size_t d = distance(written, candidate);
    if (d > allowed || (!best.empty() && d >= least)) continue;
    best = candidate;
    least = d;
  }
  return best;
}

std::string suggestion(std::string_view written, const std::vector<std::string>& candidates) {
  const std::string meant = did_you_mean(written, candidates);
  return meant.empty() ? std::string() : "; did you mean '" + meant + "'?";
}

}  // namespace mechfmu
