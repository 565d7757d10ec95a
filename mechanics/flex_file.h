// Flexible bodies from text files, .flex: words and numbers in SI units (docs/flexible.md).
//
//   flexible_body 1
//   mass 2
//   centre 0.5 0 0
//   inertia 0.01 0.2 0.2 0 0 0            # about the centre: xx yy zz xy xz yz
//   nodes 2                               # name x y z
//   root 0 0 0
//   tip 1 0 0
//   modes 1
//   mode 12.5 0.01                        # Hz, damping ratio; then ux uy uz rx ry rz of each node
//   0 0 0.9 0 2.1 0
//   0 0 0.9 0 -2.1 0
//   inertia_1                             # mode, dJ/dq; inertia_2, coriolis, … are similar
//   end

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "mechanics/modal_body.h"

namespace mechfmu::mechanics {

struct FlexFileProblem {
  long line = 0;  // 0: the whole file
  std::string what;
};

/// The content of the text; if there are problems, the readable part of it.
ModalBody read_flex(std::string_view text, std::vector<FlexFileProblem>& problems);

}  // namespace mechfmu::mechanics
