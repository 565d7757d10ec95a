// mechfmu_pack: packs the folder tree of an FMU, and files from elsewhere, as a zip archive.

#include <cstdlib>
#include <exception>
#include <iostream>
#include <span>

#include "packaging/interrupt.h"
#include "packaging/zip.h"

int main(int count, char** values) {
  mechfmu::watch_signals();
  const std::span<char*> arguments(values, static_cast<std::size_t>(count));
  if (count < 3) {
    std::cerr << "usage: mechfmu_pack <out.fmu> <tree folder> [<file>=<path in the archive>]...\n";
    return 1;
  }
  try {
    std::vector<mechfmu::ArchiveFile> files = mechfmu::files_below(arguments[2]);
    for (const char* argument : arguments.subspan(3))
      files.push_back(mechfmu::parse_archive_file(argument));
    mechfmu::write_zip(arguments[1], std::move(files),
                       mechfmu::entry_time(std::getenv("SOURCE_DATE_EPOCH")));
  } catch (const std::exception& error) {
    std::cerr << "mechfmu_pack: " << error.what() << '\n';
    return 1;
  }
  return 0;
}
