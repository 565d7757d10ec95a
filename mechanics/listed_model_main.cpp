// The model of an FMU that was made without a compiler: its resources hold the mechanism as a
// listing.

#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "mechanics/listing_bytes.h"
#include "mechanics/system.h"
#include "model/factory.h"

namespace mechfmu {

OpenedModel open_model(const std::string& resources) {
  const std::string file = resources + "/mechanism.bin";
  // FMI passes UTF-8, which Windows accepts in names of files only in this way.
  std::ifstream in(std::filesystem::path(std::u8string(file.begin(), file.end())),
                   std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(in), {}};
  if (!in || bytes.empty())
    throw std::runtime_error("cannot read '" + file +
                             "', which holds the mechanism: the importer must unpack the FMU and "
                             "pass its resources folder");
  try {
    mechanics::Mechanism mechanism = mechanics::from_listing(mechanics::from_bytes(bytes));
    std::string name = mechanism.name;
    return {std::move(name), std::make_unique<mechanics::MechanismSystem>(std::move(mechanism))};
  } catch (const std::invalid_argument& wrong) {
    throw std::runtime_error(file + ": " + wrong.what());
  }
}

}  // namespace mechfmu
