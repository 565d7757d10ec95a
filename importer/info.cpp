#include "importer/info.h"

#include <algorithm>
#include <array>

#include "importer/fmu.h"
#include "model/format.h"
#include "model_desc/text.h"

namespace mechfmu {

namespace {

using C = FmuVariable::Causality;

constexpr std::size_t widest_cell = 36;
constexpr std::size_t narrowest_text = 24;

/// Whether a byte begins a UTF-8 character.
bool is_first(char c) { return (static_cast<unsigned char>(c) & 0xc0U) != 0x80; }

/// The number of characters on a terminal.
std::size_t length(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, is_first));
}

std::string padded(const std::string& text, std::size_t width) {
  return text + std::string(width - std::min(width, length(text)), ' ');
}

/// Cuts a text to `width` characters; the last one marks the cut.
std::string cut(const std::string& text, std::size_t width) {
  if (length(text) <= width) return text;
  std::size_t bytes = 0;
  for (std::size_t n = 0; n < width; ++bytes)
    if (is_first(text[bytes])) ++n;
  return text.substr(0, bytes - 1) + "…";
}

/// Words in lines; all but the first begin at column `indent`.
std::string wrapped(std::string_view text, std::size_t indent, std::size_t width) {
  std::string lines;
  std::size_t column = indent;
  bool first = true;
  while (!(text = trimmed(text)).empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(word.size());
    if (!first && column + 1 + length(word) > width) {
      lines += "\n" + std::string(indent, ' ');
      column = indent;
    } else if (!first) {
      lines += ' ';
      ++column;
    }
    lines += word;
    column += length(word);
    first = false;
  }
  return lines;
}

std::string range(const FmuVariable& v) {
  if (!v.items.empty()) return {};
  if (v.min && v.max) return format(*v.min) + " … " + format(*v.max);
  if (v.min) return "≥ " + format(*v.min);
  if (v.max) return "≤ " + format(*v.max);
  return {};
}

/// The description with the items of an enumeration.
std::string about(const FmuVariable& v) {
  std::vector<std::string> names;
  for (const FmuVariable::Item& item : v.items) names.push_back(item.name);
  if (names.empty()) return plain_line(v.about);
  return plain_line(v.about + (v.about.empty() ? "" : ": ") + joined(names, " | "));
}

std::string start(const FmuVariable& v) {
  for (const FmuVariable::Item& item : v.items)
    if (std::to_string(item.value) == trimmed(v.start)) return item.name;
  return v.start;
}

std::string name(const FmuVariable& v) {
  if (v.dimensions.empty()) return v.name;
  std::vector<std::string> sizes;
  for (const std::size_t n : v.dimensions) sizes.push_back(std::to_string(n));
  return v.name + "[" + joined(sizes, ",") + "]";
}

