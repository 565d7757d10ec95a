#include "model_desc/units.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numbers>
#include <stdexcept>

#include "model_desc/text.h"

namespace mechfmu {

namespace {

constexpr double pi = std::numbers::pi;

/// value · 10^power of the base unit; the power is separate so that mm2 is exactly 1e-6.
struct Atom {
  const char* name;
  double value, offset;
  std::array<int, 8> exponents;
  int power;
  bool prefixed;
};

// name, value, offset, exponents of kg m s A K mol cd rad, power of ten, whether prefixes are usual
constexpr Atom atoms[] = {
    {"1", 1, 0, {}, 0, false},
    {"%", 1, 0, {}, -2, false},
    {"ppm", 1, 0, {}, -6, false},
    {"g", 1, 0, {1, 0, 0, 0, 0, 0, 0, 0}, -3, true},
    {"t", 1, 0, {1, 0, 0, 0, 0, 0, 0, 0}, 3, true},
    {"m", 1, 0, {0, 1, 0, 0, 0, 0, 0, 0}, 0, true},
    {"s", 1, 0, {0, 0, 1, 0, 0, 0, 0, 0}, 0, true},
    {"min", 60, 0, {0, 0, 1, 0, 0, 0, 0, 0}, 0, false},
    {"h", 3600, 0, {0, 0, 1, 0, 0, 0, 0, 0}, 0, false},
    {"d", 86400, 0, {0, 0, 1, 0, 0, 0, 0, 0}, 0, false},
    {"A", 1, 0, {0, 0, 0, 1, 0, 0, 0, 0}, 0, true},
    {"K", 1, 0, {0, 0, 0, 0, 1, 0, 0, 0}, 0, true},
    {"degC", 1, 273.15, {0, 0, 0, 0, 1, 0, 0, 0}, 0, false},
    {"mol", 1, 0, {0, 0, 0, 0, 0, 1, 0, 0}, 0, true},
    {"cd", 1, 0, {0, 0, 0, 0, 0, 0, 1, 0}, 0, true},
    {"rad", 1, 0, {0, 0, 0, 0, 0, 0, 0, 1}, 0, true},
    {"deg", pi / 180, 0, {0, 0, 0, 0, 0, 0, 0, 1}, 0, false},
    {"rev", 2 * pi, 0, {0, 0, 0, 0, 0, 0, 0, 1}, 0, false},
    {"rpm", 2 * pi / 60, 0, {0, 0, -1, 0, 0, 0, 0, 1}, 0, false},
    {"Hz", 2 * pi, 0, {0, 0, -1, 0, 0, 0, 0, 1}, 0, true},
    {"N", 1, 0, {1, 1, -2, 0, 0, 0, 0, 0}, 0, true},
    {"Pa", 1, 0, {1, -1, -2, 0, 0, 0, 0, 0}, 0, true},
    {"bar", 1, 0, {1, -1, -2, 0, 0, 0, 0, 0}, 5, true},
    {"J", 1, 0, {1, 2, -2, 0, 0, 0, 0, 0}, 0, true},
    {"W", 1, 0, {1, 2, -3, 0, 0, 0, 0, 0}, 0, true},
    {"C", 1, 0, {0, 0, 1, 1, 0, 0, 0, 0}, 0, true},
    {"V", 1, 0, {1, 2, -3, -1, 0, 0, 0, 0}, 0, true},
    {"F", 1, 0, {-1, -2, 4, 2, 0, 0, 0, 0}, 0, true},
    {"Ohm", 1, 0, {1, 2, -3, -2, 0, 0, 0, 0}, 0, true},
    {"S", 1, 0, {-1, -2, 3, 2, 0, 0, 0, 0}, 0, true},
    {"Wb", 1, 0, {1, 2, -2, -1, 0, 0, 0, 0}, 0, true},
    {"T", 1, 0, {1, 0, -2, -1, 0, 0, 0, 0}, 0, true},
    {"H", 1, 0, {1, 2, -2, -2, 0, 0, 0, 0}, 0, true},
    {"l", 1, 0, {0, 3, 0, 0, 0, 0, 0, 0}, -3, true},
};

struct Prefix {
  std::string_view name;
  int power;
};
constexpr Prefix prefixes[] = {{"da", 1}, {"T", 12}, {"G", 9},  {"M", 6},  {"k", 3},  {"h", 2},
                               {"d", -1}, {"c", -2}, {"m", -3}, {"u", -6}, {"n", -9}, {"p", -12}};

struct Usual {
  std::string_view unit;
  const char* quantity;
  bool prefers_first;  // preferred for display over the unit itself
  std::array<const char*, 2> shown;
};

constexpr Usual usual_units[] = {
    {"s", "Time", false, {"ms"}},
    {"rad", "Angle", true, {"deg", "rev"}},
    {"rad/s", "AngularVelocity", true, {"rpm", "deg/s"}},
    {"rad/s2", "AngularAcceleration", true, {"deg/s2"}},
    {"m", "Length", true, {"mm"}},
    {"m/s", "Velocity", false, {"mm/s", "km/h"}},
    {"m/s2", "Acceleration", false, {}},
    {"m2", "Area", false, {"mm2"}},
    {"m3", "Volume", false, {"l"}},
    {"kg", "Mass", false, {}},
    {"kg.m", "MassMoment", false, {}},
    {"kg.m2", "MomentOfInertia", false, {}},
    {"kg.m/s", "Momentum", false, {}},
    {"kg.m2/s", "AngularMomentum", false, {}},
    {"kg/m3", "Density", false, {}},
    {"N", "Force", false, {"kN"}},
    {"N.m", "Torque", false, {}},
    {"N.s", "Impulse", false, {}},
    {"J", "Energy", false, {"kJ"}},
    {"W", "Power", false, {"kW"}},
    {"Pa", "Pressure", true, {"bar", "MPa"}},
    {"Hz", "Frequency", false, {"rpm"}},
    {"K", "Temperature", true, {"degC"}},
    {"A", "ElectricCurrent", false, {}},
    {"V", "ElectricPotential", false, {}},
    {"N/m", "Stiffness", false, {"N/mm"}},
    {"N.s/m", "Damping", false, {}},
    {"N.m/rad", "RotationalStiffness", false, {"N.m/deg"}},
    {"N.m.s/rad", "RotationalDamping", false, {}},
};

const Usual* find_usual(std::string_view symbol) {
  const auto found = std::find_if(std::begin(usual_units), std::end(usual_units),
                                  [&](const Usual& u) { return u.unit == symbol; });
  return found == std::end(usual_units) ? nullptr : &*found;
}

/// Recursive descent over
///   product = factor { ("." | "/") factor },   at most one factor after each "/"
///   factor  = name [ ["^"] ["-" | "+"] digits ] | "(" product ")"
class Parser {
 public:
  Parser(std::string_view symbol, std::string_view variable)
      : symbol_(symbol), variable_(variable) {}

