#include "packaging/unpacked.h"

#include "packaging/listed.h"
#include "packaging/zip.h"

namespace mechfmu {

namespace fs = std::filesystem;

UnpackedFmu unpacked_fmu(const LoadedMechanism& mechanism, const Kit& kit, ExportOptions options,
                         const std::string& version) {
  UnpackedFmu made;
  made.temporary = std::make_unique<TemporaryFolder>();
  const fs::path& work = made.temporary->path();
  made.folder = work / ("fmi" + version);
  (version == "2" ? options.fmi2 : options.fmi3) = work / "model.fmu";
  if (mechanism.plan.functions.empty()) {
    write_fmu_files(mechanism, options, true, Purpose::run, work);
    const std::string& platform = version == "2" ? kit.platform2 : kit.platform3;
    const fs::path binaries = made.folder / "binaries" / platform;
    fs::create_directories(binaries);
    fs::create_symlink(fs::absolute(kit.listed), binaries / (mechanism.plan.name + ".so"));
    return made;
  }
  options.with_mechanism = false;
  made.sources = export_fmus(mechanism, kit, options);
  extract(work / "model.fmu", made.folder);
  return made;
}

}  // namespace mechfmu
