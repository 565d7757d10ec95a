#include "language/backend/cpp_names.h"

#include <algorithm>
#include <iterator>

#include "language/expression/build.h"
#include "model_desc/text.h"

namespace mechfmu {

namespace {

// in alphabetical order
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

// of the generated code, of the functions that it calls, and of the C library
constexpr std::string_view around[] = {"s",
                                       "std",
                                       "mechfmu",
                                       "mechanics",
                                       "functions",
                                       "tables",
                                       "ground",
                                       "main",
                                       "mechanism_tables",
                                       "settings",
                                       "poses",
                                       "bodies",
                                       "joints",
                                       "rollings",
                                       "measured",
                                       "measures",
                                       "states",
                                       "constraints",
                                       "couplings",
                                       "springs",
                                       "bushings",
                                       "beams",
                                       "modals",
                                       "stops",
                                       "frictions",
                                       "contacts",
                                       "forces",
                                       "vector_forces",
                                       "actions",
                                       "outputs",
                                       "solver",
                                       "functions_used",
                                       "formula",
                                       "law",
                                       "output",
                                       "along",
                                       "changing",
                                       "relation",
                                       "value",
                                       "rate",
                                       "multiplier",
                                       "angle",
                                       "displacement",
                                       "point",
                                       "direction",
                                       "turned",
                                       "at",
                                       "vec",
                                       "power",
                                       "pick",
                                       "holds",
                                       "root_of_squares",
                                       "minimum",
                                       "maximum",
                                       "norm",
                                       "dot",
                                       "cross",
                                       "sign",
                                       "floor",
                                       "varies",
                                       "whole_power",
                                       "Acting",
                                       "Action",
                                       "Argument",
                                       "BeamRow",
                                       "Beyond",
                                       "Body",
                                       "BodyRow",
                                       "BodyType",
                                       "BushingRow",
                                       "Calculated",
                                       "Calculation",
                                       "Constraint",
                                       "ConstraintRow",
                                       "ContactFriction",
                                       "ContactLaw",
                                       "ContactRow",
                                       "ContactShape",
                                       "ContactSide",
                                       "CouplingRow",
                                       "ForceAxes",
                                       "ForceRow",
                                       "Formula",
                                       "FormulaScope",
                                       "FrictionLaw",
                                       "FrictionRow",
                                       "Function",
                                       "FunctionUse",
                                       "Index",
                                       "Interpolation",
                                       "Joint",
                                       "JointRow",
                                       "JointType",
                                       "Law",
                                       "LawValue",
                                       "List",
                                       "Measure",
                                       "MeasureEntry",
                                       "MeasureRow",
                                       "MeasureType",
                                       "Modal",
                                       "ModalRow",
                                       "Number",
                                       "Operations",
                                       "Code",
                                       "interpreted",
                                       "OutputRow",
                                       "Placed",
                                       "Points",
                                       "Pose",
                                       "PoseRow",
                                       "Quantity",
                                       "Read",
                                       "RelationValue",
                                       "Rolling",
                                       "RollingRow",
                                       "RollingType",
                                       "Setting",
                                       "SettingRow",
                                       "ShapeType",
                                       "SolverSetting",
                                       "Span",
                                       "Spins",
                                       "SpringRow",
                                       "StateRow",
                                       "StateVariable",
                                       "StopRow",
                                       "Table",
                                       "Tabled",
                                       "Tables",
                                       "Triple",
                                       "Vector3",
                                       "VectorForceRow",
                                       "Dual",
                                       "detail",
                                       "is_zero",
                                       "steep_product",
                                       "y0",
                                       "y1",
                                       "yn",
                                       "j0",
                                       "j1",
                                       "jn",
                                       "gamma",
                                       "signal",
                                       "index",
                                       "time"};

// common macros of the C library, of compilers and of Eigen; others are in capitals
constexpr std::string_view macros[] = {"alloca",
                                       "assert",
                                       "assert_perror",
                                       "bswap_16",
                                       "complex",
                                       "errno",
                                       "fpclassify",
                                       "i386",
                                       "imaginary",
                                       "isfinite",
                                       "isgreater",
                                       "isinf",
                                       "isless",
                                       "isnan",
                                       "isnormal",
                                       "issignaling",
                                       "issubnormal",
                                       "iszero",
                                       "linux",
                                       "major",
                                       "makedev",
                                       "math_errhandling",
                                       "minor",
                                       "offsetof",
                                       "sched_priority",
                                       "setjmp",
                                       "sigmask",
                                       "signbit",
                                       "static_assert",
                                       "stderr",
                                       "stdin",
                                       "stdout",
                                       "strdupa",
                                       "strndupa",
                                       "unix",
                                       "unordered",
                                       "L_ctermid",
                                       "L_cuserid",
                                       "L_tmpnam",
                                       "P_tmpdir",
                                       "va_arg",
                                       "va_copy",
                                       "va_end",
                                       "va_start",
                                       "BUFSIZ",
                                       "EOF",
                                       "HUGE_VAL",
                                       "INFINITY",
                                       "NAN",
                                       "NULL",
                                       "RAND_MAX"};
constexpr std::string_view beginnings_of_macros[] = {"EIGEN_",
                                                     "M_1",
                                                     "M_2",
                                                     "M_E",
                                                     "M_L",
                                                     "M_P",
                                                     "M_S",
                                                     "SYS_",
                                                     "be16",
                                                     "be32",
                                                     "be64",
                                                     "ei_declare",
                                                     "eigen_",
                                                     "htobe",
                                                     "htole",
                                                     "le16",
                                                     "le32",
                                                     "le64",
                                                     "pthread_cleanup_",
                                                     "vec2d_",
                                                     "vec4"};

template <std::size_t count>
bool has(const std::string_view (&words)[count], std::string_view word) {
  return std::find(std::begin(words), std::end(words), word) != std::end(words);
}

bool is_known_macro(std::string_view word) {
  return has(macros, word) ||
         std::any_of(std::begin(beginnings_of_macros), std::end(beginnings_of_macros),
                     [&](std::string_view beginning) { return word.starts_with(beginning); });
}

/// Possible macros of headers: NAN, M_PI, EOF, stdin. A single letter and A1, B2 are plain names.
bool may_be_macro(std::string_view word) {
  const auto is_capital = [](char c) { return c >= 'A' && c <= 'Z'; };
  const auto is_small = [](char c) { return c >= 'a' && c <= 'z'; };
  return is_known_macro(word) || (std::count_if(word.begin(), word.end(), is_capital) > 1 &&
                                  std::none_of(word.begin(), word.end(), is_small));
}

/// v1, v2, …: names of the values that formulas use several times.
bool is_local(std::string_view word) {
  return word.size() > 1 && word[0] == 'v' && std::all_of(word.begin() + 1, word.end(), is_digit);
}

}  // namespace

bool is_taken_in_cpp(std::string_view word) {
  return has(keywords, word) || has(around, word) || is_known_macro(word);
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
    else if (!name.empty() && name.back() != '_' && c != ']')
      name += '_';
  }
  if (name.empty() || is_digit(name[0])) name.insert(0, "x");
  if (may_be_macro(name) || is_local(name)) name.insert(0, "x_");
  std::string made = name;
  for (int count = 2; !taken_.insert(made).second; ++count)
    made = name + (name.back() == '_' || is_digit(name.back()) ? "_" : "") + std::to_string(count);
  return made;
}

}  // namespace mechfmu
