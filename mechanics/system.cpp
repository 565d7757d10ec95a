// The equations of motion at a point: bodies are placed and moved, elements read their motion and
// load them, bodies sum up f.

#include "mechanics/system.h"

#include <algorithm>
#include <cmath>

#include "mechanics/motion_along.h"

namespace mechfmu::mechanics {

void MechanismSystem::moved(Moved how) {
  now_.p = &point();
  loaded_ = accelerated_ = false;
  if (how == Moved::anywhere && !still_there()) now_.stage = Instant::Stage::nothing;
}

// A step ends at a point, outputs are read there, inputs jump there, and derivatives for the next
// iterate are computed there: bodies are placed only once.
bool MechanismSystem::still_there() const {
  const Point& p = point();
  return now_.stage != Instant::Stage::nothing && p.t == seen_.t && p.y == seen_.y &&
         p.z == seen_.z && p.memory == seen_.memory;
}

void MechanismSystem::require(Instant::Stage stage) {
  using Stage = Instant::Stage;
  if (now_.stage == Stage::nothing && stage >= Stage::bodies) {
    for (const BodyPool* pool : bodies_) pool->arrive(g_, now_.p->y, now_.p->z, now_);
    now_.weighed = true;
    seen_.t = now_.p->t;
    seen_.y = now_.p->y;
    seen_.z = now_.p->z;
    seen_.memory = now_.p->memory;
    now_.stage = Stage::bodies;
  }
  if (now_.stage == Stage::bodies && stage >= Stage::rows) {
    for (const ElementPool* element : working_) element->move(parts());
    now_.stage = Stage::rows;
  } else if (now_.stage == Stage::rows && follow_inputs_ && stage >= Stage::rows) {
    for (const ElementPool* element : working_) element->follow_inputs(parts());
  }
  if (now_.stage == Stage::rows) follow_inputs_ = false;
}

void MechanismSystem::load_forces() {
  require(Instant::Stage::rows);
  if (!now_.weighed)
    for (const BodyPool* pool : bodies_) pool->begin_loads(g_, true, now_);
  now_.weighed = false;
  for (const ElementPool* element : working_) element->load(parts());
  loaded_ = true;
}

/// Sets all loads to zero.
void MechanismSystem::begin_no_loads() {
  for (const BodyPool* pool : bodies_) pool->begin_loads(g_, false, now_);
  now_.weighed = false;
}

void MechanismSystem::values(Values& values) {
  load_forces();
  if (d_.track_energy) now_.power = powers();
  for (const ElementPool* element : working_) element->values(parts(), values);
  for (const BodyPool* pool : bodies_) pool->collect(g_, now_, true, values.f);
}

void MechanismSystem::tilde(In z_tilde, In mu_tilde, Out f_difference, Out k_tilde) {
  require(Instant::Stage::rows);
  begin_no_loads();
  mu_difference_ = mu_tilde - now_.p->mu;
  for (const ElementPool* element : working_) {
    element->react(parts(), mu_difference_);
    element->reload(parts(), mu_tilde);
  }
  for (const BodyPool* pool : bodies_) pool->collect(g_, now_, false, f_difference);

  if (sizes_.k == 0) return;
  // k with the velocities z̃: positions, and therefore directions, stay.
  for (const BodyPool* pool : bodies_) pool->move(z_tilde, now_);
  for (const ElementPool* element : working_) element->slip(parts(), k_tilde);
  for (const BodyPool* pool : bodies_) pool->move(now_.p->z, now_);
}

void MechanismSystem::constraint_acceleration(In a, Out c) {
  require(Instant::Stage::rows);
  accelerated_ = false;
  for (const BodyPool* pool : bodies_) pool->accelerate(a, now_);
  for (const ElementPool* element : working_) element->accelerate(parts(), c);
}

// B·v are speeds: bodies have the velocities v temporarily.
void MechanismSystem::multiply_constraints(In v, Out Cv) {
  require(Instant::Stage::rows);
  for (const BodyPool* pool : bodies_) pool->move(v, now_);
  for (const ElementPool* element : working_) element->multiply(parts(), v, Cv);
  for (const BodyPool* pool : bodies_) pool->move(now_.p->z, now_);
}

void MechanismSystem::write(BlockWriter& out, std::vector<std::size_t>* ends) {
  const auto note_end = [&] {
    if (ends != nullptr) ends->push_back(block_ids_.size());
  };
  require(Instant::Stage::bodies);
  for (const BodyPool* pool : bodies_) pool->axes(now_);
  for (const ElementPool* element : working_) element->move_with_derivatives(parts());
  for (const BodyPool* pool : bodies_) pool->derivatives(g_, now_, layout_.bodies, out);
  note_end();
  for (const ElementPool* element : working_) {
    element->derivatives(parts(), out);
    note_end();
  }
  // The measures come from move_with_derivatives(), with other last bits.
  now_.stage = Instant::Stage::bodies;
}

void MechanismSystem::derivatives(double kappa, BlockLayers& layers) {
  now_.kappa = kappa;
  for (std::size_t i = 0; i < passing_.blocks.size(); ++i)
    passing_.present[i] =
        were_neighbours(layout_, now_.p->memory, passing_coupling_[i]) ? char{1} : char{0};
  BlockWriter out(pattern_, block_ids_, layers);
  write(out);
  out.finish();
}

void MechanismSystem::derivatives(double kappa, DenseBlocks& b) {
  BlockLayers layers;
  layers.value = layers.velocity = layers.position = layers.rows =
      Vector::Zero(pattern_.value_count());
  derivatives(kappa, layers);
  const Sizes& s = sizes_;
  const Index constraints = s.n;
  const Index states = s.n + s.mu();
  const Matrix value = pattern_.dense(layers.value);
  const Matrix velocity = pattern_.dense(layers.velocity);
  const Matrix position = pattern_.dense(layers.position);
  const Matrix rows = pattern_.dense(layers.rows);
  b.M = value.topLeftCorner(s.n, s.n);
  b.K = -position.topLeftCorner(s.n, s.n);
  b.D = -velocity.topLeftCorner(s.n, s.n);
  b.F = -value.block(0, constraints, s.n, s.mu());
  b.X = -velocity.topRightCorner(s.n, s.x);
  b.C = value.block(constraints, 0, s.mu(), s.n);
  b.C_y = rows.block(constraints, 0, s.mu(), s.n);
  b.d_xdot = value.bottomRightCorner(s.x, s.x);
  b.d_x = velocity.bottomRightCorner(s.x, s.x);
  b.d_y = position.block(states, 0, s.x, s.n);
  b.d_z = velocity.block(states, 0, s.x, s.n);
  b.d_a = value.block(states, 0, s.x, s.n);
  b.d_mu = value.block(states, constraints, s.x, s.mu());
}

namespace {

/// Whether forces or states depend on multipliers.
bool follow_reactions(const Layout& layout) {
  const auto reads_multiplier = [](const std::vector<Place>& arguments) {
    return std::any_of(arguments.begin(), arguments.end(),
                       [](const Place& a) { return a.kind == Argument::Kind::multiplier; });
  };
  return layout.forces_follow_reactions ||
         std::any_of(layout.state_arguments.begin(), layout.state_arguments.end(),
                     reads_multiplier);
}

}  // namespace

bool MechanismSystem::vary(const Change& change, Vector& r) {
  // Parameters change the mechanism itself.
  for (Index i = 0; i < change.u.size(); ++i)
    if (change.u[i] != 0 && d_.settings[ix(i)].variable.kind() == Variable::Kind::parameter)
      return false;
  if (!change.mu.allFinite() && follow_reactions(layout_)) return false;
  const MotionAlong along(*this, change);
  begin_no_loads();
  loaded_ = false;
  r.setZero();
  const Sizes& s = sizes_;
  for (const ElementPool* element : working_)
    if (!element->vary(parts(), along, r.segment(s.n, s.mu()), r.tail(s.x))) return false;
  for (const BodyPool* pool : bodies_) pool->collect(g_, now_, false, r.head(s.n));
  r.head(s.n) *= -1;
  return along.known();
}

bool MechanismSystem::vary(std::size_t output, const Change& change, double& slope) {
  if (!outputs_along_[output]) return false;
  // Points of bodies, and numbers in outputs, follow parameters.
  for (Index i = 0; i < change.u.size(); ++i)
    if (change.u[i] != 0 && d_.settings[ix(i)].variable.kind() == Variable::Kind::parameter)
      return false;
  const MotionAlong along(*this, change);
  slope = outputs_along_[output](along).d[0];
  return along.known() && std::isfinite(slope);
}

void MechanismSystem::displace(In y0, In delta, Out y1) const {
  for (const BodyPool* pool : bodies_) pool->displace(y0, delta, y1);
}

// Positions are compared with the size of a body, independent of the origin; angles with a radian.
void MechanismSystem::scales(Out y_scale, Out x_scale) const {
  System::scales(y_scale, x_scale);
  for (const BodyPool* pool : bodies_) pool->scales(g_, y_scale);
}

void MechanismSystem::grow_scales(In, Out) const {}

double MechanismSystem::resolution(In y, In) const {
  double far = g_.length;
  for (const BodyPool* pool : bodies_) far = std::max(far, pool->farthest(y));
  return far / g_.length;
}

void MechanismSystem::mass(double, In y, Out numbers) const {
  for (const BodyPool* pool : bodies_) pool->mass(g_, y, numbers);
}

void MechanismSystem::multiply_mass(In numbers, In v, Out Mv) const {
  for (const BodyPool* pool : bodies_) pool->multiply_mass(g_, numbers, v, Mv);
}

Powers MechanismSystem::powers() {
  Powers sum;
  for (const ElementPool* element : working_) element->add_power(parts(), sum);
  for (const BodyPool* pool : bodies_) pool->add_power(g_, now_, sum);
  return sum;
}

bool MechanismSystem::energies(Energies& now) {
  now.kinetic = motion_->kinetic_energy();
  now.potential = motion_->potential_energy();
  const Powers power = powers();
  now.power = power.supplied - power.dissipated;
  return true;
}

void MechanismSystem::start_memory(double t, Out memory) const {
  memory.setZero();
  if (memory.size() > 0) memory[0] = t;
}

/// The initial energy is that of the point where the run begins.
void MechanismSystem::begin_memory(Out memory) const {
  if (d_.track_energy) memory.segment<2>(layout_.energy).setZero();
}

void MechanismSystem::remember(Out memory) {
  if (memory.size() == 0) return;
  require(Instant::Stage::bodies);
  // The point's own memory is read until all of it is known.
  remembered_[0] = now_.p->t;
  for (const ElementPool* element : working_) element->remember(parts(), remembered_);
  if (d_.track_energy) {
    auto energy = remembered_.segment<2>(layout_.energy);
    energy = now_.p->memory.segment<2>(layout_.energy);
    if (energy[0] == 0) energy << 1, motion_->kinetic_energy() + motion_->potential_energy();
  }
  memory = remembered_;
}

std::string MechanismSystem::describe_violation(In g) const {
  std::vector<Violation> all;
  for (const auto& element : elements_) element->violations(d_, layout_, g_, g, all);
  return worst(std::move(all));
}

}  // namespace mechfmu::mechanics
