#include "model_desc/cpp_names.h"

#include <algorithm>
#include <iterator>

#include "model_desc/expression_build.h"
#include "model_desc/text.h"

namespace mechfmu {

namespace {

// in the order of the alphabet
constexpr std::string_view keywords[] = {"alignas",       "alignof",     "and",
                                         "and_eq",        "asm",         "auto",
                                         "bitand",        "bitor",       "bool",
                                         "break",         "case",        "catch",
                                         "char",          "char16_t",    "char32_t",
                                         "char8_t",       "class",       "co_await",
                                         "co_return",     "co_yield",    "compl",
                                         "concept",       "const",       "const_cast",
                                         "consteval",     "constexpr",   "constinit",
                                         "continue",      "decltype",    "default",
                                         "delete",        "do",          "double",
                                         "dynamic_cast",  "else",        "enum",
                                         "explicit",      "export",      "extern",
                                         "false",         "float",       "for",
                                         "friend",        "goto",        "if",
                                         "inline",        "int",         "long",
                                         "mutable",       "namespace",   "new",
                                         "noexcept",      "not",         "not_eq",
                                         "nullptr",       "operator",    "or",
                                         "or_eq",         "private",     "protected",
                                         "public",        "register",    "reinterpret_cast",
                                         "requires",      "return",      "short",
                                         "signed",        "sizeof",      "static",
                                         "static_assert", "static_cast", "struct",
                                         "switch",        "template",    "this",
                                         "thread_local",  "throw",       "true",
                                         "try",           "typedef",     "typeid",
                                         "typename",      "union",       "unsigned",
                                         "using",         "virtual",     "void",
                                         "volatile",      "wchar_t",     "while",
                                         "xor",           "xor_eq"};

// of the generated code itself and of what it calls
constexpr std::string_view around[] = {
    "m",       "q",          "s",         "std",       "mechfmu", "mechanics", "functions",
    "ground",  "law",        "relation",  "of",        "solid",   "together",  "placed",
    "density", "mass",       "vec",       "power",     "minimum", "maximum",   "value",
    "main",    "make_model", "mechanism", "Mechanism", "linux",   "unix",      "y0",
    "y1",      "yn",         "j0",        "j1",        "jn",      "gamma",     "signal",
    "index",   "time",       "errno",     "assert",    "stdin",   "stdout",    "stderr"};

}  // namespace

bool is_cpp_keyword(std::string_view word) {
  return std::find(std::begin(keywords), std::end(keywords), word) != std::end(keywords);
}

CppNames::CppNames() {
  taken_.insert(std::begin(keywords), std::end(keywords));
  taken_.insert(std::begin(around), std::end(around));
  for (const expression::FunctionInfo& f : expression::function_table()) taken_.emplace(f.name);
}

std::string CppNames::take(std::string_view wanted) {
  std::string name;
  for (const char c : wanted) {
    const bool good = is_letter(c) || is_digit(c);
    if (good)
      name += c;
    else if (!name.empty() && name.back() != '_')
      name += '_';
  }
  if (name.empty() || is_digit(name[0])) name.insert(0, "x");
  std::string made = name;
  for (int count = 2; !taken_.insert(made).second; ++count)
    made = name + (name.back() == '_' || is_digit(name.back()) ? "_" : "") + std::to_string(count);
  return made;
}

}  // namespace mechfmu
