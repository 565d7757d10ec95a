// Unit symbols as SI exponents.
//
//   base value = factor · value + offset,  base unit = kg^a m^b s^c A^d K^e mol^f cd^g rad^h
//
// A symbol is made of names with SI prefixes and exponents, joined by "." and "/" as in Modelica:
// N.m, kg.m2, m/s2, N.m.s/rad, J/(kg.K), 1/s, %. Hz is one revolution per second, 2π rad/s, as in
// the table of units of the FMI standard, so that conversion from and to rad/s is correct.

#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace mechfmu {

constexpr std::array<const char*, 8> base_units = {"kg", "m", "s", "A", "K", "mol", "cd", "rad"};

struct Unit {
  std::array<int, 8> exponents{};  // in the order of base_units
  double factor = 1;
  double inverse = 1;  // 1 / factor, rounded once: 3.6 for km/h
  double offset = 0;
};

/// Throws std::invalid_argument that names the unit and, if given, the variable that has it.
Unit parse_unit(std::string_view symbol, std::string_view variable = {});

/// Another unit to display values in: displayed value = factor · value + offset.
struct DisplayUnit {
  std::string name;
  double factor = 1;
  double offset = 0;
};

/// Units in which values may be displayed: m/s → mm/s, km/h.
std::vector<DisplayUnit> display_units(const std::string& symbol);
/// The default display unit: rad → deg, m → mm; empty: the unit itself.
std::string preferred_display_unit(const std::string& symbol);

/// The usual quantity of a unit: N.m → Torque, J → Energy; empty if there is none.
std::string quantity(const std::string& symbol);

}  // namespace mechfmu
