#include "mechanics/flex_file.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <numbers>
#include <optional>

#include "model/format.h"

namespace mechfmu::mechanics {

namespace {

using Words = std::vector<std::string_view>;
using Numbers = std::vector<double>;
using Pair = std::pair<std::size_t, std::size_t>;

std::optional<double> number_of(std::string_view word) {
  if (word.starts_with('+')) word.remove_prefix(1);
  double x = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), x);
  if (error != std::errc() || end != word.data() + word.size()) return {};
  return x;
}

bool is_name(std::string_view word) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  return !word.empty() && letter(word[0]) && std::all_of(word.begin(), word.end(), [&](char c) {
    return letter(c) || c == '_' || (c >= '0' && c <= '9');
  });
}

class Reader {
 public:
  Reader(std::string_view text, std::vector<FlexFileProblem>& problems)
      : text_(text), problems_(problems) {}

  ModalBody read() {
    if (!next() || words_[0] != "flexible_body" || words_.size() != 2 || words_[1] != "1") {
      fail("a flexible body begins with the line: flexible_body 1");
      return {};
    }
    // The lines after an unreadable one are not checked.
    while (problems_.empty() && next()) {
      const std::string_view word = words_[0];
      if (word == "end") {
        ended_ = true;
        break;
      }
      if (word == "about") continue;
      if (word == "mass")
        take(1, mass_, "mass in kg");
      else if (word == "centre")
        take(3, centre_, "x y z of the centre of mass");
      else if (word == "inertia")
        take(6, inertia_, "xx yy zz xy xz yz about the centre of mass");
      else if (word == "nodes")
        read_nodes();
      else if (word == "modes")
        read_modes();
      else if (word == "inertia_1")
        rows(1, 6, "mode xx yy zz xy xz yz", [&](const auto& k, const Numbers& x) {
          if (!J1_.emplace(k[0], x).second)
            fail("inertia_1 of mode " + std::to_string(k[0] + 1) + " is given twice");
        });
      else if (word == "inertia_2")
        rows(2, 6, "mode mode xx yy zz xy xz yz",
             [&](const auto& k, const Numbers& x) { once("inertia_2", "symmetric", J2_, k, x); });
      else if (word == "coriolis")
        rows(2, 3, "mode mode x y z", [&](const auto& k, const Numbers& x) { coriolis(k, x); });
      else if (word == "geometric")
        rows(2, 6, "mode mode xx yy zz xy xz yz", [&](const auto& k, const Numbers& x) {
          once("geometric", "symmetric", geometric_, k, x);
        });
      else if (word == "residual")
        read_residual();
      else if (word == "recovery")
        read_recovery();
      else
        fail("'" + std::string(word) +
             "' is unknown; use mass, centre, inertia, nodes, modes, inertia_1, inertia_2, "
             "coriolis, geometric, residual, recovery and end");
    }
    finish();
    return std::move(made_);
  }

 private:
  static constexpr std::size_t most_problems = 10;
  static constexpr std::size_t most_modes = 5000;

  void fail(const std::string& what) {
    if (problems_.size() < most_problems) problems_.push_back({line_, what});
  }

  /// The words of the next line that is not empty.
  bool next() {
    if (again_) {
      again_ = false;
      return true;
    }
    while (!text_.empty()) {
      const std::size_t end = std::min(text_.find('\n'), text_.size());
      std::string_view line = text_.substr(0, end);
      text_.remove_prefix(std::min(end + 1, text_.size()));
      ++line_;
      line = line.substr(0, line.find('#'));
      words_.clear();
      constexpr std::string_view spaces = " \t\r";
      for (std::size_t at = line.find_first_not_of(spaces); at != std::string_view::npos;) {
        const std::size_t stop = std::min(line.find_first_of(spaces, at), line.size());
        words_.push_back(line.substr(at, stop - at));
        at = line.find_first_not_of(spaces, stop);
      }
      if (!words_.empty()) return true;
    }
    return false;
  }

  /// `count` numbers from word `first` on.
  bool numbers(std::size_t first, std::size_t count, Numbers& to, const char* what) {
    to.clear();
    if (words_.size() != first + count) {
      fail("this line has " + std::to_string(words_.size() - std::min(first, words_.size())) +
           " numbers and takes " + std::to_string(count) + ": " + what);
      return false;
    }
    for (std::size_t i = first; i < words_.size(); ++i) {
      const std::optional<double> x = number_of(words_[i]);
      if (!x) {
        fail("'" + std::string(words_[i].substr(0, 40)) + "' is not a number");
        return false;
      }
      to.push_back(*x);
    }
    return true;
  }
  void take(std::size_t count, Numbers& to, const char* what) { (void)numbers(1, count, to, what); }

