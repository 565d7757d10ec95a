// Breaks C++ into lines, as a person would.
//
//   laid_out("const Joint A = m.joint({.name = \"A\", …});", 2)
//
//   const Joint A = m.joint({
//       .name = "A", .type = JointType::revolute, .a = ground, .b = crank,
//       .at = {0, 0, 0}});
//
// A statement that fits into a line stays on it. Else its longest bracket is opened: a lambda at its end gets lines for
// its statements, other items are filled into lines. Sums and products break before their operators, texts at blanks.
//
// The statement comes on one line, but for blocks of several statements: "{\n", each statement with a line of its own, "}".
// A block that is one statement is written "{ return x; }"; other braces have no blank after them.

#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace mechfmu {

/// With `indent` blanks before each line, and an end of line after the last.
std::string laid_out(std::string_view statement, std::size_t indent, std::size_t width = 100);

}  // namespace mechfmu
