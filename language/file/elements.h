// The mechanism file format as a table: every element with its attributes, its equation and an
// example.
//
// The reader checks files against it, and schema.h writes the schema for editors and the reference
// page from it. Later steps look up the meaning of an attribute: number or vector, unit, names that
// its expressions may use, and the effect of the pose of a group. Names are those of
// mechanics/mechanism.h.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "mechanics/placed.h"

namespace mechfmu {

enum class AttributeKind {
  number,       // one expression
  vector,       // three expressions: "0 0.1 0"
  value,        // a number or a vector
  numbers,      // a list of expressions
  word,         // one of `words`
  word_list,    // any of `words`
  boolean,      // true or false
  text,         // free text
  unit,         // a unit symbol: N.m
  units,        // unit symbols
  plain_name,   // of this element: letters, digits and _, beginning with a letter
  name,         // the same, with indices for copies: link[3], link[i]
  output_name,  // names of this kind joined by dots
  reference,    // the name of an element
  references,   // names of elements
  file          // a path below the folder of the mechanism file
};

/// The names that an expression may use.
enum class Knows {
  constants,   // numbers only
  parameters,  // and parameters: everything that is constant during a step
  time,        // and time
  motion       // and inputs, states, measures, reactions
};

/// The effect of the pose of a group on a vector (of elements without local="true").
using mechanics::Placed;

struct AttributeType {
  std::string_view name;
  AttributeKind kind = AttributeKind::number;
  std::string_view about{};

  std::string_view unit{};      // of the value, in SI; empty: none, or determined by the element
  std::string_view fallback{};  // default value of a missing attribute; empty: none
  bool required = false;
  Knows knows = Knows::parameters;
  Placed placed = Placed::no;

  // Lists of words, separated by spaces
  std::string_view words{};          // of a word; of references, their types of elements
  std::string_view counts{};         // allowed numbers of numbers, references or units; empty: any
  std::string_view only_for{};       // allowed only if the element's selector is one of these
  std::string_view required_for{};   // required if the selector is one of these
  std::string_view needs{};          // requires at least one of these
  std::string_view required_with{};  // required if one of these is present
  bool several = false;  // of references: a word may mean several elements, shoe* or pin[1],pin[2]
};

/// Attributes that exclude each other; exactly one is required if `required` is set.
struct Choice {
  std::string_view of;
  bool required = true;
};

struct ElementType {
  std::string_view name;
  std::string_view about;
  std::string_view equation{};  // in the notation of docs/mechanics.md; may be empty
  std::string_view example{};   // XML; the names it refers to are those of example_parts()
  std::string_view parents = "mechanism part group repeat";  // empty: root of a file
  std::string_view selector{};  // the attribute with the type of the element
  std::vector<AttributeType> attributes{};
  std::vector<Choice> choices{};
  bool once = false;           // at most one in a mechanism
  bool takes_defaults = true;  // <default element="..."> may set its attributes
  bool open = false;           // accepts attributes of any name: parameters of groups

  const AttributeType* find(std::string_view attribute) const;  // null when there is none
};

const std::vector<ElementType>& mechanism_elements();
const ElementType* find_element_type(std::string_view name);  // null when there is none

/// Bodies, joints and so on to which the examples of the table refer.
std::string_view example_parts();

/// Names with a fixed meaning in expressions: time, pi, ground …
const std::vector<std::string>& reserved_names();

/// The coordinates of a type of joint: "angle", "displacement", both, or none.
std::string_view joint_coordinates(std::string_view joint_type);

/// "a b  c" → a, b, c
std::vector<std::string> words_of(std::string_view text);
/// The same with a mark before and after each: 'a', 'b', 'c'.
std::vector<std::string> marked_words_of(std::string_view text, char mark);
bool has_word(std::string_view list, std::string_view word);
/// "a, b or c"
std::string listed(const std::vector<std::string>& words, std::string_view last = "or");
/// A letter, a digit or _.
bool in_word(char c);
/// Letters, digits and _, beginning with a letter.
bool is_name(std::string_view text);

}  // namespace mechfmu
