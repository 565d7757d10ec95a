// The model that was compiled. A library that has its own open_model does not link this one.

#include "model/factory.h"

namespace mechfmu {

OpenedModel open_model(const std::string& /*resources*/) { return {model_name(), make_model()}; }

}  // namespace mechfmu
