// The KKT matrices of solver/kkt.h for systems of many small parts, by block LU on their graph. The
// cost is proportional to the number of bodies.
//
// A system describes the graph once and provides its derivatives in four layers of that layout
// (model/block_pattern.h):
//
//   mass KKT = value          Newton KKT = value + v velocity + p position + c rows,
//
// c = weights.constraint for g, weights.nonholonomic for k.
//
// The first factorization finds the order of elimination from the mass KKT matrix; later ones keep
// it. If one of its pivots vanishes at some position, a new order is found, once, which allocates.
// The Newton KKT matrix uses the same order until one of its own pivots vanishes. A state stores
// both orders (KktOrders), so that solutions do not depend on other uses of a solver.
//
// With redundant constraints the search for an order also finds rows that can be left out of both
// matrices; their multipliers get no increment (smallest_multipliers() distributes them). Well
// chosen rows at one position may be close to dependent at another, where other rows would be
// better. Then the pivots become small, and a new order and new rows are found.
//
// Blocks that come and go (System::passing) are in the factors of the Newton matrix while they are
// present; the mass matrix never contains them. If other blocks become present, the program of the
// order is made anew, in memory reserved with the order for all blocks at once, unless there are
// too many of these. If the factors have grown too much, another order is found, which allocates.
// The point determines which blocks are present: a state restores them with the orders.

#pragma once

#include <array>
#include <memory>

#include "model/block_pattern.h"
#include "solver/block_constraints.h"
#include "solver/block_lu.h"
#include "solver/kkt.h"

namespace mechfmu {

class BlockKkt final : public KktMatrices {
 public:
  /// The system must have a pattern; both must outlive this object.
  explicit BlockKkt(System& system);
  ~BlockKkt() override;

  void evaluate(double kappa) override;
  bool finite() const override;
  [[nodiscard]] bool factor_mass() override;
  [[nodiscard]] bool factor_newton(const NewtonWeights& weights) override;
  /// Measured: about 4 in chains and 6 in ladders of bodies in the plane, where runs hardly depend
  /// on it; the value there is 3, which has been tested. In space: 8, measured for a belt and for a
  /// track with contacts. In between, the value depends on the size of the nodes of bodies.
  double cost_of_renewal() const override { return cost_of_renewal_; }
  void solve_mass(Vector& r) override;
  void solve_newton(Vector& r) override;
  void subtract_tilde(In w, Vector& r) const override;
  void add_change(const Change& along, Vector& r) const override;
  void multiply_mass(In v, Vector& r) const override;
  void subtract_rates_of(In jump, Vector& r) const override;
  Vector project(In r, const std::vector<bool>& held) const override;
  std::vector<Redundancy> find_redundant() const override;
  void set_redundant(bool redundant) override;
  Index undetermined_unknown() const override;
  void smallest_multipliers(Vector& mu) override;
  void set_orders(const KktOrders& orders) override;

  const BlockPattern& pattern() const { return pattern_; }
  const BlockLayers& layers() const { return layers_; }
  /// Values of the Newton KKT matrix factored last, with the present derivatives.
  Vector newton_values() const;
  /// The order of the mass KKT matrix; null before its first factorization.
  const BlockElimination* elimination() const { return mass_.elimination.get(); }
  /// Whether a step of refinement improves the solutions, because of small pivots.
  bool mass_is_refined() const { return mass_.refine; }
  bool newton_is_refined() const { return newton_.refine; }

 private:
  /// A factored matrix with its order.
  struct Factors {
    std::shared_ptr<const BlockElimination> elimination;
    std::unique_ptr<BlockLu> lu;
    bool refine = false;

    void use(std::shared_ptr<const BlockElimination> order,
             const std::vector<std::int32_t>& left_out);
  };
  /// Completed work since the system moved: evaluate() comes first; a matrix is factored before it
  /// is solved with.
  enum class Holds { nothing, derivatives, mass, newton, both };
  bool holds_mass() const { return holds_ == Holds::mass || holds_ == Holds::both; }
  bool holds_newton() const { return holds_ == Holds::newton || holds_ == Holds::both; }
  void factored(bool mass, bool newton);

  [[nodiscard]] bool find_mass_order();
  void find_newton_order();
  void newton_order_from_mass();
  void notice_blocks();
  void list_entries();
  void clear_layers();
  std::shared_ptr<const BlockElimination> mass_program(
      const std::vector<std::int32_t>& order) const;
  std::shared_ptr<BlockElimination> newton_program(const std::vector<std::int32_t>& order);
  void use_newton_program(std::shared_ptr<BlockElimination> program);
  void renew_newton_program();
  bool has_outgrown_its_order() const;
  void note_order(std::vector<std::int32_t>& to, const std::vector<std::int32_t>& nodes);
  void note_best_pivot(double pivot);
  void stamp_orders();
  [[nodiscard]] bool has_become_worse();
  BlockConstraints& distribution();
  void mask(Vector& values) const;
  void load_newton();
  void fill(Vector& values) const;
  void decide_refinement(Factors& factors, const Vector& values);
  void solve(Factors& factors, const Vector& values, Vector& r);

  System& system_;
  double cost_of_renewal_ = 3;
  const BlockPattern& pattern_;
  const System::Passing* passing_;  // null: all blocks are permanent
  // Blocks of the pattern without numbers, now and in the mass matrix; empty: none.
  std::vector<char> absent_, not_of_mass_;
  struct Range {
    Index first = 0, count = 0;
  };
  std::array<std::vector<Range>, 4>
      there_;                  // numbers of value, velocity, position, rows that are not absent
  std::vector<char> present_;  // which blocks of passing_ are present
  BlockLayers layers_;
  NewtonWeights weights_;  // weights of the Newton KKT matrix
  Vector newton_values_;   // its numbers, if solutions are refined
  Factors mass_, newton_;
  std::shared_ptr<BlockElimination> changing_;  // program of newton_, if it is not that of mass_
  BlockElimination::Room room_;                 // scratch memory to make it anew
  bool has_room_ = false;         // the memory suffices for all blocks that come and go
  bool newton_is_stale_ = false;  // changing_ was made for another set of present blocks
  bool redundant_ = false;
  Holds holds_ = Holds::nothing;
  Vector given_, residual_, size_;

  struct Entry {
    kernels::ScaledKernel subtract = nullptr;  // kernel for its size; null: loops
    int offset = 0, row = 0, column = 0;       // of a block in a layer and in a matrix
    int rows = 0, columns = 0;
  };
  static void subtract(const std::vector<Entry>& entries, const Vector& layer, double factor, In x,
                       Vector& y);
  std::vector<Entry> position_, holonomic_, nonholonomic_;  // motion columns of −K and d_y; of C_y
  std::vector<Entry> value_, velocity_;                     // all entries of these layers

  // Projection onto the constraints, and the smallest multipliers: created at the first request.
  mutable std::unique_ptr<BlockConstraints> projection_;
  std::unique_ptr<BlockConstraints> distribution_;
  BlockLayers elsewhere_;  // derivatives at another point than that of the factors
};

}  // namespace mechfmu
