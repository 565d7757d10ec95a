#include "language/file/example.h"

namespace mechfmu {

std::string_view mechanism_example() {
  return R"xml(<mechanism name="FourBar" gravity="0 -9.81 0" about="four-bar linkage with a motor and a spring">
  <parameter name="k" value="800" unit="N/m" min="0" about="stiffness of the tie"/>
  <input name="torque" start="0" unit="N.m" about="torque of the motor"/>

  <!-- Positions are world coordinates at t = 0, in metres. -->
  <body name="crank" at="0 0.1 0" mass="1.2" inertia="4e-3 1e-4 4e-3"/>
  <body name="coupler" at="0.25 0.3 0" mass="2" cylinder="10mm 0.54" axis="5 2 0"/>
  <body name="rocker" at="0.5 0.2 0" mass="1.5" cylinder="10mm 0.4" axis="0 1 0"/>

  <default element="joint" type="revolute" axis="0 0 1"/>
  <joint name="A" between="ground crank" at="0 0 0"/>
  <joint name="B" between="crank coupler" at="0 0.2 0"/>
  <joint name="C" between="coupler rocker" at="0.5 0.4 0"/>
  <joint name="D" between="rocker ground" at="0.5 0 0"/>

  <spring name="tie" between="ground rocker" from="1 0.4 0" to="0.5 0.4 0"
          stiffness="k" damping="15" length="0.45"/>
  <torque name="motor" joint="A" value="torque - 0.02*A.rate"/>

  <output name="phi" value="A.angle" unit="rad" about="angle of the crank"/>
  <output name="pin" value="norm(B.force)" unit="N" about="force in the pin between crank and coupler"/>
  <experiment stop="5" step="0.01"/>
</mechanism>
)xml";
}

}  // namespace mechfmu
