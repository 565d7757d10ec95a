// A straight beam between two bodies: two stiff halves, one on each body, and a bushing between
// them in the middle.
//
//   EA/L, 12 E I_z/L³, 12 E I_y/L³ along x, y, z and GJ/L, E I_y/L, E I_z/L about them
//
// With x along the beam, displacements and rotations of its ends make the middle ones u_b − u_a − L
// (θ_a + θ_b)/2 and θ_b − θ_a: the stiffness matrix of its ends is that of Euler and Bernoulli's
// beam. Each half, a uniform rod with the section's inertia, belongs to its body, so that mass,
// centre and moments of inertia of the beam are right; frequencies converge with the square of the
// number of beams.

#include "mechanics/mechanism.h"
#include "mechanics/placement.h"

namespace mechfmu::mechanics {

namespace {

/// A half beam in world axes at t = 0.
struct Half {
  double mass = 0;
  Vec3 centre = Vec3::Zero();
  Mat3 J = Mat3::Zero();  // about its centre
};

/// The half at the end `end`; the other end is at `other`.
Half half_of(const BeamData& beam, const Vec3& end, const Vec3& other, InputValues s) {
  const Vec3 way = other - end;
  const double L = way.norm();
  const Vec3 x = way / L;
  const Vec3 z = (beam.across(s) - x * x.dot(beam.across(s))).normalized();
  const Vec3 y = z.cross(x);
  const double rho = beam.density(s);
  const double I_y = beam.i_y(s);
  const double I_z = beam.i_z(s);
  Half made;
  made.mass = rho * beam.area(s) * L / 2;
  made.centre = end + way / 4;
  const double slender = made.mass * L * L / 48;  // m l²/12 of a rod with half the length
  made.J = rho * L / 2 * (I_y + I_z) * x * x.transpose() +
           (slender + rho * L / 2 * I_y) * y * y.transpose() +
           (slender + rho * L / 2 * I_z) * z * z.transpose();
  return made;
}

/// m, c and J of a body with a half beam on it, in its axes from its reference point.
Half together(const BodyData& body, const BeamData& beam, bool at_a, InputValues s) {
  const Half more = at_a ? half_of(beam, beam.from(s), beam.to(s), s)
                         : half_of(beam, beam.to(s), beam.from(s), s);
  const Mat3 R = rotation_matrix(body.rotation(s));
  const Vec3 c = R.transpose() * (more.centre - body.at(s));
  const Mat3 J = R.transpose() * more.J * R;
  Half all;
  const double m = body.mass(s);
  all.mass = m + more.mass;
  all.centre =
      all.mass > 0 ? Vec3((m * body.centre(s) + more.mass * c) / all.mass) : body.centre(s);
  const auto moved = [&](double mass, const Vec3& centre) -> Mat3 {
    const Vec3 d = centre - all.centre;
    return mass * (d.squaredNorm() * Mat3::Identity() - d * d.transpose());
  };
  all.J = body.inertia(s) + moved(m, body.centre(s)) + J + moved(more.mass, c);
  return all;
}

bool is_constant(const BodyData& body, const BeamData& beam) {
  return body.mass.constant() && body.inertia.constant() && body.centre.constant() &&
         body.at.constant() && body.rotation.constant() && beam.from.constant() &&
         beam.to.constant() && beam.across.constant() && beam.density.constant() &&
         beam.area.constant() && beam.i_y.constant() && beam.i_z.constant();
}

void load_with_half(BodyData& body, const BeamData& beam, bool at_a) {
  const bool constant = is_constant(body, beam);
  const auto all = [before = body, beam, at_a](InputValues s) {
    return together(before, beam, at_a, s);
  };
  const auto J = [&](int r, int c) {
    return following(constant, [all, r, c](InputValues s) { return all(s).J(r, c); });
  };
  body.mass = following(constant, [all](InputValues s) { return all(s).mass; });
  body.centre = following(constant, [all](InputValues s) -> Vec3 { return all(s).centre; });
  body.inertia = {J(0, 0), J(1, 1), J(2, 2), J(0, 1), J(0, 2), J(1, 2)};
}

}  // namespace

std::array<Spring, 6> Mechanism::beam(const BeamData& data) {
  // A bushing takes `axis` as its exact z, which must be across the beam.
  const bool straight = data.from.constant() && data.to.constant();
  const Triple x =
      following(straight, [d = data](InputValues s) -> Vec3 { return d.to(s) - d.from(s); });
  const Triple z = following(straight && data.across.constant(), [d = data, x](InputValues s) {
    const Vec3 along = x(s).normalized();
    return Vec3(d.across(s) - along * along.dot(d.across(s)));
  });
  const bool constant = straight && data.E.constant() && data.G.constant() &&
                        data.area.constant() && data.i_y.constant() && data.i_z.constant() &&
                        data.torsion.constant();
  const auto along = [d = data, x](InputValues s) -> Vec3 {
    const double L = x(s).norm();
    return d.E(s) / (L * L * L) * Vec3(d.area(s) * L * L, 12 * d.i_z(s), 12 * d.i_y(s));
  };
  const auto about = [d = data, x](InputValues s) -> Vec3 {
    return Vec3(d.G(s) * d.torsion(s), d.E(s) * d.i_y(s), d.E(s) * d.i_z(s)) / x(s).norm();
  };
  const auto damped = [&](const std::function<Vec3(InputValues)>& stiffness) {
    return following(
        constant && data.damping.constant(),
        [stiffness, tau = data.damping](InputValues s) -> Vec3 { return tau(s) * stiffness(s); });
  };
  BushingData middle;
  middle.name = data.name;
  middle.a = data.a;
  middle.b = data.b;
  middle.at =
      following(straight, [d = data](InputValues s) -> Vec3 { return (d.from(s) + d.to(s)) / 2; });
  middle.axis = z;
  middle.axis2 = x;
  middle.stiffness = following(constant, along);
  middle.damping = damped(along);
  middle.torsion = following(constant, about);
  middle.torsion_damping = damped(about);
  for (const bool at_a : {true, false})
    if (const Body body = at_a ? data.a : data.b; body.index > 0)
      load_with_half(bodies.at(static_cast<std::size_t>(body.index)), data, at_a);
  return bushing(middle);
}

}  // namespace mechfmu::mechanics
