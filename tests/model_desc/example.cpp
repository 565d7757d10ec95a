#include "tests/model_desc/example.h"

namespace mechfmu {

namespace {

Entry& add(Description& d, const std::string& name, Causality causality,
           std::vector<std::string> units, bool vector = false) {
  Entry e;
  e.name = name;
  e.causality = causality;
  e.size = static_cast<Index>(units.size());
  e.vector = vector;
  e.first = d.references;
  e.units = std::move(units);
  if (causality == Causality::parameter) e.variability = Variability::tunable;
  if (causality == Causality::parameter) e.initial = Initial::exact;
  if (causality == Causality::input || causality == Causality::independent)
    e.initial = Initial::none;
  d.references += static_cast<std::uint32_t>(e.size);
  d.entries.push_back(e);
  return d.entries.back();
}

}  // namespace

Description make_example() {
  Description d;
  d.model = "example";
  d.about = "An <arm> & its \"drive\" after Brüls";
  d.experiment = {.stop = 2, .step = 0.01, .tolerance = 1e-6};
  add(d, "time", Causality::independent, {"s"});               // entry 0, reference 0
  add(d, "force", Causality::input, {"N"}).start = {0.5};      // 1, 1
  Entry& mass = add(d, "mass", Causality::parameter, {"kg"});  // 2, 2
  mass.start = {2}, mass.min = 0, mass.nominal = 10;
  Entry& q = add(d, "q", Causality::local, {"m", "m", "rad"}, true);  // 3, 3 … 5
  q.initial = Initial::exact, q.start = {0.1, 0.2, 0.3}, q.about = "positions";
  Entry& w = add(d, "w", Causality::local, {"m/s", "m/s"}, true);  // 4, 6 … 7
  w.initial = Initial::approx, w.start = {0, -1};
  Entry& angle = add(d, "arm.angle", Causality::output, {"rad"});  // 5, 8
  angle.initially_depends_on = {3};
  Entry& rate = add(d, "arm.rate", Causality::output, {"rad/s"});  // 6, 9
  rate.initially_depends_on = {4, 3, 1};
  Entry& reaction = add(d, "reaction", Causality::output, {"N", "N"}, true);  // 7, 10 … 11
  reaction.depends_on = {2, 1, 0, 1};
  reaction.initially_depends_on = {3, 2, 1, 4};
  Entry& parameter = add(d, "Angle", Causality::parameter, {"rad"});  // 8, 12: also a type's name
  parameter.start = {0};
  Entry& method = add(d, "solver.method", Causality::parameter, {"1"});  // 9, 13
  method.type = Type::enumeration, method.variability = Variability::fixed;
  method.items = {"soi2", "hht_i3"}, method.start = {2}, method.min = 1, method.max = 2;
  Entry& steps = add(d, "solver.steps", Causality::local, {"1"});  // 10, 14
  steps.type = Type::integer, steps.variability = Variability::discrete;
  Entry& flag = add(d, "flag", Causality::parameter, {"1"});  // 11, 15
  flag.type = Type::boolean, flag.variability = Variability::fixed, flag.start = {1};
  return d;
}

Origin example_origin() {
  Origin origin;
  origin.token = "0123456789abcdef0123456789abcdef";
  origin.tool = "mechfmu test";
  return origin;
}

Entry& entry(Description& d, const std::string& name) { return d.entries.at(d.find(name)); }

}  // namespace mechfmu
