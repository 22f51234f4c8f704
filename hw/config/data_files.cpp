#include "hw/config/data_files.h"

#include "hw/config/strict_yaml.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <vector>

namespace aicore {

namespace {

namespace fs = std::filesystem;

std::vector<fs::path> data_directories() {
    const char* const chosen = std::getenv("AICORE_SC_DATA");
    if (chosen && *chosen != '\0') return {chosen};
    std::vector<fs::path> directories;
    std::error_code no_link; // without /proc there is no installed place to look at
    const fs::path executable = fs::read_symlink("/proc/self/exe", no_link);
    if (!no_link) {
        directories.push_back(executable.parent_path().parent_path() / "share" / "aicore-sc");
    }
    directories.emplace_back(AICORE_SOURCE_DIR);
    return directories;
}

} // namespace

std::string find_data_file(const std::string& name) {
    std::string looked_at;
    for (const fs::path& directory : data_directories()) {
        const fs::path file = directory / name;
        std::error_code not_there;
        if (fs::is_regular_file(file, not_there)) return file.string();
        looked_at += (looked_at.empty() ? "" : ", ") + directory.string();
    }
    throw InputError(name + ": not found in " + looked_at);
}

std::string find_platform_file(const std::string& wanted) {
    if (wanted.empty() || wanted == "2201") return find_data_file("platform.yaml");
    const bool is_number =
        std::all_of(wanted.begin(), wanted.end(), [](char c) { return c >= '0' && c <= '9'; });
    return is_number ? find_data_file("hw/config/platforms/" + wanted + ".yaml") : wanted;
}

} // namespace aicore
