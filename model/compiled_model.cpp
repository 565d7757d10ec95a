// The compiled model. A library with its own open_model does not link this file.

#include "model/factory.h"

namespace mechfmu {

OpenedModel open_model(const std::string& /*resources*/) { return {model_name(), make_model()}; }

}  // namespace mechfmu
