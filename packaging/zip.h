// Zip archives that depend only on the files in them: same files, same bytes.
//
// The entries are sorted by name, carry one given time and the same permissions, and are deflated.
// There are no entries for folders and nothing beyond version 2.0 of the zip format (no zip64, no
// links, no encryption), which is what the FMI standard allows in an FMU.
//
// Deflating is most of the work. A file for many archives is deflated once, into a separate
// archive, and copied from there unchanged: deflating it again would give the same bytes.
//
// Reading trusts nothing: an archive may come from anywhere.

#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

namespace mechfmu {

struct ArchiveFile {
  std::string name;              // within the archive: relative, with forward slashes
  std::filesystem::path source;  // where its contents are
  std::string entry{};  // where the source is an archive of write_zip: the one to copy from there
};

/// All files below a folder, named relative to it. Throws for an entry that is neither file nor
/// folder.
std::vector<ArchiveFile> files_below(const std::filesystem::path& folder);

/// All entries of an archive of write_zip, to be copied from there.
std::vector<ArchiveFile> files_in(const std::filesystem::path& archive);

/// Splits "<file>=<name in the archive>" at the last '='.
ArchiveFile parse_archive_file(const std::string& text);

/// The time that the entries get: SOURCE_DATE_EPOCH (seconds since 1970), or 1980-01-01 for nullptr
/// and for anything earlier, which zip cannot express.
std::chrono::sys_seconds entry_time(const char* source_date_epoch);

/// Writes the archive beside its place and moves it there when it is complete. Throws
/// std::runtime_error for names that would not stay inside the folder an archive is unpacked in, or
/// that occur twice.
void write_zip(const std::filesystem::path& archive, std::vector<ArchiveFile> files,
               std::chrono::sys_seconds time);

/// An error without fault of the archive: no space, or no permission to write.
struct CannotUnpack : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct UnpackLimits {
  std::uintmax_t bytes = 1'000'000'000;   // of all files together
  std::size_t entries = 50'000;           // and of files and folders that are made for them
  std::size_t depth = 100;                // folders in each other
  std::uintmax_t ratio = 200;             // unpacked size over that of the archive,
  std::uintmax_t any_ratio = 50'000'000;  // from this size on
};

/// Unpacks an archive into a folder that is empty or does not exist yet. Throws std::runtime_error
/// that names the archive and the entry for names that lead out of the folder or occur twice,
/// links, devices, encryption, damage and for more than the limits; CannotUnpack where files cannot
/// be written. Then the folder is as it was.
void extract(const std::filesystem::path& archive, const std::filesystem::path& folder,
             const UnpackLimits& limits = {});

}  // namespace mechfmu
