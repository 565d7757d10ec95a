// A listing as bytes that a file can hold, the same on every machine.
//
//   "mechfmu listing\n"   version   number of bytes that follow   their checksum   the tables, one after the other
//
// Whole numbers have 4 bytes, the lowest first; reals are IEEE 754. Bytes may come from anywhere: reading stays within them,
// and what they say is believed after it was checked.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "mechanics/listing.h"

namespace mechfmu::mechanics {

/// Of the layout: bytes of another one are refused.
constexpr std::uint32_t listing_version = 6;

std::string to_bytes(Listing listing);

/// Throws std::invalid_argument for bytes that are cut off, changed, of another version or no listing.
Listing from_bytes(std::string_view bytes);

}  // namespace mechfmu::mechanics
