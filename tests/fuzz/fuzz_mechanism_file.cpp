// Any bytes as a mechanism file: the reader comes to an end with elements or with errors, and touches nothing else.
//
//   clang++ -std=c++20 -g -O1 -fsanitize=fuzzer,address,undefined -DMECHFMU_FUZZ -I. $(xml2-config --cflags) \
//     tests/fuzz/fuzz_mechanism_file.cpp model_desc/{diagnostics,mechanism_elements,mechanism_reader}.cpp \
//     model_desc/{mechanism_rules,mechanism_xml}.cpp -lxml2 -o fuzz_mechanism_file
//   ./fuzz_mechanism_file -max_len=20000 -rss_limit_mb=1000 -timeout=10 corpus/

#ifdef MECHFMU_FUZZ

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "model_desc/mechanism_reader.h"

/// The part before the first zero byte is the mechanism, the one after it a file to include.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace mechfmu;
  const std::string_view all(reinterpret_cast<const char*>(data), size);
  const std::size_t zero = all.find('\0');
  const std::string_view included =
      zero == std::string_view::npos ? std::string_view() : all.substr(zero + 1);
  ReaderLimits limits;
  limits.elements = 5000;
  limits.characters = 1'000'000;
  Diagnostics diagnostics;
  const MechanismText mechanism = read_mechanism_text(
      all.substr(0, zero), "m.xml", diagnostics, {{"part.xml", std::string(included)}}, limits);
  (void)diagnostics.text();
  // Without an error there is a mechanism, with a body, and everything has its place.
  if (!diagnostics.has_errors() && mechanism.elements.empty()) std::abort();
  for (const Element& e : mechanism.elements)
    if (e.type == nullptr || e.place.line < 1) std::abort();
  return 0;
}

#endif
