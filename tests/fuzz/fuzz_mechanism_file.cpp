// Any bytes as a mechanism file, on its whole path: reader, plan, C++, interpreter, assembly. Nothing may crash, hang
// or leak; what is wrong with a file is said, and files without an error have a plan that can be carried out.
//
// The part before the first zero byte is the mechanism, the one after it a file to include and the file of a table.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "language/backend/build.h"
#include "language/backend/cpp.h"
#include "language/file/reader.h"
#include "language/meaning/check.h"
#include "mechanics/system.h"

namespace {

using namespace mechfmu;

constexpr std::size_t few_items = 40;  // assembly costs more than all the rest

void carry_out(const Plan& plan) {
  (void)mechanism_cpp(plan);
  if (plan.items.size() <= few_items) {
    Diagnostics diagnostics;
    const std::optional<MechanismCheck> check = check_mechanism(plan, diagnostics);
    if (!check && !diagnostics.has_errors()) std::abort();
    if (check) (void)text(*check);
    (void)diagnostics.text();
  } else {
    try {
      const mechanics::MechanismSystem system(build_mechanism(plan));
    } catch (const std::invalid_argument&) {
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view all(reinterpret_cast<const char*>(data), size);
  const std::size_t zero = all.find('\0');
  const std::string second(zero == std::string_view::npos ? "" : all.substr(zero + 1));
  ReaderLimits limits;
  limits.elements = 1000;
  limits.characters = 200'000;
  Diagnostics diagnostics;
  const MechanismText mechanism =
      read_mechanism_text(all.substr(0, zero), "m.xml", diagnostics,
                          {{"part.xml", second}, {"table.csv", second}}, limits);
  // Without an error there is a mechanism, and everything has its place.
  if (!diagnostics.has_errors() && mechanism.elements.empty()) std::abort();
  for (const Element& e : mechanism.elements)
    if (e.type == nullptr || e.place.line < 1) std::abort();
  if (!diagnostics.has_errors()) {
    const Plan plan = make_plan(mechanism, diagnostics);
    if (!diagnostics.has_errors()) carry_out(plan);
  }
  (void)diagnostics.text();
  return 0;
}

// Bytes changed at random are seldom XML. Half of the changes are made within its form: to the value of an attribute, to
// an attribute, to an element.

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

namespace {

struct Span {
  std::size_t begin, end;
};

/// Of the texts between `open` and the next `close`, without them.
std::vector<Span> spans(std::string_view text, char open, char close) {
  std::vector<Span> found;
  for (std::size_t at = text.find(open); at != std::string_view::npos; at = text.find(open, at)) {
    const std::size_t end = text.find(close, at + 1);
    if (end == std::string_view::npos) break;
    found.push_back({at + 1, end});
    at = end + 1;
  }
  return found;
}

/// The value with some other bytes, a value from elsewhere, or one that is known to be hard.
std::string other_value(const std::string& text, const std::vector<Span>& values, Span of,
                        std::minstd_rand& random) {
  static constexpr const char* hard[] = {"0",   "-1",     "1e308",   "1e-308", "0 0 0",  "1 0 0",
                                         "nan", "1/0",    "0 0 1",   "time",   "ground", "true",
                                         "all", "planar", "A.angle", "1 1 1",  "A.rate", "point"};
  switch (random() % 4) {
    case 0: return hard[random() % std::size(hard)];
    case 1:
    case 2: {
      const Span from = values[random() % values.size()];
      return text.substr(from.begin, from.end - from.begin);
    }
    default: break;
  }
  std::string value = text.substr(of.begin, of.end - of.begin);
  const std::size_t size = value.size();
  value.resize(size + 40);
  value.resize(LLVMFuzzerMutate(reinterpret_cast<std::uint8_t*>(value.data()), size, value.size()));
  return value;
}

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t most, unsigned seed) {
  std::minstd_rand random(seed);
  std::string text(reinterpret_cast<const char*>(data), size);
  const std::vector<Span> values = spans(text, '"', '"');
  const std::vector<Span> elements = spans(text, '<', '>');
  if (random() % 2 == 0 || values.empty() || elements.empty())
    return LLVMFuzzerMutate(data, size, most);
  const Span element = elements[random() % elements.size()];
  const Span value = values[random() % values.size()];
  switch (random() % 6) {
    case 0:  // an element twice, or at another place
      text.insert(elements[random() % elements.size()].begin - 1,
                  text.substr(element.begin - 1, element.end + 2 - element.begin));
      break;
    case 1: text.erase(element.begin - 1, element.end + 2 - element.begin); break;
    case 2: {  // an attribute less
      const std::size_t before = text.find_last_of(" \n", value.begin);
      if (before != std::string::npos) text.erase(before, value.end + 1 - before);
      break;
    }
    case 3: {  // an attribute of another element
      const std::size_t before = text.find_last_of(" \n", value.begin);
      const std::size_t space = text.find_first_of(" />", element.begin);
      if (before != std::string::npos && space != std::string::npos)
        text.insert(space, text.substr(before, value.end + 1 - before));
      break;
    }
    default:
      text.replace(value.begin, value.end - value.begin, other_value(text, values, value, random));
      break;
  }
  if (text.size() > most) text.resize(most);
  std::memcpy(data, text.data(), text.size());
  return text.size();
}
