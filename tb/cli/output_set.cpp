#include "tb/cli/output_set.h"

#include "hw/config/strict_yaml.h"

#include <cerrno>
#include <cstring>
#include <filesystem>

#include <unistd.h>

namespace aicore::tb {
namespace {

namespace fs = std::filesystem;

/// Looks without touching: opening would empty a file that is there.
void require_writable(const std::string& path) {
    const auto fail = [&path](int error) {
        throw InputError(path + ": cannot write: " + std::strerror(error));
    };
    std::error_code ignored;
    if (fs::is_directory(path, ignored)) fail(EISDIR);
    if (fs::exists(path, ignored)) {
        if (access(path.c_str(), W_OK) != 0) fail(errno);
        return;
    }
    const fs::path directory = fs::path(path).parent_path();
    const std::string parent = directory.empty() ? "." : directory.string();
    if (access(parent.c_str(), W_OK | X_OK) != 0) fail(errno);
}

} // namespace

OutputSet::OutputSet(const std::vector<OutputRequest>& requests) {
    for (const OutputRequest& request : requests) {
        if (request.path.empty()) continue;
        for (const OutputRequest& other : requests_) {
            const bool is_same = fs::absolute(other.path).lexically_normal() ==
                                 fs::absolute(request.path).lexically_normal();
            if (is_same) {
                throw InputError(request.path + ": named for the " + other.what + " and for the " +
                                 request.what);
            }
        }
        requests_.push_back(request);
    }
    for (const OutputRequest& request : requests_) require_writable(request.path);
    try {
        for (const OutputRequest& request : requests_) {
            files_.push_back(std::make_unique<OutputFile>(request.path));
        }
    } catch (const OutputError& error) {
        abort();
        throw InputError(error.what());
    }
}

OutputSet::~OutputSet() { abort(); }

void OutputSet::abort() noexcept {
    for (const std::unique_ptr<OutputFile>& file : files_) file->abort();
}

OutputFile* OutputSet::find(const std::string& what) {
    for (std::size_t i = 0; i < requests_.size(); ++i) {
        if (requests_[i].what == what) return files_[i].get();
    }
    return nullptr;
}

void OutputSet::close() {
    for (const std::unique_ptr<OutputFile>& file : files_) file->close();
}

} // namespace aicore::tb