  Unit parse() {
    // limits the depth of calls for brackets and the sums of exponents
    constexpr std::size_t longest = 100;
    if (symbol_.size() > longest) fail("has more than " + std::to_string(longest) + " characters");
    product(1);
    if (at_ != symbol_.size()) fail("is not valid at \"" + rest() + "\"");
    (power_ < 0 ? below_ : above_) *= std::pow(10.0, std::abs(power_));
    unit_.factor = above_ / below_;
    unit_.inverse = below_ / above_;
    if (!std::isnormal(unit_.factor) || !std::isnormal(unit_.inverse)) fail("is out of range");
    // 20 degC is a temperature, but 5 W/degC refers to differences.
    if (factors_ == 1 && lone_exponent_ == 1) unit_.offset = offset_;
    return unit_;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    const std::string of = variable_.empty() ? "" : " of variable " + std::string(variable_);
    constexpr std::size_t shown = 60;
    throw std::invalid_argument("unit \"" + plain_line(symbol_, shown) + "\"" + of + " " + what);
  }
  std::string rest() const { return std::string(symbol_.substr(at_)); }
  bool more() const { return at_ < symbol_.size(); }
  bool take(char c) {
    if (!more() || symbol_[at_] != c) return false;
    ++at_;
    return true;
  }

  void product(int sign) {
    factor(sign);
    bool divided = false;
    while (more() && symbol_[at_] != ')') {
      if (take('/')) {
        divided = true;
        factor(-sign);
      } else if (take('.')) {
        if (divided) fail("is ambiguous: write the denominator in brackets, as in J/(kg.K)");
        factor(sign);
      } else {
        return;
      }
    }
  }