  std::optional<std::size_t> count_of(const char* what) {
    const std::optional<double> n = words_.size() == 2 ? number_of(words_[1]) : std::nullopt;
    if (n && *n >= 0 && *n <= static_cast<double>(most_modes) && *n == static_cast<int>(*n))
      return static_cast<std::size_t>(*n);
    fail(std::string("after '") + what + "' a whole number up to " + std::to_string(most_modes) +
         " says how many there are");
    return {};
  }

  void read_nodes() {
    const auto count = count_of("nodes");
    if (!count) return;
    made_.nodes.clear();
    places_.clear();
    for (std::size_t n = 0; n < *count; ++n) {
      if (!next())
        return fail("the file ends after " + std::to_string(n) + " of " + std::to_string(*count) +
                    " nodes");
      Numbers place;
      if (!numbers(1, 3, place, "x y z of a node, after its name")) return;
      const std::string name(words_[0]);
      if (!is_name(name))
        return fail(
            "'" + name +
            "' is not a valid node name: use letters, digits and _, beginning with a letter");
      if (std::find(made_.nodes.begin(), made_.nodes.end(), name) != made_.nodes.end())
        return fail("there are two nodes '" + name + "'");
      made_.nodes.push_back(name);
      places_.insert(places_.end(), place.begin(), place.end());
    }
  }

  void read_modes() {
    const auto count = count_of("modes");
    if (!count) return;
    made_.modes = static_cast<std::int32_t>(*count);
    omegas_.clear();
    zetas_.clear();
    shapes_.clear();
    for (std::size_t k = 0; k < *count; ++k) {
      Numbers x;
      const bool there = next();
      if (!there || words_[0] != "mode")
        return fail("mode " + std::to_string(k + 1) + " of " + std::to_string(*count) +
                    " begins with: mode frequency damping_ratio");
      if (!numbers(1, 2, x, "frequency in Hz and damping ratio")) return;
      if (k > 0 && x[0] * 2 * std::numbers::pi < omegas_.back())
        return fail("modes must be in the order of their frequencies");
      omegas_.push_back(x[0] * 2 * std::numbers::pi);
      zetas_.push_back(x[1]);
      for (std::size_t n = 0; n < made_.nodes.size(); ++n) {
        if (!next()) return fail("the file ends in mode " + std::to_string(k + 1));
        if (!numbers(0, 6, x, "ux uy uz rx ry rz of a node")) return;
        shapes_.insert(shapes_.end(), x.begin(), x.end());
      }
    }
  }

