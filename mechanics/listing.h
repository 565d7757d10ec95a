// A mechanism as tables of plain data. Mechanism files are translated to listings, an FMU made
// without a compiler contains one, and from_listing() makes a Mechanism of it.
//
//   Listing listing = …;
//   Mechanism m = from_listing(listing);
//
// Elements refer to each other by their places in the tables; body 0 is the ground. A number is a
// constant or the place of a calculation (mechanics/program.h) of parameters; a law is a
// calculation of measures, states and reactions.

#pragma once

#include <memory>
#include <variant>

#include "mechanics/mechanism.h"
#include "mechanics/placed.h"
#include "mechanics/program.h"
#include "mechanics/quantity.h"

namespace mechfmu::mechanics {

/// The types of the fields of elements in a listing.
struct Listed {
  using Text = std::string;

  struct Number {
    double value = 0;
    std::int32_t calculation = -1;                    // −1: it is a constant
    Number(double constant = 0) : value(constant) {}  // NOLINT(google-explicit-constructor)
    static Number of(std::int32_t calculation) {
      Number made;
      made.calculation = calculation;
      return made;
    }
  };
  struct Triple {
    Number x, y, z;
    std::int32_t calculation = -1;  // of all three at once; −1: x, y and z apply
    std::int32_t placement = -1;    // the pose that moves it; −1: none
    Placed placed = Placed::no;
    Triple() = default;
    Triple(Number x_, Number y_, Number z_) : x(x_), y(y_), z(z_) {}
  };
  struct Inertia {
    Number xx, yy, zz, xy, xz, yz;
  };
  struct Shape {
    ShapeType type = ShapeType::box;
    std::vector<Number>
        size;  // x y z of a box, radius and length, radius, length; of a mesh its scale, volume,
               // centre x y z, and inertia xx yy zz xy xz yz of 1 kg of it
    Triple axis = {0, 0, 1}, at{}, rotation{};
    bool by_density = false;
    Number amount;  // mass or density
  };
  using Solid = std::vector<Shape>;  // none: mass and inertia are given
  struct Law {
    std::vector<Argument> arguments;
    std::int32_t calculation = -1;  // −1: constant
    double constant = 0;
    Law(double constant_ = 0) : constant(constant_) {}  // NOLINT(google-explicit-constructor)
  };
  struct Energy {
    std::int32_t calculation = -1;  // of the arguments of the law; −1: none
  };
  struct Spot {
    Body body{};
    Triple at{};
    bool local = false;
  };
  using NumberList = std::vector<Number>;
};

struct Listing {
  std::string name, about;
  Experiment experiment;
  SolverSettings solver;
  bool track_energy = false;
  Listed::Triple gravity;
  Listed::Number length_scale;

  struct Setting {
    std::string name, unit, about;
    bool input = false;
    bool fixed = false;  // only before a run
    double value = 0;
    std::optional<double> min{}, max{};
  };
  struct Pose {
    Listed::Triple at, rotation;
    std::int32_t inside = -1;  // the pose that contains it, an earlier one; −1: none
  };
  /// The coordinate of a joint as a measure.
  struct Coordinate {
    Joint joint;
    bool angle = true;  // else its displacement
  };
  using MeasureEntry = std::variant<MeasureRow<Listed>, Coordinate>;
  struct Coupling {
    std::string name;
    std::vector<std::pair<Measure, Listed::Number>> terms;
    Listed::Number constant;
  };
  /// Forces and constraints, in the order in which they are made.
  using Action =
      std::variant<ConstraintRow<Listed>, Coupling, SpringRow<Listed>, BushingRow<Listed>,
                   StopRow<Listed>, FrictionRow<Listed>, ContactRow<Listed>, ForceRow<Listed>,
                   VectorForceRow<Listed>, BeamRow<Listed>>;
  struct Read {
    Quantity quantity = Quantity::position;
    std::int32_t of = 0;  // joint, rolling, measure, state or action: its place in the table
    Listed::Spot spot{}, from{};
    bool relative = false;
    bool second_half = false;  // of the six forces of a bushing
    int component = 0;
    std::int32_t vector = 0;  // components with the same number are of one vector

    bool same_vector(const Read& other) const { return vector == other.vector; }
  };
  struct Output {
    std::string name, unit, about;
    std::optional<double> min{}, max{};
    std::vector<Read> reads;  // the arguments
    std::int32_t calculation = -1;
  };

  /// A shape without mass, for viewers. The mechanism in an FMU does not contain it.
  struct Look {
    Body body{};
    std::string shape;                   // box, sphere …; empty: a color for the body alone
    std::vector<Listed::Number> size{};  // its lengths
    Listed::Triple at{}, rotation{}, axis = {0, 0, 1};
    bool local = false;
    std::string color{}, text{}, file{};
    Listed::Number opacity = 1;
  };

  std::vector<Calculation> calculations;
  std::vector<Setting> settings;
  std::vector<Pose> poses;
  std::vector<ModalBody> modals;
  std::vector<BodyRow<Listed>> bodies;  // without the ground
  std::vector<JointRow<Listed>> joints;
  std::vector<RollingRow<Listed>> rollings;
  std::vector<MeasureEntry> measures;
  std::vector<StateRow<Listed>> states;
  std::vector<Action> actions;
  std::vector<Output> outputs;
  std::vector<Look> looks;
};

/// Throws std::invalid_argument where an entry refers to a missing one.
Mechanism from_listing(const Listing& listing);

/// Numbers of a listing for given values of parameters and inputs. The listing must outlive this.
class ListingValues {
 public:
  /// `settings` in the order of Listing::settings. Throws as from_listing does.
  ListingValues(const Listing& listing, std::vector<double> settings);
  ~ListingValues();
  double operator()(const Listed::Number& n) const;
  Vec3 operator()(const Listed::Triple& t) const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace mechfmu::mechanics
