// A listing as bytes that a file can hold, the same on every machine.
//
//   "mechfmu listing\n", version, number of bytes that follow, their checksum, the tables in order
//
// Integers have 4 bytes, little-endian; reals are IEEE 754. Bytes may come from any source: reading
// stays within them, and their content is checked before use.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "mechanics/listing.h"

namespace mechfmu::mechanics {

/// The version of the layout. Bytes of another version are refused.
constexpr std::uint32_t listing_version = 6;

std::string to_bytes(Listing listing);

/// Throws std::invalid_argument for bytes that are cut off, changed, of another version, or not of
/// a listing.
Listing from_bytes(std::string_view bytes);

}  // namespace mechfmu::mechanics
