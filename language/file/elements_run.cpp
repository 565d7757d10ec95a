// First-order states, and settings of a run.

#include "language/file/elements_attributes.h"

namespace mechfmu::elements {

namespace {

ElementType state() {
  return {
      .name = "state",
      .about =
          "A first-order state, such as a filter, an actuator or a pressure, solved together with "
          "the motion.",
      .equation = "$\\dot x = rate$",
      .example = R"xml(<state name="current" start="0" rate="(12 - 0.5*current - 0.1*A.rate)/2e-3"
       unit="A"/>)xml",
      .attributes = {a_name(),
                     {.name = "start", .about = "value at t = 0", .unit = "unit", .fallback = "0"},
                     {.name = "rate",
                      .about = "its time derivative",
                      .unit = "unit/s",
                      .required = true,
                      .knows = Knows::motion},
                     {.name = "nominal",
                      .about = "magnitude below which errors are absolute",
                      .unit = "unit",
                      .fallback = "1",
                      .knows = Knows::constants},
                     a_unit()}};
}

AttributeType a_setting(std::string_view its_name, std::string_view about, std::string_view unit,
                        std::string_view fallback) {
  return {.name = its_name,
          .about = about,
          .unit = unit,
          .fallback = fallback,
          .knows = Knows::constants};
}

ElementType experiment() {
  return {.name = "experiment",
          .about = "The default experiment: the run that users of the FMU most likely want.",
          .example = R"xml(<experiment stop="10" step="1e-3" tolerance="1e-9"/>)xml",
          .parents = "mechanism part",
          .attributes = {a_setting("stop", "stop time", "s", "1"),
                         a_setting("step", "communication step", "s", "1e-3"),
                         a_setting("tolerance", "relative error allowed per step", "1", "1e-8"),
                         {.name = "start",
                          .kind = word,
                          .about = "initial position of the bodies: as placed, or at rest in the "
                                   "static equilibrium that they sink to from there",
                          .fallback = "placed",
                          .words = "placed equilibrium"}},
          .once = true,
          .takes_defaults = false};
}

ElementType solver() {
  return {
      .name = "solver",
      .about =
          "Solver settings: the default values of the FMU's parameters solver.method, "
          "solver.rho_inf …",
      .example = R"xml(<solver method="soi2" rho_inf="0.9" h_max="1e-2"/>)xml",
      .parents = "mechanism part",
      .attributes =
          {{.name = "method",
            .kind = word,
            .about = "integration method",
            .fallback = "soi2",
            .words = "soi2 hht_i3 arnold_bruls"},
           a_setting("rho_inf", "damping of the highest frequencies: 1 none, 0 strongest", "1",
                     "0.8"),
           a_setting("alpha_hht", "damping of hht_i3: 0 none, -1/3 strongest", "1", "-0.3"),
           a_setting("tolerance", "0: tolerance of the experiment, or of the master if tighter",
                     "1", "0"),
           a_setting("fixed_step", "0: substep size follows the tolerance", "s", "0"),
           a_setting("h_min", "smallest substep", "s", "1e-12"),
           a_setting("h_max", "largest substep; 0: no limit", "s", "0"),
           a_setting("h_init", "first substep; 0: automatic", "s", "0"),
           a_setting("max_substeps",
                     "limit of substeps per communication step; 0: 100000, fewer for large models",
                     "1", "0"),
           a_setting("real_time",
                     "0: off; n: every communication step is one substep with n Newton iterations",
                     "1", "0"),
           a_switch("rescale", "keep second order when the step size changes", "true"),
           a_switch("jump_shift", "treat jumps of inputs", "true")},
      .once = true,
      .takes_defaults = false};
}

}  // namespace

std::vector<ElementType> run() { return {state(), experiment(), solver()}; }

}  // namespace mechfmu::elements
