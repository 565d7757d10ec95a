// Functions that an exported model provides; the rest of an FMU uses them.

#pragma once

#include <memory>
#include <string>

#include "model/system.h"

namespace mechfmu {

/// A new instance of the model with default parameters. The author of the model writes it.
std::unique_ptr<System> make_model();

/// The name of the exported model. The build generates it.
const char* model_name();

struct OpenedModel {
  std::string name;
  std::unique_ptr<System> system;
};

/// The model of an FMU with this folder of resources: the compiled model or, in the library of FMUs
/// that are made without a compiler, the model stored in the folder.
OpenedModel open_model(const std::string& resources);

}  // namespace mechfmu
