// After the second pass: an element of several bodies becomes one for each of them.
//
//   <contact name="floor" between="ground shoe*"/>  → floor[1] between ground and shoe[1], …
//   <contact name="hit" between="ball* ball*"/>     → hit[1,2], hit[1,3] … : each pair once
//
// A word with a * means all bodies whose names begin like that, in their order; words with commas
// between them mean the bodies of all of them. Copies have the indices of the bodies if all have
// indices and no two are the same; otherwise they are counted from 1.

#include <algorithm>
#include <set>
#include <utility>

#include "language/file/indices.h"
#include "language/file/nodes.h"
#include "model_desc/text.h"

namespace mechfmu::reader {

namespace {

/// The bodies that a word means, and the parts of their names that differ.
struct Several {
  bool list = false;  // it is not the name of a single body
  std::vector<std::string> bodies, indices;
};

class Lists {
 public:
  Lists(const ReaderLimits& limits, Diagnostics& diagnostics, MechanismText& mechanism)
      : limits_(limits), diagnostics_(diagnostics), mechanism_(mechanism) {}

  bool run() {
    if (std::none_of(mechanism_.elements.begin(), mechanism_.elements.end(),
                     [](const Element& e) { return names_several(e) != nullptr; }))
      return true;
    for (const Element& e : mechanism_.elements)
      if (e.type->name == "body" && !e.name.empty()) bodies_.push_back(e.name);
    std::vector<Element> all;
    for (Element& e : mechanism_.elements) {
      const Attribute* names = names_several(e);
      if (names == nullptr)
        all.push_back(std::move(e));
      else
        copy(e, *names, all);
      if (all.size() > limits_.elements) {
        const Element& last = names == nullptr ? all.back() : e;
        diagnostics_.error(last.place, last.label(), {},
                           "with its copies there are more than " +
                               std::to_string(limits_.elements) + " elements");
        return false;
      }
    }
    mechanism_.elements = std::move(all);
    return true;
  }

 private:
  static const Attribute* names_several(const Element& e) {
    for (const Attribute& a : e.attributes) {
      const AttributeType* type = e.type->find(a.name);
      if (type == nullptr || !type->several) continue;
      for (const std::string& word : reference_words(a.text))
        if (is_list(word)) return &a;
    }
    return nullptr;
  }
  /// Commas in brackets separate indices.
  static std::vector<std::string> split(std::string_view word) {
    std::vector<std::string> parts(1);
    bool in_brackets = false;
    for (const char c : word) {
      if (c == '[' || c == ']') in_brackets = c == '[';
      if (c == ',' && !in_brackets)
        parts.emplace_back();
      else
        parts.back() += c;
    }
    return parts;
  }
  static bool is_list(std::string_view word) {
    return word.ends_with('*') || split(word).size() > 1;
  }

  Several meant(const Element& e, const Attribute& a, const std::string& word) {
    Several made;
    made.list = is_list(word);
    for (const std::string& part : split(word)) {
      if (!part.ends_with('*')) {
        made.bodies.push_back(part);
        continue;
      }
      const std::size_t before = made.bodies.size();
      const std::string begin = part.substr(0, part.size() - 1);
      for (const std::string& full : {e.prefix + begin, begin}) {
        for (const std::string& body : bodies_)
          if (body.starts_with(full)) made.bodies.push_back(body);
        if (made.bodies.size() > before || e.prefix.empty()) break;
      }
      if (made.bodies.size() == before)
        diagnostics_.error(a.place, e.label(), a.name,
                           "there is no body whose name begins with " + in_quotes(begin));
    }
    std::set<std::string> different;
    for (const std::string& body : made.bodies) {
      const std::size_t open = body.rfind('[');
      if (!body.ends_with(']') || open == std::string::npos) break;
      made.indices.push_back(body.substr(open + 1, body.size() - open - 2));
      different.insert(made.indices.back());
    }
    if (different.size() == made.bodies.size()) return made;
    made.indices.clear();
    for (std::size_t i = 0; i < made.bodies.size(); ++i)
      made.indices.push_back(std::to_string(i + 1));
    return made;
  }

  void copy(const Element& e, const Attribute& names, std::vector<Element>& all) {
    const std::vector<std::string> words = reference_words(names.text);
    if (words.size() != 2) return;  // reported before
    if (!e.is_true("local")) {
      diagnostics_.error(e.place, e.label(), names.name,
                         names.name + "=\"" + names.text +
                             "\" matches several bodies: give points and axes in body axes and add "
                             "local=\"true\"");
      return;
    }
    if (e.name.ends_with(']')) {
      diagnostics_.error(
          e.place, e.label(), "name",
          "an element of several bodies takes their indices; its own name must have none");
      return;
    }
    const Several a = meant(e, names, words[0]);
    const Several b = meant(e, names, words[1]);
    const bool same = words[0] == words[1];
    for (std::size_t i = 0; i < a.bodies.size(); ++i)
      for (std::size_t j = same ? i + 1 : 0; j < b.bodies.size(); ++j) {
        if (all.size() > limits_.elements) return;
        if (a.bodies[i] == b.bodies[j]) continue;  // of two lists that share some
        Element one = e;
        const std::string indices = a.list && b.list ? a.indices[i] + "," + b.indices[j]
                                    : a.list         ? a.indices[i]
                                                     : b.indices[j];
        one.name += "[" + indices + "]";
        for (Attribute& attribute : one.attributes) {
          if (attribute.name == names.name) attribute.text = a.bodies[i] + " " + b.bodies[j];
          if (attribute.name == "name") attribute.text += "[" + indices + "]";
        }
        all.push_back(std::move(one));
      }
  }

  const ReaderLimits& limits_;
  Diagnostics& diagnostics_;
  MechanismText& mechanism_;
  std::vector<std::string> bodies_;
};

}  // namespace

bool expand_several(const ReaderLimits& limits, Diagnostics& diagnostics,
                    MechanismText& mechanism) {
  return Lists(limits, diagnostics, mechanism).run();
}

}  // namespace mechfmu::reader
