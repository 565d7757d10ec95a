// Nodes of flexible bodies: spatial bodies without mass, held by elements/welds.cpp.

#include <algorithm>
#include <stdexcept>

#include "mechanics/bodies/kinds.h"
#include "mechanics/bodies/spatial.h"
#include "mechanics/layout.h"

namespace mechfmu::mechanics {

namespace {

class Nodes final : public SpatialBodies {
 public:
  bool may_spin() const override { return false; }
  void complete(const Mechanism&, BodyData& body) const override { body.mass = 0; }
  void number(const Mechanism& m, std::size_t body, Layout& layout) override {
    const BodyData& data = m.bodies[body];
    const auto refuse = [&](const char* what) {
      throw std::invalid_argument("body '" + data.name + "': " + what);
    };
    if (data.of.index <= 0 || ix(data.of.index) >= body ||
        m.bodies[ix(data.of.index)].type != BodyType::flexible)
      refuse("it is a node of no flexible body that comes before it");
    if (data.node < 0 || ix(data.node) >= whole(m, data).nodes.size())
      refuse("its flexible body has no such node");
    SpatialBodies::number(m, body, layout);
    layout.welds.push_back({.body = static_cast<int>(body),
                            .flexible = static_cast<int>(data.of.index),
                            .number = data.node});
  }
  /// The flexible body determines the pose of a node.
  void refresh(const Mechanism& m, const Layout&, std::size_t index, InputValues, Geometry& g,
               Doubts&) const override {
    const BodyData& data = m.bodies[index];
    const BodyGeometry& body = g.bodies[ix(data.of.index)];
    BodyGeometry& node = g.bodies[index];
    const Vec3 p = whole(m, data).place(ix(data.node)) - whole(m, data).centre();
    node.mass = 0;
    node.J.setZero();
    node.R0 = body.R0;
    node.r0 = body.world(p);
    node.w0 = body.w0;
    node.v0 = body.v0 + body.w0.cross(Vec3(body.R0 * p));
  }

 private:
  static const ModalBody& whole(const Mechanism& m, const BodyData& node) {
    return *m.modals[ix(m.bodies[ix(node.of.index)].modal.index)];
  }
};

}  // namespace

Body Mechanism::node(Body flexible, std::string_view name_) {
  const BodyData& whole = bodies.at(ix(flexible.index));
  if (whole.type != BodyType::flexible)
    throw std::invalid_argument("body '" + whole.name + "' is not flexible and has no nodes");
  const std::vector<std::string>& nodes = modals.at(ix(whole.modal.index))->nodes;
  const auto found = std::find(nodes.begin(), nodes.end(), name_);
  if (found == nodes.end())
    throw std::invalid_argument("flexible body '" + whole.name + "' has no node '" +
                                std::string(name_) + "'");
  const auto number = static_cast<Index>(found - nodes.begin());
  for (std::size_t b = 1; b < bodies.size(); ++b)
    if (bodies[b].type == BodyType::node && bodies[b].of.index == flexible.index &&
        bodies[b].node == number)
      return {static_cast<Index>(b)};
  BodyData data;
  data.name = whole.name + "." + *found;
  data.type = BodyType::node;
  data.of = flexible;
  data.node = number;
  return body(std::move(data));
}

std::unique_ptr<BodyPool> make_nodes() { return std::make_unique<Nodes>(); }

}  // namespace mechfmu::mechanics
