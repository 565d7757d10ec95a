#include "tests/fmu_src/own_model.h"

#include "model/factory.h"
#include "models/pendulum/pendulum.h"
#include "tests/solver/toggle.h"

namespace mechfmu {

namespace {

struct Damped : models::Pendulum {
  template <class T>
  Vec<T, 2> f(T t, const Vec<T, 2>& y, const Vec<T, 2>& z) const {
    if (tests::misbehaviour().in_f) throw 1;
    return Pendulum::f(t, y, z);
  }
  void variables(Variables& v) {
    Pendulum::variables(v);
    v.output("force", [this](const Point&) { return F; }).unit("N");
    v.output("acceleration", [](const Point& p) { return p.a[0]; }).unit("m/s2");
    v.solver({.method = Method::hht_i3, .fixed_step = 1e-3});
  }
};

}  // namespace

// The definitions that the export of a model needs.
std::unique_ptr<System> make_model() {
  if (tests::misbehaviour().when_made) throw 1;
  if (tests::misbehaviour().passes_a_singular_position)
    return std::make_unique<ModelSystem<tests::Toggle>>();
  return std::make_unique<ModelSystem<Damped>>();
}
const char* model_name() { return "damped"; }

namespace tests {

Misbehaviour& misbehaviour() {
  static Misbehaviour of_all;
  return of_all;
}

namespace {
const Entry& entry(const Instance& instance, const std::string& name) {
  const Description& d = instance.description();
  return d.entries.at(d.find(name));
}
}  // namespace

std::uint32_t reference(const Instance& instance, const std::string& name) {
  return entry(instance, name).first;
}

double read(Instance& instance, const std::string& name) {
  const Entry& e = entry(instance, name);
  return instance.get(e.first, {e.type});
}

void write(Instance& instance, const std::string& name, double value) {
  const Entry& e = entry(instance, name);
  instance.check_set(e.first, {e.type}, value);
  instance.set(e.first, value);
  instance.put_in_force();
}

void start(Instance& instance) {
  instance.setup(false, 0, 0, false, 0);
  instance.enter_initialization();
  instance.exit_initialization();
}

}  // namespace tests
}  // namespace mechfmu
