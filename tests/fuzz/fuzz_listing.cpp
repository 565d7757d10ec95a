// Any bytes as the listing of a mechanism, with a checksum that fits: refused, or a mechanism whose
// outputs can be read. Nothing may crash, hang, leak or take memory out of proportion to the bytes.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>

#include "mechanics/listing_bytes.h"
#include "mechanics/system.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace mechfmu;
  std::uint64_t hash = 14695981039346656037ULL;
  for (std::size_t i = 0; i < size; ++i) hash = (hash ^ data[i]) * 1099511628211ULL;
  const std::uint32_t version = mechanics::listing_version;
  const std::uint64_t count = size;
  std::string bytes = "mechfmu listing\n";
  bytes.append(reinterpret_cast<const char*>(&version), 4);
  bytes.append(reinterpret_cast<const char*>(&count), 8);
  bytes.append(reinterpret_cast<const char*>(&hash), 8);
  bytes.append(reinterpret_cast<const char*>(data), size);
  try {
    mechanics::MechanismSystem system(mechanics::from_listing(mechanics::from_bytes(bytes)));
    Point p;
    p.resize(system.sizes());
    for (std::size_t i = 0; i < system.variables().outputs().size(); ++i) {
      system.at(p);
      (void)system.read(i);
    }
  } catch (const std::invalid_argument&) {
  }
  return 0;
}
