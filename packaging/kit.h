// The kit: compiler, options, archives of solver and mechanics, and objects of the FMI functions,
// with which the tool compiles and links a model.
//
// The build writes it as a text file with lines "key = words", beside the program or, installed, as
// ../lib/mechfmu/mechfmu.kit; paths that begin with "@/" are relative to the folder of that file.
// The environment variable MECHFMU_KIT names another one, CXX another compiler, MECHFMU_PYTHON
// another Python.

#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace mechfmu {

struct Kit {
  std::filesystem::path file;
  std::vector<std::string> compiler;          // "ccache", "g++"
  std::vector<std::string> compile;           // options
  std::vector<std::string> link;              // options of the binary
  std::vector<std::string> objects;           // FMI functions
  std::vector<std::string> tabled;            // make_model of mechanisms that are compiled
  std::vector<std::string> archives;          // mechanics, solver
  std::vector<std::string> describe_link;     // options of the program that describes a model
  std::vector<std::string> describe_objects;  // its parts
  std::vector<std::string> describe_archives;
  std::string listed;           // library of FMUs that are made without a compiler
  std::string listed_deflated;  // an archive with that library alone
  std::string sources;          // an archive of the sources of FMUs
  std::string sources_hash;     // a file with the SHA-256 of mechfmu's own sources
  std::string platforms;     // folder with a folder per platform that has a library; may be missing
  std::string python, plot;  // for pictures: an interpreter with matplotlib, and the script
  std::string viewer;        // the page for animations; may be missing
  std::string platform2, platform3;  // folders of the binary in an FMU
};

/// Throws std::runtime_error if this program has no kit, or if a file that it names is missing.
Kit find_kit();

}  // namespace mechfmu
