#include "language/file/elements.h"

#include <algorithm>
#include <utility>

#include "language/file/elements_attributes.h"
#include "model_desc/text.h"

namespace mechfmu {

namespace {

std::vector<ElementType> make_elements() {
  std::vector<ElementType> all;
  for (auto* table : {elements::structure, elements::mechanics, elements::forces, elements::run})
    for (ElementType& e : table()) all.push_back(std::move(e));
  static const std::string targets = [&all] {
    std::string list;
    for (const ElementType& e : all)
      if (e.takes_defaults) list += (list.empty() ? "" : " ") + std::string(e.name);
    return list;
  }();
  for (ElementType& e : all) {
    if (e.name == "default") e.attributes[0].words = targets;
    e.attributes.push_back(
        {.name = "about", .kind = AttributeKind::text, .about = "description for readers"});
  }
  return all;
}

}  // namespace

const AttributeType* ElementType::find(std::string_view attribute) const {
  const auto found =
      std::find_if(attributes.begin(), attributes.end(),
                   [attribute](const AttributeType& a) { return a.name == attribute; });
  return found == attributes.end() ? nullptr : &*found;
}

const std::vector<ElementType>& mechanism_elements() {
  static const std::vector<ElementType> elements = make_elements();
  return elements;
}

const ElementType* find_element_type(std::string_view name) {
  for (const ElementType& e : mechanism_elements())
    if (e.name == name) return &e;
  return nullptr;
}

std::string_view example_parts() {
  return R"xml(<body name="crank" at="0.5 0.5 0" mass="1" inertia="0.1 0.1 0.1"/>
<body name="coupler" at="1.5 1 0" mass="1" inertia="0.1 0.1 0.1"/>
<body name="rocker" at="2 0.5 0" mass="1" inertia="0.1 0.1 0.1"/>
<body name="carriage" mass="1" inertia="0.1 0.1 0.1"/>
<body name="wheel" at="0 0 0.3" mass="1" inertia="0.1 0.2 0.1" free="true"/>
<joint name="A" type="revolute" between="ground crank"/>
<joint name="B" type="revolute" between="crank coupler" at="1 1 0"/>
<joint name="D" type="revolute" between="ground rocker" at="2 0 0"/>
<joint name="S" type="prismatic" between="ground carriage" axis="1 0 0"/>
)xml";
}

const std::vector<std::string>& reserved_names() {
  static const std::vector<std::string> names = {"ground", "time", "pi",    "e",        "g0",
                                                 "energy", "true", "false", "mechanism"};
  return names;
}

std::string_view joint_coordinates(std::string_view type) {
  if (type == "revolute" || type == "planar") return "angle";
  if (type == "prismatic" || type == "distance") return "displacement";
  if (type == "cylindrical" || type == "screw") return "angle displacement";
  return "";
}

std::vector<std::string> words_of(std::string_view text) {
  constexpr std::string_view spaces = " \t\r\n";
  std::vector<std::string> words;
  for (std::size_t at = text.find_first_not_of(spaces); at != std::string_view::npos;) {
    const std::size_t end = std::min(text.find_first_of(spaces, at), text.size());
    words.emplace_back(text.substr(at, end - at));
    at = text.find_first_not_of(spaces, end);
  }
  return words;
}

std::vector<std::string> marked_words_of(std::string_view text, char mark) {
  std::vector<std::string> words = words_of(text);
  for (std::string& word : words) {
    word.insert(word.begin(), mark);
    word.push_back(mark);
  }
  return words;
}

bool has_word(std::string_view list, std::string_view word) {
  // no word, or several, which neighbours in the list would match
  if (word.empty() || word.find(' ') != std::string_view::npos) return false;
  for (std::size_t at = list.find(word); at != std::string_view::npos;
       at = list.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || list[at - 1] == ' ') && (end == list.size() || list[end] == ' ')) return true;
  }
  return false;
}

std::string listed(const std::vector<std::string>& words, std::string_view last) {
  std::string all;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) all += i + 1 == words.size() ? " " + std::string(last) + " " : std::string(", ");
    all += words[i];
  }
  return all;
}

bool in_word(char c) { return is_letter(c) || is_digit(c) || c == '_'; }

bool is_name(std::string_view text) {
  return !text.empty() && is_letter(text[0]) && std::all_of(text.begin(), text.end(), in_word);
}

}  // namespace mechfmu
