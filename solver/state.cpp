#include "solver/state.h"

namespace mechfmu {

void State::resize(const Sizes& s) {
  *this = State{};
  point.resize(s);
  f = Vector::Zero(s.n);
  history.a = history.da = history.Ma = history.dMa = Vector::Zero(s.n);
  history.xd = history.dxd = Vector::Zero(s.x);
  predictions.u = Matrix::Zero(2 * s.n + s.x + 2 * s.mu(), Predictions::capacity);
  input.value = input.slope = input.curvature = Vector::Zero(s.u);
  jump.u = jump.last_u = Vector::Zero(s.u);
  jump.last = Vector::Zero(s.kkt());
  y_scale = Vector::Ones(s.n);
  x_scale = Vector::Ones(s.x);
  constraint_scale = Vector::Ones(s.mu());
  kkt.at.resize(s);
  kkt.u = Vector::Zero(s.u);
  kkt.orders.resize(s);
}

}  // namespace mechfmu
