// Folders that are kept in a cache, each by a name that stands for all that it is made of. An entry appears complete or
// not at all, and notes what is in it: one that is damaged, or made of files that have changed since, is no entry.
//
//   <cache>/<name>/…            what is kept
//   <cache>/<name>/contents     hash of the lines below it; then, a line each, hash and path: in the entry, or of a source
//   <cache>/lock                held while an entry is replaced
//   <cache>/mechfmu_XXXXXX      an entry on its way

#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace mechfmu {

/// FNV-1a, 64 bits, as 16 digits.
std::string hash_of(const std::string& text);
/// Empty where there is no such file.
std::string content_of(const std::filesystem::path& path);

/// Whether what is kept there is complete, and made of sources as they are now.
bool is_current(const std::filesystem::path& entry);
/// Those sources, of an entry that is current.
std::vector<std::filesystem::path> sources_of(const std::filesystem::path& entry);

/// Keeps a copy of a folder and forgets all but the `most_kept` entries that were used last. Where another program has
/// kept the same in the meantime, that stays. False where nothing could be kept.
bool keep_entry(const std::filesystem::path& cache, const std::string& name,
                const std::filesystem::path& folder,
                const std::vector<std::filesystem::path>& sources, std::size_t most_kept);

}  // namespace mechfmu
