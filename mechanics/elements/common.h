// Functions for several elements: evaluate rows and laws, load bodies, add derivatives to blocks.

#pragma once

#include "mechanics/derived.h"
#include "mechanics/elements/pool.h"

namespace mechfmu::mechanics {

inline Pose<double> pose(const BodyMotion& b) { return {b.r, b.R}; }

/// B·z with the velocities that the bodies have.
template <class T, class Body>
T speed(const RowMotionOf<T>& row, const Body& i, const Body& j) {
  return row.on_i.force.dot(i.v) + row.on_i.moment.dot(i.w) + row.on_j.force.dot(j.v) +
         row.on_j.moment.dot(j.w);
}

/// φ, B and speed of a row. The turns of an angle follow from the memory.
void look_at(const Row& row, int turn, const Instant& now, RowMotion& made);
/// Adds the whole turns, which the formula does not give, to φ; `rate` is that of φ.
void add_turns(const Row& row, int turn, const Instant& now, double rate, double& phi);

/// Stores an angle with its whole turns, and its rate, in the memory; does nothing if turn is −1.
void remember_turn(const Row& row, int turn, const Instant& now, Out memory);

/// Loads += amount·B.
inline void push(const Row& row, const RowMotion& at, double amount, Instant& now) {
  Load& i = now.loads[ix(row.i)];
  Load& j = now.loads[ix(row.j)];
  i.force += amount * at.on_i.force;
  i.moment += amount * at.on_i.moment;
  j.force += amount * at.on_j.force;
  j.moment += amount * at.on_j.moment;
}

/// φ̈ (or the rate of a speed) of a row with B = (on_i, on_j), from the motion of its bodies and
/// their (v̇, ω̇): Ḃ·z + B·a.
template <class T, class Body>
T acceleration_of(const Row& row, const Body& i, const Body& j, const Wrench<T>& on_i,
                  const Wrench<T>& on_j, const Vec<T, 6>& a_i, const Vec<T, 6>& a_j) {
  // Ḃ from the poses along the motion
  using D = Dual<T, 1>;
  const auto moved = [](const Body& b) {
    Pose<D> pose;
    for (int r = 0; r < 3; ++r) {
      pose.r[r].v = b.r[r];
      pose.r[r].d[0] = b.v[r];
    }
    for (int c = 0; c < 3; ++c) {
      const Vec<T, 3> rate = cross<T>(b.w, Vec<T, 3>(b.R.col(c)));
      for (int r = 0; r < 3; ++r) {
        pose.R(r, c).v = b.R(r, c);
        pose.R(r, c).d[0] = rate[r];
      }
    }
    return pose;
  };
  D phi;
  Wrench<D> rate_i;
  Wrench<D> rate_j;
  evaluate_row<D>(row, moved(i), moved(j), phi, rate_i, rate_j);
  T sum(0.0);
  for (int r = 0; r < 3; ++r)
    sum += rate_i.force[r].d[0] * i.v[r] + rate_i.moment[r].d[0] * i.w[r] +
           rate_j.force[r].d[0] * j.v[r] + rate_j.moment[r].d[0] * j.w[r];
  return sum + on_i.force.dot(a_i.template head<3>()) + on_i.moment.dot(a_i.template tail<3>()) +
         on_j.force.dot(a_j.template head<3>()) + on_j.moment.dot(a_j.template tail<3>());
}
/// … with Instant::accelerations.
double acceleration_of(const Row& row, const RowMotion& at, const Instant& now);

/// The arguments of a law at the point; `room` holds them.
Scope<double> scope(const std::vector<Place>& arguments, const std::vector<double>& constants,
                    const Instant& now, double* room);

/// The values of an element's numbers for the present parameters; allocates only the first time.
void resolve(const std::vector<Number>& numbers, InputValues u, std::vector<double>& values);

/// A point in body axes from the centre of mass, and a unit vector in body axes.
Vec3 local_point(const Geometry& g, Index body, const Triple& where, bool local, InputValues u);
Vec3 local_direction(const Geometry& g, Index body, const Triple& direction, bool local,
                     InputValues u, Doubts& doubts, const char* kind, const std::string& name,
                     const char* what = "axis");

/// Any unit vector across n.
Vec3 across(const Vec3& n);

/// Throws if a body does not exist, or if both are the same.
void require_two_bodies(const Mechanism& m, const char* kind, const std::string& name, Body a,
                        Body b);
/// Both sides move in the plane, or are the ground.
inline bool in_plane(const Layout& layout, Body a, Body b) {
  const auto plane = [&](Body body) {
    return body.index == 0 || layout.bodies[ix(body.index)].freedom.in_plane();
  };
  return plane(a) && plane(b);
}

/// The law's arguments as the equations number them. Throws if it refers to a missing element.
std::vector<Place> places_of(const Mechanism& m, const Layout& layout, const char* kind,
                             const std::string& name, const Law& law);
/// Fills in the nodes of states and multipliers, once they exist.
void add_nodes_of(const Layout& layout, std::vector<Place>& places);

// --- derivatives ---

/// The acceleration of a coincidence along a change, in the first rows of its joint.
void vary_coincidence(const Parts& parts, const MotionAlong& q, int joint, Out c);

inline Index node_of(const Parts& parts, int body) { return parts.layout.bodies[ix(body)].node; }

/// −K += amount·B_y.
void add_curvature(const Parts& parts, const Derived& d, double amount, BlockWriter& out);
/// One row of a constraint node: C = B, C_y = zᵀB_y, and (Bᵀμ)_y on the bodies; weighted.
void add_row(const Parts& parts, const Derived& d, Index node, Index row, double weight, double mu,
             BlockWriter& out);
/// Row `row` of a node += amount·vector over the bodies of d, in one of the layers rows, position,
/// velocity.
void add_to_row(const Parts& parts, const Derived& d, const double* vector, Index node, Index row,
                double amount, unsigned to, BlockWriter& out);
/// The derivatives of several forces along measures of the same two bodies, summed and written
/// once.
class ForcesOfTwo {
 public:
  bool empty() const { return bodies_ == nullptr; }
  bool are_of(const Derived& d) const {
    return d.body[0] == bodies_->body[0] && d.body[1] == bodies_->body[1];
  }
  /// A force F along d: F B_y. With rates, B ⊗ … also goes into the layer velocity.
  void begin(const Derived& d);
  void add(const Derived& d, double force, bool by_rates);
  /// Its dependence on the value and the rate of e, with these slopes.
  void add(const Derived& d, const Derived& e, double by_value, double by_rate);
  void write(const Parts& parts, BlockWriter& out);

 private:
  const Derived* bodies_ = nullptr;
  bool rates_ = false;
  int n_ = 0;
  double position_[12][12], velocity_[12][12];
};

/// Block between the bodies of d and those of e += amount·B_d ⊗ vector_e, in the layer position or
/// velocity.
void add_outer(const Parts& parts, const Derived& d, const Derived& e, const double* vector,
               double amount, unsigned to, BlockWriter& out);

}  // namespace mechfmu::mechanics
