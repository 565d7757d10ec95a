// The common part of names of copies: LF_HIP and RH_HIP are HIP of LF and of RH.

#pragma once

#include <string>
#include <vector>

namespace mechfmu::robots {

struct CommonName {
  std::string common;             // HIP; empty if the names have no common part
  std::vector<std::string> each;  // LF, RH: the parts that differ
};

/// For names of letters, digits and _. Words end at _, where digits begin or end, and where a
/// capital follows a small letter. Left, right, front, rear and the like at the beginning of a word
/// are separate words.
CommonName common_name(const std::vector<std::string>& names);

}  // namespace mechfmu::robots
