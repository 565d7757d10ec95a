// From the description to unknowns: which there are, where they are, and which blocks couple them.

#include "mechanics/motion.h"
#include "mechanics/rotors.h"
#include "mechanics/system.h"

namespace mechfmu::mechanics {

void MechanismSystem::choose_pools() {
  g_.bodies.resize(d_.bodies.size());
  layout_.bodies.resize(d_.bodies.size());
  for (std::size_t b = 1; b < d_.bodies.size(); ++b) {
    layout_.bodies[b].pool = static_cast<std::size_t>(d_.bodies[b].type);
    if (const auto axis = spin_axis(d_, {static_cast<Index>(b)}, u_, doubts_)) {
      layout_.bodies[b].pool = rotors;
      g_.bodies[b].principal = principal_axes(*axis);
    }
  }
}

void MechanismSystem::number() {
  choose_pools();
  Layout& l = layout_;
  for (std::size_t b = 1; b < d_.bodies.size(); ++b) {
    BodyPlace& place = l.bodies[b];
    BodyPool& pool = *pools_[place.pool];
    place.freedom = pool.freedom();
    place.y = l.sizes.y;
    place.z = l.sizes.n;
    if (place.freedom.in_plane()) place.plane = static_cast<int>(l.planar++);
    l.sizes.y += place.freedom.positions;
    l.sizes.n += place.freedom.n();
    pool.add(b, place);
  }
  l.bodies[0].plane = 0;
  for (const auto& element : elements_) element->number(d_, l, doubts_);
  for (const auto& element : elements_) element->number_nonholonomic(d_, l);
  l.sizes.u = static_cast<Index>(u_.size());
  if (l.turns > 0 || d_.track_energy) l.sizes.memory = angle_of_turn(l.turns);
  if (d_.track_energy) l.sizes.memory += 2;
  sizes_ = l.sizes;

  for (const auto& pool : pools_)
    if (!pool->empty()) bodies_.push_back(pool.get());
  std::vector<bool> looked_at(d_.bodies.size(), false);
  for (const auto& element : elements_) {
    element->look(l, d_, looked_at);
    if (element->works(d_, l)) working_.push_back(element.get());
  }
  for (std::size_t b = 1; b < looked_at.size(); ++b)
    if (looked_at[b]) pools_[l.bodies[b].pool]->show(b);
}

void MechanismSystem::make_room() {
  const auto bodies = d_.bodies.size();
  g_.points.resize(d_.joints.size());
  g_.rows.resize(layout_.rows.size());
  g_.measures.resize(d_.measures.size());
  g_.forces.resize(d_.forces.size());
  g_.relations.resize(d_.constraints.size());
  g_.states.resize(d_.states.size());
  g_.pairs.resize(d_.pairs.size());

  room_.resize(d_.room);
  now_.u = inputs();
  now_.bodies.resize(bodies);
  now_.plane.resize(layout_.planar);
  now_.loads_in_plane.resize(layout_.planar);
  g_.plane.resize(layout_.planar);
  now_.loads.resize(bodies);
  now_.axes.assign(bodies, Mat3::Identity());
  now_.accelerations.assign(bodies, Vec<double, 6>::Zero());
  now_.pins.resize(layout_.pins.size());
  now_.arms.resize(layout_.coincidences.size());
  now_.rows.resize(layout_.rows.size());
  now_.measures.resize(d_.measures.size());
  now_.measured.assign(d_.measures.size(), 0);
  now_.forces.resize(d_.forces.size());
  now_.relations.resize(d_.constraints.size());
  now_.derived.resize(d_.measures.size());
  mu_difference_ = Vector::Zero(sizes_.mu());
  remembered_ = Vector::Zero(sizes_.memory);
}

void MechanismSystem::make_pattern() {
  Layout& l = layout_;
  for (std::size_t b = 1; b < l.bodies.size(); ++b)
    l.bodies[b].node = pattern_.add_node(NodeKind::motion, l.bodies[b].z, l.bodies[b].freedom.n());
  for (const auto& element : elements_) element->add_nodes(d_, l, pattern_);
  for (Index x = 0; x < sizes_.x; ++x)
    l.state_node.push_back(pattern_.add_node(NodeKind::state, sizes_.n + sizes_.mu() + x, 1));
  for (const auto& element : elements_) element->link(l);

  // A first pass notes which blocks there are.
  Point p;
  p.resize(sizes_);
  const Start begin = start();
  for (Index i = 0; i < sizes_.y; ++i) p.y[i] = begin.y[ix(i)];
  at(p);
  BlockWriter noting(pattern_, block_ids_);
  write(noting);
  now_.stage = Instant::Stage::nothing;
}

}  // namespace mechfmu::mechanics
