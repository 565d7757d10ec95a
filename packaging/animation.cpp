#include "packaging/animation.h"

#include <zlib.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <set>
#include <stdexcept>

#include "language/backend/listing.h"
#include "model_desc/json.h"
#include "model_desc/text.h"
#include "packaging/terminal.h"
#include "scene/build.h"

namespace mechfmu {

void Recording::begin(std::vector<Variable> all) {
  variables = std::move(all);
  values.assign(variables.size(), {});
}

void Recording::add(std::span<const double> row) {
  last_.assign(row.begin(), row.end());
  if (row[0] < next_) return;
  for (std::size_t i = 0; i < row.size(); ++i) values[i].push_back(static_cast<float>(row[i]));
  next_ = row[0] + spacing * (1 - 1e-6);
  last_.clear();
}

void Recording::end() {
  for (std::size_t i = 0; i < last_.size(); ++i) values[i].push_back(static_cast<float>(last_[i]));
  last_.clear();
}

int Recording::find(const std::string& name) const {
  for (std::size_t i = 0; i < variables.size(); ++i)
    if (variables[i].name == name) return static_cast<int>(i);
  return -1;
}

scene::Scene scene_of(const LoadedMechanism& mechanism,
                      const std::vector<std::pair<std::string, std::string>>& set) {
  const mechanics::Listing listing = make_listing(mechanism.plan, Looks::with);
  std::vector<double> settings;
  for (const mechanics::Listing::Setting& setting : listing.settings) {
    settings.push_back(setting.value);
    for (const auto& [name, value] : set)
      if (const auto number = parse_number(value); name == setting.name && number)
        settings.back() = *number;
  }
  try {
    return scene::make_scene(listing, settings, mechanism.names);
  } catch (const std::invalid_argument& error) {
    throw WrongFile(mechanism.plan.name + ": " + error.what());
  }
}

namespace {

std::string deflated(const std::string& bytes) {
  z_stream stream{};
  if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, -MAX_WBITS, 9, Z_DEFAULT_STRATEGY) !=
      Z_OK)
    throw std::runtime_error("cannot deflate the frames");
  std::string out(deflateBound(&stream, static_cast<uLong>(bytes.size())), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  const int code = deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  if (code != Z_STREAM_END) throw std::runtime_error("cannot deflate the frames");
  return out;
}

std::string base64(const std::string& bytes) {
  constexpr const char* digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t word = 0;
    for (std::size_t k = 0; k < 3; ++k)
      word = word << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0U);
    for (std::size_t k = 0; k < 4; ++k)
      text += i + k > bytes.size() ? '=' : digits[word >> (18 - 6 * k) & 63];
  }
  return text;
}

bool is_constant(const std::vector<float>& values) {
  return std::all_of(values.begin(), values.end(), [&](float x) {
    return std::bit_cast<std::uint32_t>(x) == std::bit_cast<std::uint32_t>(values.front());
  });
}

/// A variable that changes.
struct Column {
  std::size_t variable = 0;
  double step = 0;  // of rounding; 0: not rounded
};

/// The power of two that is 2^−bits of the largest number, or 0 where not all numbers are finite.
double step_of(const std::vector<float>& values, int bits) {
  double most = 0;
  for (const float x : values) {
    if (!std::isfinite(x)) return 0;
    most = std::max(most, std::abs(static_cast<double>(x)));
  }
  return std::ldexp(1, std::ilogb(std::max(most, 1e-30)) - bits);
}

std::vector<Column> columns_of(const Animation& animation, const std::set<std::string>& hidden) {
  const Recording& recording = animation.recording;
  std::set<std::string> arrows;
  for (const scene::Element& e : animation.parts.elements)
    for (const scene::Arrow& arrow : e.arrows)
      arrows.insert(arrow.variables.begin(), arrow.variables.end());
  std::vector<Column> made;
  for (std::size_t i = 0; i < recording.variables.size(); ++i) {
    if (recording.frames() == 0 || is_constant(recording.values[i])) continue;
    const std::string& name = recording.variables[i].name;
    made.push_back({i, 0});
    if (hidden.contains(name))
      made.back().step = step_of(recording.values[i], arrows.contains(name) ? 16 : 21);
  }
  return made;
}

