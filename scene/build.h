// Makes a Scene of a listing, for given values of its parameters.
//
// One function draws one kind of element: it gets the row of the listing, and adds the parts and
// the arrows. A new kind of element is a function in joints.cpp or forces.cpp and a line in
// build.cpp. Arbitrary lengths, of pins and bars, are multiples of a unit u that follows from the
// size of the mechanism and of its bodies.

#pragma once

#include <map>
#include <string>
#include <vector>

#include "mechanics/listing.h"
#include "mechanics/system.h"
#include "scene/scene.h"

namespace mechfmu::scene {

/// Data for a viewer in addition to the geometry.
struct Names {
  std::map<std::string, std::string> files{};                // that elements read: meshes
  std::map<std::string, std::string> about{};                // descriptions of elements
  std::map<std::string, std::vector<std::string>> poses{};   // of bodies
  std::map<std::string, std::vector<std::string>> modes{};   // of flexible bodies
  std::map<std::string, std::vector<std::string>> forces{};  // of elements: one variable, or three
};

/// `settings`: values of parameters and inputs, in the order of the listing.
/// Throws std::invalid_argument if the mechanics library refuses it.
Scene make_scene(const mechanics::Listing& listing, const std::vector<double>& settings,
                 const Names& names);

/// A place of attachment to a body.
struct Attachment {
  Vec3 at = Vec3::Zero();
  Vec3 axis = Vec3::Zero();  // of a joint, or zero
  enum class Kind { turning, sliding, point } kind = Kind::point;
  bool outer = false;  // of a sliding joint: this body is outside the other one
  int other = 0;       // of a joint: the other body
};

/// Shared data of the drawing functions.
class Builder {
 public:
  using Listed = mechanics::Listed;

  Builder(const mechanics::Listing& listing_, const std::vector<double>& settings,
          const Names& names_);

  const mechanics::Listing& listing;
  const Names& names;
  mechanics::ListingValues value;  // numbers and vectors of the listing
  Scene scene;
  double u = 0.01;                                     // the unit of length of glyphs
  std::vector<std::vector<Attachment>> attachments{};  // of bodies
  std::vector<std::vector<Part>> drawn_by_others{};    // of bodies: wheels, spheres in contact
  std::vector<std::string> colors{};                   // of bodies, from looks
  std::vector<bool> has_look{};                        // of bodies: they need no automatic shape

  /// A point or direction in the axes of a body, from world coordinates at t = 0 or, if `local`,
  /// from those axes.
  Vec3 point(int body, const Vec3& at, bool local) const;
  Vec3 direction(int body, const Vec3& d, bool local) const;
  Vec3 world(const Anchor& anchor) const;
  Vec3 world_direction(int body, const Vec3& d) const;
  Anchor anchor(const Listed::Spot& spot) const;
  bool has_solid(int body) const {
    return body > 0 && !listing.bodies[static_cast<std::size_t>(body) - 1].solid.empty();
  }
  /// The direction against gravity; z without gravity.
  Vec3 up() const;
  /// u, or less if the bodies are smaller.
  double unit(int a, int b) const;

  Element& add(std::string kind, std::string type, const std::string& name,
               std::vector<int> bodies);
  /// Variables of the force that an element exerts; none if they are not recorded.
  std::vector<std::string> force_of(const std::string& name) const;
  /// A plane of a body, drawn once for all references to it; `near` is its place, `wide` its width
  /// on a moving body.
  void plane(Element& element, int body, const Vec3& at, const Vec3& normal, const Vec3& near,
             double wide = 0);
  /// A contact surface, drawn once for all contacts, with the largest length that one of them
  /// requires.
  void surface(std::size_t element, const Part& part);
  /// Surfaces become shapes of bodies without other shapes; those of the ground are parts of their
  /// elements.
  void place_surfaces();

  /// The last part of the last element is a sleeve between two moving bodies: it is placed where
  /// one of them comes out of the other.
  void sleeve();
  /// Call it after bodies are drawn.
  void place_sleeves();

  /// The number of a mesh, which is stored once.
  int mesh(Mesh made);

  void find_attachments();
  void choose_unit();

 private:
  void attach(int body, const Attachment& attachment);
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

/// The two ends of a measure, and its direction on b; nullopt for rolling and the like.
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
/// Tyre, hub and spokes; `ring` is the radius of the middle of the tyre, `tyre` that of its
/// section.
void add_wheel(std::vector<Part>& to, int body, const Vec3& centre, const Vec3& axle, double ring,
               double tyre);
/// A bar with round ends between two points of a body.
Part bar(int body, const Vec3& from, const Vec3& to, double radius, Role role = Role::body);
const char* body_color(int body);

// One function for each kind of element
void draw_body(Builder& builder, int body);
/// Beams between the nodes of a flexible body, which bend with its modes.
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
