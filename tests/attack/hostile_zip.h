// Zip archives that no honest program writes: the bytes of a good one changed, and archives put together byte by byte with
// names, kinds, sizes, checksums and records that lie. The layout is that of PKWARE's APPNOTE, 4.3.

#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "tests/attack/dice.h"

namespace mechfmu::attack {

struct HostileArchive {
  std::string bytes;
  /// Size and checksum of each file as the table of contents has them; empty where the table itself was changed.
  struct Said {
    std::uint32_t size = 0, checksum = 0;
  };
  std::map<std::string, Said> said{};
  std::string forbidden{};  // what it has to be refused for, if something is known
};

/// `outside` is the absolute path of a file that must not be written.
HostileArchive hostile_archive(const std::string& description, const std::string& outside,
                               Dice& dice);

/// A good archive with other bytes, half of them in its headers.
HostileArchive changed_archive(const std::string& good, Dice& dice);

/// With nothing in it but the description and a library of four bytes.
std::string plain_archive(const std::string& description);

}  // namespace mechfmu::attack