/// Columns of minimum width, without empty columns; descriptions fill the rest of the width.
std::string table(const std::string& title, const std::vector<const FmuVariable*>& variables,
                  std::size_t width) {
  if (variables.empty()) return {};
  constexpr std::size_t columns = 4;
  using Row = std::array<std::string, columns>;
  std::vector<Row> rows = {{"name", "start", "unit", "range"}};
  for (const FmuVariable* v : variables) {
    Row row = {name(*v), start(*v), v->unit == "1" ? "" : v->unit, range(*v)};
    for (std::size_t c = 0; c < columns; ++c) {
      row[c] = plain_line(row[c]);
      if (c > 0) row[c] = cut(row[c], widest_cell);
    }
    rows.push_back(std::move(row));
  }
  std::array<std::size_t, columns> widths{};
  for (std::size_t r = 1; r < rows.size(); ++r)
    for (std::size_t c = 0; c < columns; ++c)
      widths[c] = std::max(widths[c], std::min(length(rows[r][c]), widest_cell));
  std::size_t indent = 2;
  for (std::size_t c = 0; c < columns; ++c) {
    if (widths[c] == 0) continue;
    widths[c] = std::max(widths[c], length(rows[0][c]));
    indent += widths[c] + 2;
  }
  const bool described =
      std::ranges::any_of(variables, [](const auto* v) { return !about(*v).empty(); });
  const bool beside = indent + narrowest_text <= width;

  const std::string heading = beside && described ? "description" : "";
  std::string text = "\n" + title + " (" + std::to_string(variables.size()) + ")\n";
  for (std::size_t r = 0; r < rows.size(); ++r) {
    std::string line = "  ";
    for (std::size_t c = 0; c < columns; ++c)
      if (widths[c] > 0) line += padded(rows[r][c], widths[c]) + "  ";
    const std::string words = r > 0 ? about(*variables[r - 1]) : heading;
    if (beside && length(line) <= indent) {
      line += wrapped(words, indent, width);
    } else if (!words.empty()) {
      line.erase(line.find_last_not_of(' ') + 1);
      const std::size_t below = beside ? indent : 6;
      line += "\n" + std::string(below, ' ') + wrapped(words, below, width);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

}  // namespace

std::string describe_text(const FmuDescription& fmu, const std::vector<std::string>& platforms,
                          std::size_t width, bool has_sources) {
  constexpr std::size_t indent = 14;
  std::string page = wrapped(plain_line(fmu.model), 0, width) + "\n";
  if (!fmu.about.empty()) page += wrapped(plain_line(fmu.about), 0, width) + "\n";
  page += "\n";
  const auto line = [&](const char* what, const std::string& value) {
    if (!value.empty())
      page += padded("  " + std::string(what), indent) + wrapped(plain_line(value), indent, width) +
              "\n";
  };

  std::vector<std::string> kinds;
  if (fmu.co_simulation) kinds.emplace_back("co-simulation");
  if (fmu.model_exchange) kinds.emplace_back("model exchange");
  if (fmu.scheduled_execution) kinds.emplace_back("scheduled execution");
  line("FMI", fmu.version + ", " + joined(kinds, ", "));
  line("tool", fmu.tool);
  line("made", fmu.date);
  line("version", fmu.model_version);
  line("author", fmu.author);
  line("licence", fmu.license);
  std::vector<std::string> experiment;
  if (fmu.start || fmu.stop)
    experiment.push_back("from " + shortest(fmu.start.value_or(0)) +
                         (fmu.stop ? " to " + shortest(*fmu.stop) : "") + " s");
  if (fmu.step) experiment.push_back("step " + shortest(*fmu.step) + " s");
  if (fmu.tolerance) experiment.push_back("tolerance " + shortest(*fmu.tolerance));
  line("experiment", joined(experiment, ", "));
  std::vector<std::string> abilities;
  if (fmu.co_simulation)
    for (const auto& [ability, value] : fmu.co_simulation->capabilities) {
      if (value == "true")
        abilities.push_back(ability);
      else if (const auto number = parse_number(value); number && *number != 0)
        abilities.push_back(joined({ability, value}, "="));
    }
  line("abilities", joined(abilities, ", "));
  line("binaries", platforms.empty() ? "none" : joined(platforms, ", "));
  if (has_sources) line("sources", "all that it takes to compile the FMU");

  std::vector<const FmuVariable*> parameters;
  std::vector<const FmuVariable*> inputs;
  std::vector<const FmuVariable*> outputs;
  std::size_t others = 0;
  for (const FmuVariable& v : fmu.variables) {
    if (v.causality == C::parameter || v.causality == C::structural_parameter)
      parameters.push_back(&v);
    else if (v.causality == C::input)
      inputs.push_back(&v);
    else if (v.causality == C::output)
      outputs.push_back(&v);
    else if (v.causality != C::independent)
      ++others;
  }
  page += table("Inputs", inputs, width) + table("Outputs", outputs, width) +
          table("Parameters", parameters, width);
  if (others > 0) page += "\nand " + std::to_string(others) + " local variables\n";
  return page;
}

std::string describe_text(const std::filesystem::path& folder, std::size_t width) {
  return describe_text(read_description(folder / "modelDescription.xml"), platforms(folder), width,
                       std::filesystem::is_directory(folder / "sources"));
}

}  // namespace mechfmu
