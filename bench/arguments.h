// Command lines of the benchmarks: options are taken by name, the remaining words are models.
//
//   Arguments arguments(argc, argv);
//   const auto end = arguments.number("--end");                // std::optional<double>
//   const MethodChoice choice = take_method(arguments);        // --method, --rho, --hht, …
//   const auto models = arguments.rest();                      // reports unknown options

#pragma once

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iostream>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "model/format.h"
#include "model/system.h"
#include "model/variables.h"
#include "models/registry.h"
#include "solver/options.h"

namespace mechfmu::bench {

/// An invalid command line; the text names the argument and the allowed values.
struct BadArgument : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class Arguments {
 public:
  Arguments(int argc, const char* const* argv) : words_(argv + 1, argv + argc) {}

  bool flag(const std::string& name) { return take(name).has_value(); }

  std::optional<std::string> text(const std::string& name) {
    const auto at = take(name);
    if (!at) return {};
    if (*at == words_.size()) throw BadArgument(name + " needs a value after it");
    const std::string value = words_[*at];
    words_.erase(words_.begin() + static_cast<std::ptrdiff_t>(*at));
    if (std::find(words_.begin(), words_.end(), name) != words_.end() && name != "--set")
      throw BadArgument(name + " is given twice");
    return value;
  }

  std::optional<std::string> one_of(const std::string& name,
                                    const std::vector<std::string>& allowed) {
    auto value = text(name);
    if (!value || std::find(allowed.begin(), allowed.end(), *value) != allowed.end()) return value;
    std::string list;
    for (const std::string& word : allowed) list += (list.empty() ? "" : ", ") + word;
    throw BadArgument(name + " '" + *value + "' is unknown; allowed are: " + list);
  }

  std::optional<double> number(const std::string& name) {
    const auto value = text(name);
    if (!value) return {};
    return to_number(name, *value);
  }

  std::optional<double> positive(const std::string& name) {
    const auto value = number(name);
    if (value && !(*value > 0)) throw BadArgument(name + " must be a number above 0");
    return value;
  }

  std::optional<int> count(const std::string& name, int most) {
    const auto value = number(name);
    if (!value) return {};
    if (!(*value >= 1 && *value <= most) || *value != static_cast<int>(*value))
      throw BadArgument(name + " must be a whole number from 1 to " + std::to_string(most));
    return static_cast<int>(*value);
  }

  /// The words that no option has taken.
  std::vector<std::string> rest() const {
    for (const std::string& word : words_)
      if (word.starts_with("-")) throw BadArgument("unknown option '" + word + "'; see --help");
    return words_;
  }

  static double to_number(const std::string& name, const std::string& text) {
    double value = 0;
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc() || stop != end || !std::isfinite(value))
      throw BadArgument(name + ": '" + text + "' is not a number");
    return value;
  }

 private:
  /// Removes the word; the next word is then at the returned place.
  std::optional<std::size_t> take(const std::string& name) {
    const auto found = std::find(words_.begin(), words_.end(), name);
    if (found == words_.end()) return {};
    return static_cast<std::size_t>(words_.erase(found) - words_.begin());
  }

  std::vector<std::string> words_;
};

/// A method with its coefficients and its name.
struct MethodChoice {
  Method method = Method::soi2;
  Coefficients coefficients;
  std::string text;

  void apply(Options& options) const {
    options.method = method;
    options.coefficients = coefficients;
  }
};

constexpr const char* method_help =
    "  --method soi2|hht_i3|hht_i3_printed|arnold_bruls\n"
    "  --rho R            coefficients of Chung & Hulbert, 0 <= R <= 1\n"
    "  --hht A            coefficients of Hilber, Hughes & Taylor, -1/3 <= A <= 0\n"
    "  --trapezoidal      beta = 1/4, gamma = 1/2\n";

inline MethodChoice make_method(Method method, double rho_inf) {
  return {method, Coefficients::from_rho(rho_inf),
          std::string(mechfmu::name(method)) + ", ρ∞ = " + format(rho_inf)};
}