/// The differences as planes of bytes.
std::string packed(const Recording& recording, const std::vector<Column>& columns) {
  const std::size_t count = columns.size() * recording.frames();
  std::string bytes(4 * count, '\0');
  std::size_t at = 0;
  for (const Column& column : columns) {
    std::uint32_t before = 0, slope = 0;
    for (const float x : recording.values[column.variable]) {
      const bool rounded = column.step > 0;
      const auto n = rounded ? static_cast<std::uint32_t>(std::lround(x / column.step))
                             : std::bit_cast<std::uint32_t>(x);
      std::uint32_t difference = n - before;
      before = n;
      if (rounded) {
        const std::uint32_t second = difference - slope;
        slope = difference;
        // 0, −1, 1, −2, 2 … become 0, 1, 2, 3, 4 …
        difference = second << 1 ^ (second >> 31 != 0 ? ~0U : 0U);
      }
      for (std::size_t plane = 0; plane < 4; ++plane)
        bytes[plane * count + at] = static_cast<char>(difference >> (8 * plane) & 255);
      ++at;
    }
  }
  return bytes;
}

/// JSON for a <script> element: nothing in it ends the element or begins a comment.
std::string in_script(const std::string& json) {
  std::string made;
  made.reserve(json.size());
  for (const char c : json) {
    if (c == '<')
      made += "\\u003c";
    else
      made += c;
  }
  return made;
}

std::string in_html(const std::string& text) {
  std::string made;
  for (const char c : plain_line(text)) {
    switch (c) {
      case '<': made += "&lt;"; break;
      case '&': made += "&amp;"; break;
      case '>': made += "&gt;"; break;
      default: made += c;
    }
  }
  return made;
}

void replace(std::string& text, const std::string& mark, const std::string& by) {
  const std::size_t at = text.rfind(mark);  // data come after the program
  if (at == std::string::npos)
    throw std::runtime_error("the viewer has no placeholder " + mark + "; rebuild mechfmu");
  text.replace(at, mark.size(), by);
}

}  // namespace

std::string page_data(const Animation& animation) {
  const Recording& recording = animation.recording;
  const std::set<std::string> hidden(animation.hidden.begin(), animation.hidden.end());
  const std::vector<Column> changing = columns_of(animation, hidden);
  std::size_t next = 0;
  std::vector<std::string> variables;
  for (std::size_t i = 0; i < recording.variables.size(); ++i) {
    const Recording::Variable& v = recording.variables[i];
    std::vector<std::pair<std::string, std::string>> members = {{"name", json(v.name)}};
    const bool is_shown = !hidden.contains(v.name);
    if (is_shown && !v.unit.empty() && v.unit != "1") members.emplace_back("unit", json(v.unit));
    if (is_shown && !v.about.empty()) members.emplace_back("about", json(v.about));
    if (next < changing.size() && changing[next].variable == i) {
      if (changing[next].step > 0) members.emplace_back("step", json(changing[next].step));
      members.emplace_back("column", std::to_string(next++));
    } else if (recording.frames() > 0) {
      members.emplace_back("constant", json(static_cast<double>(recording.values[i].front())));
    }
    variables.push_back(json_object(members));
  }
  std::vector<std::pair<std::string, std::string>> members = {
      {"scene", animation.scene},
      {"frames", std::to_string(recording.frames())},
      {"variables", "[" + joined(variables, ", ") + "]"},
      {"hidden", json(animation.hidden)}};
  members.insert(members.end(), animation.facts.begin(), animation.facts.end());
  if (recording.frames() > 0)
    members.emplace_back("data", json(base64(deflated(packed(recording, changing)))));
  return json_object(members);
}

std::string page_of(const Animation& animation, const Kit& kit, const PageOptions& options) {
  std::ifstream in(kit.viewer, std::ios::binary);
  std::string page{std::istreambuf_iterator<char>(in), {}};
  if (!in || page.empty())
    throw std::runtime_error("the viewer is missing (" + kit.viewer +
                             "): this mechfmu was built without Node.js; "
                             "install it with packaging/setup.sh and rebuild mechfmu");
  replace(page, "@MECHFMU_DATA@", in_script(page_data(animation)));
  const std::size_t head = page.find("@MECHFMU_TITLE@");
  if (head != std::string::npos) page.replace(head, 15, in_html(animation.parts.name));
  const std::size_t connect = page.find("@MECHFMU_CONNECT@");
  if (connect != std::string::npos) page.replace(connect, 17, options.live ? "'self'" : "'none'");
  return page;
}

}  // namespace mechfmu
