// Known values of the models from outside this code: exact solutions and values at some times.
//
// Exact solutions are those of the papers. The other numbers were computed independently of this
// code, in extended precision or from an ordinary differential equation of minimal size, to at
// least 13 digits; they agree with published values to the correct digits of these.

#pragma once

#include <string>
#include <utility>
#include <vector>

#include "model/system.h"
#include "models/nonholonomic_problem/nonholonomic_problem.h"
#include "models/slider_crank/slider_crank.h"
#include "models/soi2_problem/soi2_problem.h"

namespace mechfmu::bench {

/// The motion at one time; unknown parts are empty.
struct KnownValues {
  double t = 0;
  std::vector<double> y{}, z{}, lambda{}, psi{};
};

struct Problem {
  const char* model;
  double rho;  // ρ∞ that the source of the problem uses
  int from;    // steps of the coarsest run of a convergence table
  int fine;    // steps of the coarsest of the four runs of an extrapolated reference
  Point (*exact)(double t, double t_of_a) = nullptr;
  std::vector<KnownValues> known{};
  const char* source = "";
};

namespace detail {

/// All coordinates of the slider-crank from its two degrees of freedom.
inline std::vector<double> slider_crank(double theta1, double x4) {
  const models::SliderCrank model;
  auto y = models::SliderCrank::position(theta1, model.l1, model.l2);
  y[7] = x4;
  return y;
}

}  // namespace detail

inline const std::vector<Problem>& problems() {
  static const std::vector<Problem> all = {
      {.model = "andrews",
       .rho = 0.7,
       .from = 100,
       .fine = 1600,
       // q, q' and λ at the end: the Test Set's reference agrees in its first ten digits.
       .known = {{.t = 0.03,
                  .y = {15.810771195153709, -15.756371058411841, 0.040822240119646,
                        -0.53473011634208, 0.52440996587995, 0.53473011634208, 1.0480807410419},
                  .z = {1139.9203022591063, -1424.3792951775396, 11.032911910620, 19.293374105035,
                        0.5735699148296, -19.293374105035, 0.3231791492492},
                  .lambda = {199.175348104538, -29.755309974972, 23.066543611622, 31.452725275771,
                             22.642494786394, 11.617392352611}}},
       .source = "Test Set for IVP Solvers, recomputed to 14 digits"},
      {.model = "car_axis",
       .rho = 0.8,
       .from = 400,
       .fine = 6400,
       .known = {{.t = 3,
                  .y = {.049345578427524, .496989460230008, 1.041742524885426, .373911027265366},
                  .z = {-.077058368403592, .007446866592068, .017556815753542, .770341043779601},
                  .lambda = {-.00473688659085332, -.00110468033125956}}},
       .source = "Test Set for IVP Solvers"},
      {.model = "nonholonomic_problem",
       .rho = 0.2,
       .from = 40,
       .fine = 0,
       .exact = models::NonholonomicProblem::exact},
      {.model = "pendulum",
       .rho = 0.8,
       .from = 200,
       .fine = 3200,
       .known = {{.t = 1, .y = {.9862917511318753, -.1650108531255411}},
                 {.t = 5, .y = {-.9423054350437574, -.3347543384140003}},
                 {.t = 10, .y = {-.2750874625761184, -.9614192050991246}}},
       .source = "IFToMM benchmark A01"},
      {.model = "rolling_disk",
       .rho = 0.2,
       .from = 400,
       .fine = 1600,
       // The disk of Jay's (7.2) with the term that is missing in the paper.
       .known = {{.t = 1,
                  .y = {.1958063222128091, -.001291102055074686, 1.387512055074391,
                        -.03274598769913229, 1.095819326228755},
                  .psi = {.3722081630861286, 13.41906773227499}},
                 {.t = 10,
                  .y = {1.024486015148598, .02015925016567087, 4.443259949783238, .1004127992249806,
                        1.925340266680433},
                  .z = {.08154079580884298, .00821536925309121, -3.494811110113396,
                        .05070869147578075, .08195360683401348},
                  .psi = {2.744856895634703, -25.98010106905216}}},
       .source = "Jay (7.2), corrected"},
      {.model = "slider_crank",
       .rho = 0.7,
       .from = 200,
       .fine = 3200,
       .known = {{.t = .25, .y = detail::slider_crank(1.95564804605892, .423194549957391)},
                 {.t = .5, .y = detail::slider_crank(4.13483839714308, .385790662820963)},
                 {.t = .75, .y = detail::slider_crank(6.59048809598935, .960763308524022)},
                 {.t = 1, .y = detail::slider_crank(7.41462498553876, .600443137284004)}},
       .source = "Arnold & Brüls 5.1 with J = m l²/12, two degrees of freedom"},
      {.model = "soi2_problem",
       .rho = 0.2,
       .from = 10,
       .fine = 0,
       .exact = models::Soi2Problem::exact},
  };
  return all;
}

/// A model that is not in the list has no known values.
inline Problem find_problem(const std::string& model) {
  for (const Problem& problem : problems())
    if (model == problem.model) return problem;
  return {.model = "", .rho = 0.8, .from = 100, .fine = 3200};
}

inline const KnownValues* known_at(const Problem& problem, double t) {
  for (const KnownValues& values : problem.known)
    if (values.t == t) return &values;
  return nullptr;
}

/// ‖v − known‖₂.
inline double distance(In v, const std::vector<double>& known) {
  return (v - Eigen::Map<const Vector>(known.data(), static_cast<Index>(known.size()))).norm();
}

}  // namespace mechfmu::bench
