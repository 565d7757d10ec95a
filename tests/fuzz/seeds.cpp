// First inputs of the fuzzers, from the table of elements: seeds <folder> writes
//   <folder>/mechanism.dict   names of elements, attributes, words, functions and quantities
//   <folder>/<element>.xml    its example, in a mechanism with everything it refers to
//   <folder>/listings/<element>   … as a listing, without the bytes before its checksum

#include <filesystem>
#include <fstream>
#include <set>

#include "language/backend/listing.h"
#include "language/expression/check.h"
#include "language/meaning/names.h"
#include "mechanics/listing_bytes.h"

namespace {

using namespace mechfmu;

std::set<std::string> words() {
  std::set<std::string> all;
  const auto add = [&](std::string_view text) {
    for (const std::string& word : words_of(text)) all.insert(word);
  };
  for (const ElementType& element : mechanism_elements()) {
    all.insert("<" + std::string(element.name) + " ");
    for (const AttributeType& attribute : element.attributes) {
      all.insert(" " + std::string(attribute.name) + "=");
      add(attribute.words);
      add(attribute.fallback);
      add(attribute.unit);
    }
  }
  for (const Reading& r : readings())
    all.insert((r.of.empty() ? "" : ".") + std::string(r.name.empty() ? "x" : r.name));
  for (const std::string& name : expression::function_names()) all.insert(name + "(");
  for (const std::string& name : reserved_names()) all.insert(name);
  for (const char* other :
       {"/>", "[i]", "[i-1]", "[i,j]", "point(", "relative_to(", "part.xml", "1e308", "1e-308",
        "nan", "inf", "&lt;", "&#10;", "<!--", "-->", "<![CDATA[", "crank", "0 0 0"})
    all.insert(other);
  return all;
}

std::string quoted(const std::string& word) {
  std::string text = "\"";
  for (const char c : word) {
    if (c == '"' || c == '\\') text += '\\';
    text += c;
  }
  return text + "\"\n";
}

}  // namespace

/// Writes nothing if the example needs other files.
std::string listing_of(const std::string& content) {
  Diagnostics diagnostics;
  const MechanismText text = read_mechanism_text(content, "m.xml", diagnostics);
  if (diagnostics.has_errors()) return {};
  const Plan plan = make_plan(text, diagnostics);
  if (diagnostics.has_errors()) return {};
  constexpr std::size_t header = 36;
  return mechanics::to_bytes(make_listing(plan)).substr(header);
}

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const std::filesystem::path folder = argv[1];
  std::filesystem::create_directories(folder / "listings");
  std::ofstream dictionary(folder / "mechanism.dict");
  for (const std::string& word : words())
    if (!word.empty()) dictionary << quoted(word);
  for (const ElementType& element : mechanism_elements()) {
    std::ofstream file(folder / (std::string(element.name) + ".xml"));
    if (element.name == "mechanism") {
      file << element.example;
    } else if (element.name == "part") {
      file << "<mechanism name=\"M\">\n"
           << example_parts() << "<include file=\"part.xml\"/>\n</mechanism>" << '\0'
           << element.example;
    } else {
      const std::string content = "<mechanism name=\"M\">\n" + std::string(example_parts()) +
                                  std::string(element.example) + "\n</mechanism>";
      file << content;
      std::ofstream(folder / "listings" / element.name, std::ios::binary) << listing_of(content);
    }
    if (!file) return 1;
  }
  return dictionary ? 0 : 1;
}
