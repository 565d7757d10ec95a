// The reference result inside an FMU, by which any importer can check that it runs the model rightly: layered
// standard FMI-LS-REF (modelica/fmi-ls-ref, v1.0.0-beta.1), folder extra/org.fmi-standard.fmi-ls-ref.

#pragma once

#include <optional>
#include <string>

#include "model/description.h"
#include "model/system.h"

namespace mechfmu {

struct Reference {
  std::string csv;
  double tolerance = 0;  // relative tolerance of each substep it was made with
  double stop =
      0;  // where it ends: before the end of the experiment where that would take too long
};

/// Columns time and all outputs of the model, or y and z when it has none, at the communication points of the default
/// experiment, with inputs and parameters as they are in `system`. The tolerance is 1e-11, or what the model allows: in
/// accuracy, and in work, which is steps times coordinates; by default 10⁶, and 2·10⁵ beyond 1000 coordinates, some tenths of
/// a second. (Not a time: the same model has the same reference on every machine.) Where the tolerance of the default experiment
/// takes more, the run is cut at the last communication point that it has reached. Throws std::runtime_error when it fails even
/// with that tolerance.
Reference make_reference(const Description& description, System& system,
                         std::optional<double> most_work = {});

std::string reference_file_name(const Description& description);  // <model>_ref.csv
std::string reference_manifest(const Description& description, const Reference& reference);

}  // namespace mechfmu
