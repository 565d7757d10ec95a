// From the description to unknowns: their number, their order, and the blocks that couple them.

#include <algorithm>
#include <stdexcept>

#include "mechanics/motion.h"
#include "mechanics/rotors.h"
#include "mechanics/system.h"

namespace mechfmu::mechanics {

void MechanismSystem::choose_pools() {
  g_.bodies.resize(d_.bodies.size());
  layout_.bodies.resize(d_.bodies.size());
  const std::size_t rotors = pools_.size() - 1;
  for (std::size_t b = 1; b < d_.bodies.size(); ++b) {
    std::size_t& pool = layout_.bodies[b].pool;
    pool = static_cast<std::size_t>(d_.bodies[b].type);
    if (pool >= rotors) throw std::logic_error("a type of body without a word");
    if (!pools_[pool]->may_spin()) continue;
    if (const auto axis = spin_axis(d_, {static_cast<Index>(b)}, u_, doubts_)) {
      pool = rotors;
      g_.bodies[b].principal = principal_axes(*axis);
    }
  }
}

void MechanismSystem::number() {
  choose_pools();
  Layout& l = layout_;
  for (std::size_t b = 1; b < d_.bodies.size(); ++b) pools_[l.bodies[b].pool]->number(d_, b, l);
  l.bodies[0].plane = 0;
  for (const auto& element : elements_) element->number(d_, l, doubts_);
  for (const auto& element : elements_) element->number_nonholonomic(d_, l);
  l.sizes.u = static_cast<Index>(u_.size());
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
  now_.bodies.resize(bodies);
  now_.loads.resize(bodies);
  now_.axes.assign(bodies, Mat3::Identity());
  now_.accelerations.assign(bodies, Vec<double, 6>::Zero());
  for (const BodyPool* pool : bodies_) pool->make_room(d_, layout_, g_, now_);
  for (const auto& element : elements_) element->make_room(d_, layout_, g_, now_);
  room_.resize(d_.room);
  now_.u = inputs();
  mu_difference_ = Vector::Zero(sizes_.mu());
  remembered_ = Vector::Zero(sizes_.memory);
}

void MechanismSystem::make_pattern() {
  Layout& l = layout_;
  for (std::size_t b = 1; b < l.bodies.size(); ++b) pool_of(b).add_nodes(l.bodies[b], pattern_);
  for (const auto& element : elements_) element->add_nodes(d_, l, pattern_);
  for (Index x = 0; x < sizes_.x; ++x)
    l.state_node.push_back(pattern_.add_node(NodeKind::state, sizes_.n + sizes_.mu() + x, 1));
  for (const auto& element : elements_) element->link(l);

  // A first pass records the blocks.
  Point p;
  p.resize(sizes_);
  const Start begin = start();
  for (Index i = 0; i < sizes_.y; ++i) p.y[i] = begin.y[ix(i)];
  at(p);
  BlockWriter noting(pattern_, block_ids_);
  std::vector<std::size_t> ends;
  write(noting, &ends);
  now_.stage = Instant::Stage::nothing;
  find_passing_blocks(ends);
}

/// Finds the blocks visited only by elements that come and go. `ends`: the number of blocks visited
/// after each working element.
void MechanismSystem::find_passing_blocks(const std::vector<std::size_t>& ends) {
  if (layout_.couplings.empty()) return;
  enum : char { nobody, passing, staying };
  std::vector<char> visited(ix(pattern_.block_count()), nobody);
  std::size_t i = 0;
  for (std::size_t e = 0; e < ends.size(); ++e)
    for (; i < ends[e]; ++i) {
      // before the first element, the bodies visit their own blocks
      const bool goes = e > 0 && working_[e - 1]->comes_and_goes();
      char& of = visited[ix(block_ids_[i])];
      of = std::max(of, goes ? char{passing} : char{staying});
    }
  for (std::size_t c = 0; c < layout_.couplings.size(); ++c) {
    const Coupling& two = layout_.couplings[c];
    const Index block =
        pattern_.block(layout_.bodies[ix(two.a)].node, layout_.bodies[ix(two.b)].node,
                       layer::position | layer::velocity);
    const Index mirror = pattern_.at(block).mirror;
    if (visited[ix(block)] == staying || visited[ix(mirror)] == staying) continue;
    for (const Index id : {block, mirror}) {
      passing_.blocks.push_back(id);
      passing_coupling_.push_back(c);
    }
  }
  passing_.present.assign(passing_.blocks.size(), 0);
}

}  // namespace mechfmu::mechanics
