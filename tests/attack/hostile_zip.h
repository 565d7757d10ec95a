// Zip archives that no honest program writes: a good one with changed bytes, and archives put
// together byte by byte with names, kinds, sizes, checksums and records that lie. The layout is
// that of PKWARE's APPNOTE, 4.3.

#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "tests/attack/dice.h"

namespace mechfmu::attack {

struct HostileArchive {
  std::string bytes;
  /// Size and checksum of each file in the table of contents; empty if the table itself was
  /// changed.
  struct Said {
    std::uint32_t size = 0, checksum = 0;
  };
  std::map<std::string, Said> said{};
  std::string forbidden{};  // the reason to refuse it, if one is known
};

/// `outside` is the absolute path of a file that must not be written.
HostileArchive hostile_archive(const std::string& description, const std::string& outside,
                               Dice& dice);

/// A good archive with other bytes, half of them in its headers.
HostileArchive changed_archive(const std::string& good, Dice& dice);

/// An archive with nothing but the description and a library of four bytes.
std::string plain_archive(const std::string& description);

}  // namespace mechfmu::attack
