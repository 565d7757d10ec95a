// Makes a Scene of a listing, for given values of its parameters.
//
// One function draws one kind of element: it is called with the row of the listing, and what it adds is the parts and the arrows. A new kind of element is a
// function in joints.cpp or forces.cpp and a line in build.cpp. Lengths that nothing tells, of pins and bars, are multiples of
// a unit u that follows from the size of the mechanism and of its bodies.

#pragma once

#include <map>
#include <string>
#include <vector>

#include "mechanics/listing.h"
#include "mechanics/system.h"
#include "scene/scene.h"

namespace mechfmu::scene {

/// What a viewer is told beside the geometry.
struct Names {
  std::map<std::string, std::string> files{};                // that elements read: meshes
  std::map<std::string, std::string> about{};                // what elements say of themselves
  std::map<std::string, std::vector<std::string>> poses{};   // of bodies
  std::map<std::string, std::vector<std::string>> modes{};   // of flexible bodies
  std::map<std::string, std::vector<std::string>> forces{};  // of elements: one variable, or three
};

/// `settings`: values of parameters and inputs, in the order of the listing.
/// Throws std::invalid_argument where the mechanics library refuses it.
Scene make_scene(const mechanics::Listing& listing, const std::vector<double>& settings,
                 const Names& names);

/// Where something is attached to a body.
struct Attachment {
  Vec3 at = Vec3::Zero();
  Vec3 axis = Vec3::Zero();  // of a joint, or zero
  enum class Kind { turning, sliding, point } kind = Kind::point;
  bool outer = false;  // of a sliding joint: the body that the other one slides in
  int other = 0;       // of a joint: the other body
};

/// What the functions that draw share.
class Builder {
 public:
  using Listed = mechanics::Listed;

  Builder(const mechanics::Listing& listing_, const std::vector<double>& settings,
          const Names& names_);

  const mechanics::Listing& listing;
  const Names& names;
  mechanics::ListingValues value;  // numbers and vectors of the listing
  Scene scene;
  double u = 0.01;                                     // the length that glyphs are multiples of
  std::vector<std::vector<Attachment>> attachments{};  // of bodies
  std::vector<std::vector<Part>> drawn_by_others{};    // of bodies: wheels, spheres in contact
  std::vector<std::string> colors{};                   // of bodies that looks give them
  std::vector<bool> has_look{};                        // of bodies: they need no automatic shape

  /// A point or direction of the world at the start, or in the axes of a body already, as seen from a body.
  Vec3 point(int body, const Vec3& at, bool local) const;
  Vec3 direction(int body, const Vec3& d, bool local) const;
  Vec3 world(const Anchor& anchor) const;
  Vec3 world_direction(int body, const Vec3& d) const;
  Anchor anchor(const Listed::Spot& spot) const;
  bool has_solid(int body) const {
    return body > 0 && !listing.bodies[static_cast<std::size_t>(body) - 1].solid.empty();
  }
  /// Against gravity; z where there is none.
  Vec3 up() const;
  /// u, smaller where the bodies are.
  double unit(int a, int b) const;

  Element& add(std::string kind, std::string type, const std::string& name,
               std::vector<int> bodies);
  /// Variables of the force that an element exerts; none where they are not recorded.
  std::vector<std::string> force_of(const std::string& name) const;
  /// A plane of a body, once however many refer to it; `near` is where it is needed, `wide` how wide on a body that moves.
  void plane(Element& element, int body, const Vec3& at, const Vec3& normal, const Vec3& near,
             double wide = 0);
  /// A surface that others touch, once however many do, and as long as the longest of them asks for.
  void surface(std::size_t element, const Part& part);
  /// Surfaces become shapes of bodies that have no other; those of the ground are parts of their elements.
  void place_surfaces();

  /// The last part of the last element is a sleeve between two bodies that move: it goes to where one of them comes out of the other.
  void sleeve();
  /// Once bodies are drawn.
  void place_sleeves();

  /// The number of a mesh, which is kept once.
  int mesh(Mesh mesh);

  void find_attachments();
  void choose_unit();

 private:
  void attach(int body, Attachment attachment);
  struct Plane {
    int body;
    Vec3 normal;
    double offset;
  };
  std::vector<Plane> planes_;
  struct Surface {
    std::size_t element;
    Part part;
  };
  std::vector<Surface> surfaces_;
  std::vector<std::size_t> sleeves_;  // elements
};

/// The two ends of what a measure acts between, and its direction on b; none of rolling and the like.
struct Span {
  Anchor a, b;
  Vec3 axis = Vec3::Zero();  // in the axes of a; zero: along the line between the points
  bool turning = false;
  bool of_joint = false;  // along the coordinate of a joint
  bool found = false;
};
Span span_of(const Builder& builder, mechanics::Measure measure);

// Parts
Part fixed(ShapeKind shape, std::vector<double> size, Role role, int body, const Vec3& at,
           const Mat3& axes = Mat3::Identity());
Part stretched(ShapeKind shape, std::vector<double> size, Role role, const Anchor& a,
               const Anchor& b);
/// Tyre, hub and spokes; `ring` is the radius of the middle of the tyre, `tyre` that of its section.
void add_wheel(std::vector<Part>& to, int body, const Vec3& centre, const Vec3& axle, double ring,
               double tyre);
/// A bar with round ends between two points of a body.
Part bar(int body, const Vec3& from, const Vec3& to, double radius, Role role = Role::body);
const char* body_color(int body);

// One function for each kind of element
void draw_body(Builder& builder, int body);
/// Beams between the nodes of a flexible body, which bend as its modes do.
void draw_flexible(Builder& builder, int body, std::vector<Part>& parts);
void draw(Builder& builder, const mechanics::Listing::Look& row);
void draw(Builder& builder, const mechanics::JointRow<mechanics::Listed>& row);
void draw(Builder& builder, const mechanics::RollingRow<mechanics::Listed>& row);
void draw(Builder& builder, const mechanics::SpringRow<mechanics::Listed>& row);
void draw(Builder& builder, const mechanics::BushingRow<mechanics::Listed>& row);
void draw(Builder& builder, const mechanics::BeamRow<mechanics::Listed>& row);
void draw(Builder& builder, const mechanics::StopRow<mechanics::Listed>& row);
void draw(Builder& builder, const mechanics::ContactRow<mechanics::Listed>& row);
void draw(Builder& builder, const mechanics::ForceRow<mechanics::Listed>& row);
void draw(Builder& builder, const mechanics::VectorForceRow<mechanics::Listed>& row);

}  // namespace mechfmu::scene
