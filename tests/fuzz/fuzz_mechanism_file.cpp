// Any bytes as a mechanism file, on its whole path: reader, plan, C++, interpreter, assembly.
// Nothing may crash, hang or leak; a wrong file is reported, and a file without an error has a
// valid plan.
//
// The part before the first zero byte is the mechanism; the part after it is a file to include and
// the file of a table.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <string_view>

#include "fuzz_xml.h"
#include "language/backend/build.h"
#include "language/backend/cpp.h"
#include "language/file/reader.h"
#include "language/meaning/check.h"
#include "mechanics/system.h"

namespace {

using namespace mechfmu;

constexpr std::size_t few_items = 40;  // assembly costs more than everything else

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
  // Without an error there is a mechanism, and every element has a place.
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

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t most, unsigned seed) {
  return fuzz::mutate_xml(
      data, size, most, seed,
      {"0", "-1", "1e308", "1e-308", "0 0 0", "1 0 0", "nan", "1/0", "0 0 1", "time", "ground",
       "true", "all", "planar", "A.angle", "1 1 1", "A.rate", "point"});
}
