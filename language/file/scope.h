// The meaning of names and indices in the text of an attribute, in groups and repeats.
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

/// References to the copies of a ring: name[…] with as many indices → those in which numbers wrap
/// around, beginning with `low`.
struct Round {
  long low = 0, period = 0;  // 0: they do not wrap
};
using Ring = std::map<std::pair<std::string, std::size_t>, std::vector<Round>>;

struct RepeatIndex {
  std::string_view name;
  long value;
};
/// "i = 3, j = 4"
std::string text_of(const std::vector<RepeatIndex>& indices);

/// The meaning of names at the place of an element.
struct Scope {
  std::string prefix{};
  const std::set<std::string>* locals = nullptr;   // names that take the prefix
  std::map<std::string, std::string> arguments{};  // of the group, in full names
  std::vector<GroupPose> poses{};
  std::vector<RepeatIndex> indices{};  // of the enclosing repeats
  std::vector<Ring> rings{};           // those of them that are
};

/// "2*i - 1", made of indices of the enclosing repeats, and of whole parameters of the group.
Whole index_in_scope(std::string_view text, const Scope& scope);

/// The kind of a text.
enum class TextKind {
  own_name,   // only its indices are evaluated
  reference,  // also expands names and inserts parameters of groups
  expression  // also indices
};

/// A text in a scope, or its problem: parameters and indices are replaced by their values, names
/// are expanded and the brackets after them evaluated. Words after a dot, before a parenthesis, and
/// units of numbers (5mm/s) stay. Inserted text is not processed again.
TextOrProblem in_scope(std::string_view text, const Scope& scope, TextKind kind);

}  // namespace mechfmu::reader
