// Common parts of the model descriptions of FMI 2.0 and FMI 3.0: units, types, log categories, the
// default experiment, and the known variables when an output is computed.

#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "model/description.h"
#include "model_desc/origin.h"
#include "model_desc/xml.h"

namespace mechfmu {

enum class FmiVersion { fmi2, fmi3 };

/// A unit with its display unit: the type of all variables that have this unit.
struct RealType {
  std::string name, quantity, unit, display_unit;  // display_unit may be empty
};

struct EnumerationItem {
  std::string name, about;
};

struct EnumerationType {
  std::string name, about;
  std::vector<EnumerationItem> items;  // numbered from 1
};

/// Types and units that occur in a description. No type has the name of a variable.
struct Types {
  explicit Types(const Description& description);

  std::set<std::string> units;
  std::map<std::string, RealType> reals;                     // by unit
  std::map<std::string, EnumerationType> enumerations;       // by variable
  const RealType* find_real(const std::string& unit) const;  // null if it does not exist
};

/// Attributes of the root element from modelName on; `token_name` is the name of the token in the
/// version.
void write_head(XmlElement root, const Description& description, const Origin& origin,
                const char* token_name);
void write_units(XmlElement root, const Types& types);
void write_log_categories(XmlElement root);
void write_default_experiment(XmlElement root, const Experiment& experiment);

/// quantity, unit and display unit of a type.
void write_real_type(XmlElement element, const RealType& type);
/// The items of an enumeration, one below the other.
void write_items(XmlElement enumeration, const EnumerationType& type);

/// The attribute description, unless the text is empty.
void write_about(XmlElement variable, const std::string& about);
/// causality, variability and, where the standard allows it, initial.
void write_causality(XmlElement variable, const Entry& entry);
/// Type and unit of a value; `unit` may be empty.
void write_declared_type(XmlElement value, const Entry& entry, const std::string& unit,
                         const Types& types);
/// Range and nominal value of a number.
void write_range(XmlElement variable, const Entry& entry);

/// The unit that all numbers of an entry share; empty if there is none or they differ.
std::string common_unit(const Entry& entry);

/// Whether an entry is an unknown of the initialization: an output without a given value.
bool is_initial_unknown(const Entry& entry);

/// The elements of `depends_on` that are known: at communication points inputs and time, in FMI 3
/// also parameters; at initialization inputs, time and all exactly given values. Ascending, without
/// duplicates.
std::set<std::size_t> stepping_knowns(const Description& description, const Entry& unknown,
                                      FmiVersion version);
std::set<std::size_t> initial_knowns(const Description& description, const Entry& unknown);

}  // namespace mechfmu
