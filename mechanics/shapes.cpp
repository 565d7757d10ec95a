// Inertia of solids about their middle, n the unit vector along the axis:
//
//   box        m/12 diag(b² + c², a² + c², a² + b²)        m = ρ a b c
//   cylinder   m/12 (3r² + l²) (1 − n nᵀ) + m/2 r² n nᵀ    m = ρ π r² l
//   sphere     2/5 m r² 1                                  m = ρ 4/3 π r³
//   rod        m/12 l² (1 − n nᵀ)                          m = ρ l
//   polyhedron m k² J₁, J₁ that of 1 kg, k the scale       m = ρ k³ V

#include "mechanics/shapes.h"

#include <algorithm>
#include <numbers>
#include <stdexcept>

#include "mechanics/placement.h"

namespace mechfmu::mechanics {

namespace {

constexpr double pi = std::numbers::pi;

/// Like `following` of number.h.
Inertia inertia_following(bool constant, const std::function<Mat3(InputValues)>& J) {
  const Mat3 known = constant ? J({}) : Mat3(Mat3::Zero());
  const auto part = [&](int i, int k) {
    return constant ? Number(known(i, k)) : of([J, i, k](InputValues s) { return J(s)(i, k); });
  };
  return {part(0, 0), part(1, 1), part(2, 2), part(0, 1), part(0, 2), part(1, 2)};
}

Requirement above_zero(const Number& value, const std::string& what) {
  return {value, true, "its " + what + " must be above zero"};
}

/// A solid whose inertia about its centre is its mass times `specific`, moved to its place.
template <class Shape>
Solid make(const Shape& shape, const Amount& amount, const Number& volume, bool constant,
           const std::function<Mat3(InputValues)>& specific, std::vector<Requirement> requirements,
           const Triple& centre = {}) {
  if (amount.mass.has_value() == amount.density.has_value())
    throw std::invalid_argument("a solid is given by its mass or by its density");
  Solid made;
  made.requirements = std::move(requirements);
  if (amount.density) {
    made.mass =
        following(amount.density->constant() && volume.constant(),
                  [rho = *amount.density, volume](InputValues s) { return rho(s) * volume(s); });
    made.requirements.push_back({*amount.density, false, "its density must not be negative"});
  } else {
    made.mass = *amount.mass;
    made.requirements.push_back({*amount.mass, false, "its mass must not be negative"});
  }
  made.centre = centre;
  made.inertia = inertia_following(
      constant && made.mass.constant(),
      [m = made.mass, specific](InputValues s) { return Mat3(m(s) * specific(s)); });
  return placed(made, shape.at, shape.rotation);
}

double cube(double x) { return x * x * x; }

Number norm(const Triple& v) {
  return following(v.constant(), [v](InputValues s) { return v(s).norm(); });
}

/// n nᵀ
Mat3 along(const Triple& axis, InputValues s) {
  const Vec3 n = axis(s).normalized();
  return n * n.transpose();
}

Requirement has_direction(const Triple& axis) {
  return {norm(axis), true, "its axis has length zero; give a direction such as 0 0 1"};
}

}  // namespace

Mat3 Inertia::operator()(InputValues s) const {
  Mat3 J;
  J << xx(s), xy(s), xz(s), xy(s), yy(s), yz(s), xz(s), yz(s), zz(s);
  return J;
}

bool Inertia::constant() const {
  const auto parts = {&xx, &yy, &zz, &xy, &xz, &yz};
  return std::all_of(parts.begin(), parts.end(), [](const Number* n) { return n->constant(); });
}

Solid solid(const Box& box, const Amount& amount) {
  const Triple& size = box.size;
  return make(box, amount,
              following(size.constant(), [size](InputValues s) { return size(s).prod(); }),
              size.constant(),
              [size](InputValues s) -> Mat3 {
                const Vec3 squares = size(s).cwiseAbs2();
                const Vec3 moments = (Vec3::Constant(squares.sum()) - squares) / 12;
                return moments.asDiagonal();
              },
              {above_zero(size.x, "length along x"), above_zero(size.y, "length along y"),
               above_zero(size.z, "length along z")});
}

Solid solid(const Cylinder& cylinder, const Amount& amount) {
  const auto& [radius, length, axis, at, rotation] = cylinder;
  const bool constant = radius.constant() && length.constant();
  return make(cylinder, amount,
              following(constant, [r = radius,
                                   l = length](InputValues s) { return pi * r(s) * r(s) * l(s); }),
              constant && axis.constant(),
              [r = radius, l = length, n = axis](InputValues s) -> Mat3 {
                const Mat3 nn = along(n, s);
                return (3 * r(s) * r(s) + l(s) * l(s)) / 12 * (Mat3::Identity() - nn) +
                       r(s) * r(s) / 2 * nn;
              },
              {above_zero(radius, "radius"), above_zero(length, "length"), has_direction(axis)});
}

Solid solid(const Sphere& sphere, const Amount& amount) {
  const Number& radius = sphere.radius;
  return make(sphere, amount,
              following(radius.constant(),
                        [r = radius](InputValues s) { return 4 * pi / 3 * r(s) * r(s) * r(s); }),
              radius.constant(),
              [r = radius](InputValues s) -> Mat3 { return 0.4 * r(s) * r(s) * Mat3::Identity(); },
              {above_zero(radius, "radius")});
}

Solid solid(const Rod& rod, const Amount& amount) {
  return make(rod, amount, rod.length, rod.length.constant() && rod.axis.constant(),
              [l = rod.length, n = rod.axis](InputValues s) -> Mat3 {
                return l(s) * l(s) / 12 * (Mat3::Identity() - along(n, s));
              },
              {above_zero(rod.length, "length"), has_direction(rod.axis)});
}

Solid solid(const Polyhedron& polyhedron, const Amount& amount) {
  const auto& [scale, volume, centre, specific, at, rotation] = polyhedron;
  const bool constant = scale.constant();
  return make(
      polyhedron, amount,
      following(constant && volume.constant(),
                [k = scale, V = volume](InputValues s) { return V(s) * cube(k(s)); }),
      constant && specific.constant(),
      [k = scale, J = specific](InputValues s) -> Mat3 { return k(s) * k(s) * J(s); },
      {above_zero(scale, "scale"), above_zero(volume, "volume")},
      following(constant && centre.constant(),
                [k = scale, c = centre](InputValues s) -> Vec3 { return k(s) * c(s); }));
}

Solid placed(const Solid& solid, const Triple& at, const Triple& rotation) {
  Solid moved = solid;
  moved.centre = Placement{at, rotation}.point(solid.centre);
  moved.inertia = inertia_following(rotation.constant() && solid.inertia.constant(),
                                    [rotation, J = solid.inertia](InputValues s) -> Mat3 {
                                      const Mat3 R = rotation_matrix(rotation(s));
                                      return R * J(s) * R.transpose();
                                    });
  return moved;
}

Solid together(const std::vector<Solid>& parts) {
  const auto all = [&](const auto& constant) {
    return std::all_of(parts.begin(), parts.end(), constant);
  };
  const bool masses = all([](const Solid& p) { return p.mass.constant(); });
  const bool centres = masses && all([](const Solid& p) { return p.centre.constant(); });
  const bool inertias = centres && all([](const Solid& p) { return p.inertia.constant(); });
  Solid sum;
  sum.mass = following(masses, [parts](InputValues s) {
    double m = 0;
    for (const Solid& p : parts) m += p.mass(s);
    return m;
  });
  sum.centre = following(centres, [parts, mass = sum.mass](InputValues s) -> Vec3 {
    Vec3 moment = Vec3::Zero();
    for (const Solid& p : parts) moment += p.mass(s) * p.centre(s);
    const double m = mass(s);
    return m > 0 ? Vec3(moment / m) : moment;
  });
  sum.inertia = inertia_following(inertias, [parts, centre = sum.centre](InputValues s) -> Mat3 {
    Mat3 J = Mat3::Zero();
    const Vec3 c = centre(s);
    for (const Solid& p : parts) {
      const Vec3 d = p.centre(s) - c;
      J += p.inertia(s) + p.mass(s) * (d.squaredNorm() * Mat3::Identity() - d * d.transpose());
    }
    return J;
  });
  for (std::size_t i = 0; i < parts.size(); ++i)
    for (Requirement r : parts[i].requirements) {
      if (parts.size() > 1) r.otherwise = "shape " + std::to_string(i + 1) + ": " + r.otherwise;
      sum.requirements.push_back(std::move(r));
    }
  return sum;
}

}  // namespace mechfmu::mechanics
