// What names and indices in the text of an attribute stand for, where the element is: in groups and repeats.
//
//   2*l, knee.angle   in the group of leg1, used with l="0.3 + d"   → 2*(0.3 + d), leg1.knee.angle
//   0.1*i, link[i-1]  in a repeat with i = 3                        → 0.1*(3), link[2]

#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "language/file/indices.h"
#include "language/file/reader.h"
#include "language/file/source_files.h"

namespace mechfmu::reader {

/// References to the copies of a ring: name[…] with as many indices → in which of them numbers go round, from `low` on.
struct Round {
  long low = 0, period = 0;  // 0: they do not
};
using Ring = std::map<std::pair<std::string, std::size_t>, std::vector<Round>>;

struct RepeatIndex {
  std::string_view name;
  long value;
};
/// "i = 3, j = 4"
std::string text_of(const std::vector<RepeatIndex>& indices);

/// What names mean where an element stands.
struct Scope {
  std::string prefix{};
  const std::set<std::string>* locals = nullptr;   // names that take the prefix
  std::map<std::string, std::string> arguments{};  // of the group, in full names
  std::vector<GroupPose> poses{};
  std::vector<RepeatIndex> indices{};  // of the repeats around
  std::vector<Ring> rings{};           // those of them that are
};

/// "2*i - 1", made of indices of the repeats around, and of parameters of the group that are whole numbers.
Whole index_in_scope(std::string_view text, const Scope& scope);

/// What a text is to be taken for.
enum class TextKind {
  own_name,   // only its indices are worked out
  reference,  // and names are made full, parameters of groups put in
  expression  // and indices, too
};

/// A text as it is in a scope, or what is wrong with it: parameters and indices are replaced by what they stand for, names
/// made full and what is in brackets after them worked out. Words after a dot, before a parenthesis, and units of numbers
/// (5mm/s) are left alone. What is put in is not looked at again.
TextOrProblem in_scope(std::string_view text, const Scope& scope, TextKind kind);

}  // namespace mechfmu::reader
