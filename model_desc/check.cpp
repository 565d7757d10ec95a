#include "model_desc/check.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>

#include "model_desc/text.h"
#include "model_desc/units.h"

namespace mechfmu {

namespace {

bool begins_word(char c) { return is_letter(c) || c == '_'; }

/// The structured names of FMI: words joined by dots, each with indices, 'quoted' or plain;
/// der(name).
class Name {
 public:
  explicit Name(std::string_view text) : text_(text) {}

  bool is_structured() {
    if (!text_.starts_with("der(")) return identifier() && done();
    at_ = 4;
    if (!identifier()) return false;
    if (take(',') && !number()) return false;
    return take(')') && done();
  }

 private:
  bool done() const { return at_ == text_.size(); }
  bool take(char c) {
    if (done() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  bool number() {
    const std::size_t begin = at_;
    while (!done() && is_digit(text_[at_])) ++at_;
    return at_ > begin;
  }
  bool identifier() {
    do {
      if (!word() || !indices()) return false;
    } while (take('.'));
    return true;
  }
  bool word() {
    if (take('\'')) return quoted();
    if (done() || !begins_word(text_[at_])) return false;
    while (!done() && (begins_word(text_[at_]) || is_digit(text_[at_]))) ++at_;
    return true;
  }
  bool quoted() {
    const std::size_t begin = at_;
    while (!done() && text_[at_] != '\'') {
      const bool escape = text_[at_] == '\\';
      const auto c = static_cast<unsigned char>(text_[at_]);
      if (c < 0x20 || c > 0x7e || c == '"') return false;
      at_ += escape ? 2 : 1;
    }
    return at_ > begin && take('\'');
  }
  bool indices() {
    if (!take('[')) return true;
    do {
      if (!number()) return false;
    } while (take(','));
    return take(']');
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

[[noreturn]] void fail(const Entry& e, const std::string& what) {
  throw std::invalid_argument("variable " + e.name + ": " + what);
}

void check_name(const Entry& e) {
  if (!Name(e.name).is_structured())
    throw std::invalid_argument(
        "variable name \"" + e.name +
        "\" is not allowed: use letters, digits and _ joined by dots, as in crank.angle");
}

void check_start(const Entry& e) {
  const bool needed = e.causality == Causality::input || e.initial == Initial::exact ||
                      e.initial == Initial::approx;
  const std::size_t expected = needed ? static_cast<std::size_t>(e.size) : 0;
  if (e.start.size() != expected)
    fail(e, "has " + std::to_string(e.start.size()) + " start values and needs " +
                std::to_string(expected));
  for (const double start : e.start) {
    if (!std::isfinite(start)) fail(e, "the start value " + shortest(start) + " is not finite");
    if (!(start >= e.min && start <= e.max))
      fail(e, "the start value " + shortest(start) + " is not between min = " + shortest(e.min) +
                  " and max = " + shortest(e.max));
  }
}

void check_type(const Entry& e) {
  if (e.type != Type::real && e.variability == Variability::continuous)
    fail(e, "only real variables are continuous");
  if (e.type == Type::enumeration && e.items.empty()) fail(e, "an enumeration needs items");
  if (!(e.nominal > 0) || !std::isfinite(e.nominal))
    fail(e, "nominal = " + shortest(e.nominal) + " must be positive");
  if (std::isnan(e.min) || std::isnan(e.max) || e.min > e.max)
    fail(e, "min = " + shortest(e.min) + " is not below max = " + shortest(e.max));
  const bool is_count = e.type == Type::integer || e.type == Type::enumeration;
  constexpr double largest = 2147483647;
  for (const double bound : {e.min, e.max})
    if (is_count && std::isfinite(bound) && std::abs(bound) > largest)
      fail(e, "an integer must be within 32 bits");
}

}  // namespace

void check(const Description& description) {
  const std::string& model = description.model;
  const bool identifier =
      !model.empty() && begins_word(model[0]) &&
      std::all_of(model.begin(), model.end(), [](char c) { return begins_word(c) || is_digit(c); });
  if (!identifier)
    throw std::invalid_argument("model name \"" + model +
                                "\" is not allowed: use letters, digits and _");
  std::set<std::string> names;
  for (const Entry& e : description.entries) {
    check_name(e);
    if (!names.insert(e.name).second)
      fail(e,
           "the name is used twice; rename one of the two (y, z, a, lambda, psi and x are the "
           "letters of the equations)");
    check_type(e);
    check_start(e);
    for (const std::string& unit : e.units)
      if (!unit.empty()) (void)parse_unit(unit, e.name);
  }
  const Experiment& x = description.experiment;
  if (!(x.stop > 0 && x.step > 0 && x.tolerance > 0) || !std::isfinite(x.stop + x.step))
    throw std::invalid_argument(
        "the default experiment needs a positive stop time, communication step and tolerance");
}

}  // namespace mechfmu
