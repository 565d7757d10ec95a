// The reference result inside an FMU, with which any importer can check its run of the model:
// layered standard FMI-LS-REF (modelica/fmi-ls-ref, v1.0.0-beta.1), folder
// extra/org.fmi-standard.fmi-ls-ref.

#pragma once

#include <optional>
#include <string>

#include "model/description.h"
#include "model/system.h"

namespace mechfmu {

struct Reference {
  std::string csv;
  double tolerance = 0;  // relative tolerance of each of its substeps
  double stop =
      0;  // end of the result: before the end of the experiment if that would take too long
};

/// Columns time and all outputs of the model, or y and z if it has no outputs, at the communication
/// points of the default experiment, with the inputs and parameters set in `system`. The tolerance
/// is 1e-11, or a larger one if accuracy or work require it. Work is steps times coordinates; its
/// default limit is 10⁶, and 2·10⁵ beyond 1000 coordinates, some tenths of a second. (It is not a
/// time: the same model has the same reference on every machine.) If the tolerance of the default
/// experiment takes more work, the run ends at the last communication point within the limit.
/// Throws std::runtime_error if it fails even with that tolerance.
Reference make_reference(const Description& description, System& system,
                         std::optional<double> most_work = {});

std::string reference_file_name(const Description& description);  // <model>_ref.csv
std::string reference_manifest(const Description& description, const Reference& reference);

}  // namespace mechfmu