  void factor(int sign) {
    if (take('(')) {
      product(sign);
      if (!take(')')) fail("has no closing bracket");
      return;
    }
    const std::size_t begin = at_;
    if (!take('1') && !take('%'))
      while (more() && is_letter(symbol_[at_])) ++at_;
    const std::string_view name = symbol_.substr(begin, at_ - begin);
    multiply(name, sign * exponent());
  }

  int exponent() {
    const bool marked = take('^');
    const bool negative = take('-');
    const bool is_signed = negative || take('+');
    int digits = 0;
    int value = 0;
    while (more() && is_digit(symbol_[at_]) && digits < 2) {
      value = 10 * value + (symbol_[at_++] - '0');
      ++digits;
    }
    if (digits == 0 && (marked || is_signed)) fail("lacks an exponent at \"" + rest() + "\"");
    if (digits == 0) return 1;
    return negative ? -value : value;
  }

  void multiply(std::string_view name, int exponent) {
    int prefix = 0;
    const Atom* atom = find(name, false);
    for (const Prefix& p : prefixes) {
      if (atom != nullptr) break;
      if (!name.starts_with(p.name)) continue;
      atom = find(name.substr(p.name.size()), true);
      prefix = p.power;
    }
    if (atom == nullptr)
      fail((name == symbol_ ? "is unknown" : "has the unknown part \"" + std::string(name) + "\"") +
           "; write for example N.m, kg.m2, m/s2, rad/s, deg, %, 1");
    for (std::size_t i = 0; i < unit_.exponents.size(); ++i)
      unit_.exponents[i] += exponent * atom->exponents[i];
    (exponent < 0 ? below_ : above_) *= std::pow(atom->value, std::abs(exponent));
    power_ += exponent * (prefix + atom->power);
    offset_ = atom->offset;
    lone_exponent_ = exponent;
    ++factors_;
  }

  static const Atom* find(std::string_view name, bool prefixed) {
    for (const Atom& atom : atoms)
      if (name == atom.name && (atom.prefixed || !prefixed)) return &atom;
    return nullptr;
  }

  std::string_view symbol_, variable_;
  std::size_t at_ = 0;
  Unit unit_;
  double above_ = 1, below_ = 1;  // factor = above / below: whole numbers as far as possible
  double offset_ = 0;
  int power_ = 0, factors_ = 0, lone_exponent_ = 1;
};

}  // namespace

Unit parse_unit(std::string_view symbol, std::string_view variable) {
  return Parser(symbol, variable).parse();
}

std::vector<DisplayUnit> display_units(const std::string& symbol) {
  std::vector<DisplayUnit> shown;
  const Usual* usual = find_usual(symbol);
  if (usual == nullptr) return shown;
  const Unit unit = parse_unit(symbol);
  for (const char* name : usual->shown) {
    if (name == nullptr) break;
    const Unit other = parse_unit(name);
    shown.push_back(
        {name, unit.factor * other.inverse, (unit.offset - other.offset) * other.inverse});
  }
  return shown;
}

std::string preferred_display_unit(const std::string& symbol) {
  const Usual* usual = find_usual(symbol);
  return usual != nullptr && usual->prefers_first ? usual->shown[0] : "";
}

std::string quantity(const std::string& symbol) {
  const Usual* usual = find_usual(symbol);
  return usual == nullptr ? "" : usual->quantity;
}

}  // namespace mechfmu