inline MethodChoice make_hht(Method method, double alpha) {
  return {method, Coefficients::hht(alpha),
          std::string(mechfmu::name(method)) + ", HHT α = " + format(alpha)};
}

/// The options of method_help; ρ∞ = usual_rho (HHT: α = −0.3) if no coefficients are given.
inline MethodChoice take_method(Arguments& arguments, double usual_rho) {
  constexpr Method all[] = {Method::soi2, Method::hht_i3, Method::hht_i3_printed,
                            Method::arnold_bruls};
  std::vector<std::string> names;
  for (const Method method : all) names.emplace_back(mechfmu::name(method));
  const std::string name = arguments.one_of("--method", names).value_or("soi2");
  const Method method = all[std::find(names.begin(), names.end(), name) - names.begin()];

  const auto rho = arguments.number("--rho");
  const auto hht = arguments.number("--hht");
  const bool trapezoidal = arguments.flag("--trapezoidal");
  if (int{rho.has_value()} + int{hht.has_value()} + int{trapezoidal} > 1)
    throw BadArgument("only one of --rho, --hht and --trapezoidal can be given");
  if (rho && !(*rho >= 0 && *rho <= 1)) throw BadArgument("--rho must be a number from 0 to 1");
  if (hht && !(*hht >= -1.0 / 3 && *hht <= 0))
    throw BadArgument("--hht must be a number from -1/3 to 0");

  if (trapezoidal) return {method, Coefficients::trapezoidal(), name + ", trapezoidal rule"};
  if (rho) return make_method(method, *rho);
  if (hht) return make_hht(method, *hht);
  const bool is_hht = method == Method::hht_i3 || method == Method::hht_i3_printed;
  return is_hht ? make_hht(method, -0.3) : make_method(method, usual_rho);
}

/// "a, b, c" of the models in the registry.
inline std::string known_models() {
  std::string list;
  for (const std::string& name : models::names()) list += (list.empty() ? "" : ", ") + name;
  return list;
}

inline void check_model(const std::string& name) {
  const auto& known = models::names();
  if (std::find(known.begin(), known.end(), name) == known.end())
    throw BadArgument("there is no model '" + name + "'; there are: " + known_models());
}

inline std::string take_model(const Arguments& arguments) {
  const auto names = arguments.rest();
  if (names.size() != 1)
    throw BadArgument(names.empty() ? "name a model: " + known_models()
                                    : "one model only; '" + names[1] + "' is too much");
  check_model(names[0]);
  return names[0];
}

/// All --set name=value, in their order.
inline std::vector<std::string> take_settings(Arguments& arguments) {
  std::vector<std::string> settings;
  while (auto setting = arguments.text("--set")) settings.push_back(*setting);
  return settings;
}

inline void apply_settings(System& system, const std::vector<std::string>& settings) {
  Vector u(system.sizes().u);
  system.get_inputs(u);
  for (const std::string& setting : settings) {
    const auto equals = setting.find('=');
    if (equals == std::string::npos)
      throw BadArgument("--set " + setting + ": name=value is expected");
    const std::string name = setting.substr(0, equals);
    try {
      u[system.variables().input_index(name)] =
          Arguments::to_number("--set " + name, setting.substr(equals + 1));
    } catch (const std::out_of_range& error) {
      throw BadArgument("--set " + setting + ": " + error.what());
    }
  }
  system.set_inputs(u);
}

/// Runs a program: 2 for an invalid command line, 1 for a failed run.
template <class Program>
int guarded(const std::string& name, Program&& program) {
  try {
    return program();
  } catch (const BadArgument& error) {
    std::cerr << name << ": " << error.what() << '\n';
    return 2;
  } catch (const std::exception& error) {
    std::cerr << name << ": " << error.what() << '\n';
    return 1;
  }
}

}  // namespace mechfmu::bench
