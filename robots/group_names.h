// What names of copies have in common: LF_HIP and RH_HIP are HIP of LF and of RH.

#pragma once

#include <string>
#include <vector>

namespace mechfmu::robots {

struct CommonName {
  std::string common;             // HIP; empty where nothing is left
  std::vector<std::string> each;  // LF, RH: what is only in each of them
};

/// Of names of letters, digits and _. Words end at _, where digits begin or end and where a capital follows a small letter; left,
/// right, front, rear and the like are words wherever they begin one.
CommonName common_name(const std::vector<std::string>& names);

}  // namespace mechfmu::robots
