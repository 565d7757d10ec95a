// Changes of XML for a fuzzer: bytes changed at random are seldom XML, so half of the changes keep
// its form and change the value of an attribute, an attribute, or an element.

#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <string_view>
#include <vector>

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

namespace fuzz {

struct Span {
  std::size_t begin, end;
};

/// A text between `open` and the next `close`, without these.
inline std::vector<Span> spans(std::string_view text, char open, char close) {
  std::vector<Span> found;
  for (std::size_t at = text.find(open); at != std::string_view::npos; at = text.find(open, at)) {
    const std::size_t end = text.find(close, at + 1);
    if (end == std::string_view::npos) break;
    found.push_back({at + 1, end});
    at = end + 1;
  }
  return found;
}

/// The value with some other bytes, a value from elsewhere, or a value known to be difficult.
inline std::string other_value(const std::string& text, const std::vector<Span>& values, Span of,
                               const std::vector<std::string>& hard, std::minstd_rand& random) {
  switch (random() % 4) {
    case 0: return hard[random() % hard.size()];
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

inline std::size_t mutate_xml(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed,
                              const std::vector<std::string>& hard) {
  std::minstd_rand random(seed);
  std::string text(reinterpret_cast<const char*>(data), size);
  const std::vector<Span> values = spans(text, '"', '"');
  const std::vector<Span> elements = spans(text, '<', '>');
  if (random() % 2 == 0 || values.empty() || elements.empty())
    return LLVMFuzzerMutate(data, size, most);
  const Span element = elements[random() % elements.size()];
  const Span value = values[random() % values.size()];
  switch (random() % 6) {
    case 0:  // repeats an element, here or elsewhere
      text.insert(elements[random() % elements.size()].begin - 1,
                  text.substr(element.begin - 1, element.end + 2 - element.begin));
      break;
    case 1: text.erase(element.begin - 1, element.end + 2 - element.begin); break;
    case 2: {  // removes an attribute
      const std::size_t before = text.find_last_of(" \n", value.begin);
      if (before != std::string::npos) text.erase(before, value.end + 1 - before);
      break;
    }
    case 3: {  // moves an attribute to another element
      const std::size_t before = text.find_last_of(" \n", value.begin);
      const std::size_t space = text.find_first_of(" />", element.begin);
      if (before != std::string::npos && space != std::string::npos)
        text.insert(space, text.substr(before, value.end + 1 - before));
      break;
    }
    default:
      text.replace(value.begin, value.end - value.begin,
                   other_value(text, values, value, hard, random));
      break;
  }
  if (text.size() > most) text.resize(most);
  std::memcpy(data, text.data(), text.size());
  return text.size();
}

}  // namespace fuzz
