#include "model/system.h"

#include <algorithm>
#include <cmath>

#include "model/format.h"
#include "model/variables.h"

namespace mechfmu {

void Point::resize(const Sizes& s) {
  y = Vector::Zero(s.y);
  z = Vector::Zero(s.n);
  a = Vector::Zero(s.n);
  mu = Vector::Zero(s.mu());
  x = Vector::Zero(s.x);
  xdot = Vector::Zero(s.x);
  memory = Vector::Zero(s.memory);
  m = s.m;
}

void Change::resize(const Sizes& s) {
  t = 0;
  y = z = a = Vector::Zero(s.n);
  mu = Vector::Zero(s.mu());
  x = xdot = Vector::Zero(s.x);
  u = Vector::Zero(s.u);
}

void Values::resize(const Sizes& s) {
  f = Vector::Zero(s.n);
  position = Vector::Zero(s.m);
  velocity = Vector::Zero(s.mu());
  d = Vector::Zero(s.x);
}

void DenseBlocks::resize(const Sizes& s) {
  M = K = D = Matrix::Zero(s.n, s.n);
  F = Matrix::Zero(s.n, s.mu());
  X = Matrix::Zero(s.n, s.x);
  C = C_y = Matrix::Zero(s.mu(), s.n);
  d_xdot = d_x = Matrix::Zero(s.x, s.x);
  d_y = d_z = d_a = Matrix::Zero(s.x, s.n);
  d_mu = Matrix::Zero(s.x, s.mu());
}

std::string worst(std::vector<Violation> all) {
  std::sort(all.begin(), all.end(),
            [](const Violation& a, const Violation& b) { return a.size > b.size; });
  std::string text;
  for (std::size_t i = 0; i < std::min<std::size_t>(3, all.size()); ++i)
    if (all[i].size >= 0.1 * all[0].size)
      text += (i == 0 ? "" : ", ") + all[i].what + " by " + all[i].amount;
  return text;
}

Start System::start() const { return variables().start(); }

void System::scales(Out y_scale, Out x_scale) const {
  const Variables& v = variables();
  for (Index i = 0; i < sizes_.n; ++i) y_scale[i] = v.coordinates()[ix(i)].nominal;
  for (Index i = 0; i < sizes_.x; ++i) x_scale[i] = v.state_nominals()[ix(i)];
}

double System::read(std::size_t output) { return variables().read(output, with_accelerations()); }

double System::read_here(std::size_t output) const { return variables().read(output, *point_); }

namespace {
std::string name_or(const std::string& name, char letter, Index number) {
  return name.empty() ? letter + ("[" + std::to_string(number + 1) + "]") : name;
}
}  // namespace

std::string System::describe_violation(In g) const {
  std::vector<Violation> all;
  for (Index i = 0; i < g.size(); ++i)
    all.push_back({std::abs(g[i]), "constraint '" + constraint_name(i) + "' is still violated",
                   format(std::abs(g[i]), 3)});
  return worst(std::move(all));
}

std::string System::coordinate_name(Index i) const {
  return name_or(variables().coordinates()[static_cast<std::size_t>(i)].name, 'y', i);
}
std::string System::constraint_name(Index i) const {
  const std::string& name = variables().constraints()[static_cast<std::size_t>(i)];
  return i < sizes_.m ? name_or(name, 'g', i) : name_or(name, 'k', i - sizes_.m);
}
std::string System::state_name(Index i) const {
  return name_or(variables().states()[static_cast<std::size_t>(i)], 'x', i);
}

}  // namespace mechfmu