  /// Lines that begin with numbers of modes.
  template <class Use>
  void rows(std::size_t keys, std::size_t count, const char* what, const Use& use) {
    while (next()) {
      if (is_name(words_[0])) {
        again_ = true;
        return;
      }
      Numbers x;
      if (!numbers(0, keys + count, x, what)) return;
      std::vector<std::size_t> modes;
      for (std::size_t i = 0; i < keys; ++i) {
        if (!(x[i] >= 1 && x[i] <= made_.modes && x[i] == static_cast<int>(x[i])))
          return fail("there is no mode " + std::string(words_[i]) + "; there are " +
                      std::to_string(made_.modes));
        modes.push_back(static_cast<std::size_t>(x[i]) - 1);
      }
      use(modes, Numbers(x.begin() + static_cast<std::ptrdiff_t>(keys), x.end()));
    }
  }
  void coriolis(const std::vector<std::size_t>& k, Numbers x) {
    if (k[0] == k[1]) {
      if (x != Numbers{0, 0, 0}) fail("coriolis of a mode with itself is zero");
      return;
    }
    if (k[0] > k[1])
      for (double& component : x) component = -component;
    once("coriolis", "antisymmetric", g_, k, x);
  }
  /// A pair of modes may be given in both orders, with the same numbers.
  void once(const char* what, const char* symmetry, std::map<Pair, Numbers>& all,
            const std::vector<std::size_t>& k, const Numbers& x) {
    const auto [at, is_new] = all.emplace(std::minmax(k[0], k[1]), x);
    if (is_new) return;
    double size = 0;
    double apart = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      size = std::max({size, std::abs(x[i]), std::abs(at->second[i])});
      apart = std::max(apart, std::abs(x[i] - at->second[i]));
    }
    if (apart > 1e-6 * size)
      fail(std::string(what) + " of modes " + std::to_string(k[0] + 1) + " and " +
           std::to_string(k[1] + 1) + " is not " + symmetry +
           ": it is given twice and differs by " + format(apart, 4));
  }

  void read_residual() {
    made_.residual.assign(2 * made_.nodes.size(), 0);
    while (next()) {
      if (words_.size() == 1 || !is_name(words_[0]) || !number_of(words_[1])) {
        again_ = true;
        return;
      }
      const auto node = std::find(made_.nodes.begin(), made_.nodes.end(), words_[0]);
      if (node == made_.nodes.end())
        return fail("there is no node '" + std::string(words_[0]) + "'");
      Numbers x;
      if (!numbers(1, 2, x, "flexibility in m/N and rad/(N m), after the name of a node")) return;
      if (!(x[0] >= 0 && x[1] >= 0 && std::isfinite(x[0] + x[1])))
        return fail("the flexibility that modes leave out must not be negative");
      const auto at = 2 * static_cast<std::size_t>(node - made_.nodes.begin());
      made_.residual[at] = x[0];
      made_.residual[at + 1] = x[1];
    }
  }

  void read_recovery() {
    while (next()) {
      if (words_.size() == 1 || !is_name(words_[0]) || !number_of(words_[1])) {
        again_ = true;
        return;
      }
      Numbers x;
      if (!numbers(1, made_.count(), x, "one number per mode, after the name of the stress"))
        return;
      made_.stresses.emplace_back(words_[0]);
      recovery_.insert(recovery_.end(), x.begin(), x.end());
    }
  }

  void finish() {
    const auto missing = [&](const char* what) {
      line_ = 0;
      fail(std::string("it does not give its ") + what);
    };
    if (!problems_.empty()) return;
    if (!ended_) {
      line_ = 0;
      fail("it does not end with the word 'end': it may be cut off");
    }
    if (mass_.empty()) missing("mass");
    if (centre_.empty()) missing("centre");
    if (inertia_.empty()) missing("inertia");
    if (!problems_.empty()) return;
    std::size_t second = 0;
    for (const auto& [modes, x] : J2_) second = std::max(second, modes.second + 1);
    for (const auto& [modes, x] : g_) second = std::max(second, modes.second + 1);
    for (const auto& [modes, x] : geometric_) second = std::max(second, modes.second + 1);
    made_.second = static_cast<std::int32_t>(second);
    Numbers& to = made_.numbers;
    const auto add = [&](const Numbers& x) { to.insert(to.end(), x.begin(), x.end()); };
    const auto add_or_zero = [&](const auto& map, const auto& key, std::size_t count) {
      const auto found = map.find(key);
      add(found == map.end() ? Numbers(count, 0.0) : found->second);
    };
    add(mass_), add(centre_), add(inertia_), add(places_), add(omegas_), add(zetas_), add(shapes_);
    for (std::size_t k = 0; k < made_.count(); ++k) add_or_zero(J1_, k, 6);
    for (std::size_t k = 0; k < second; ++k)
      for (std::size_t l = k; l < second; ++l) {
        add_or_zero(J2_, Pair(k, l), 6);
        // −Ω_aΩ_b K_ab q is the force of an inertia −2K: a bent body shortens.
        const auto K = geometric_.find(Pair(k, l));
        for (std::size_t i = 0; K != geometric_.end() && i < 6; ++i)
          to[to.size() - 6 + i] -= (i < 3 ? 2 : 1) * K->second[i];
      }
    for (std::size_t k = 0; k < second; ++k)
      for (std::size_t l = k + 1; l < second; ++l) add_or_zero(g_, Pair(k, l), 3);
    add(recovery_);
    line_ = 0;
    for (const std::string& problem : made_.problems()) fail(problem);
  }

  std::string_view text_;
  std::vector<FlexFileProblem>& problems_;
  long line_ = 0;
  bool again_ = false, ended_ = false;
  Words words_;
  ModalBody made_;
  Numbers mass_, centre_, inertia_, places_, omegas_, zetas_, shapes_, recovery_;
  std::map<std::size_t, Numbers> J1_;
  std::map<Pair, Numbers> J2_, g_, geometric_;
};

}  // namespace

ModalBody read_flex(std::string_view text, std::vector<FlexFileProblem>& problems) {
  return Reader(text, problems).read();
}

}  // namespace mechfmu::mechanics
