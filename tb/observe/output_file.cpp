#include "tb/observe/output_file.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

namespace aicore::tb {
namespace {

constexpr std::size_t kFlushBytes = 64 * 1024;
constexpr std::chrono::milliseconds kFlushPeriod{500};

} // namespace

OutputFile::OutputFile(const std::string& path)
    : path_(path), last_flush_(std::chrono::steady_clock::now()) {
    file_ = std::fopen(path_.c_str(), "wb");
    if (file_ == nullptr) fail(errno);
    // One buffer is enough: this class collects the text itself.
    std::setvbuf(file_, nullptr, _IONBF, 0);
    buffer_.reserve(kFlushBytes + 4096);
}

OutputFile::~OutputFile() {
    try {
        if (file_ != nullptr) close();
    } catch (const OutputError&) {
        // A destructor has nobody to tell.
    }
}

void OutputFile::write(std::string_view text) {
    if (file_ == nullptr) fail(EBADF);
    buffer_.append(text);
    if (buffer_.size() >= kFlushBytes ||
        std::chrono::steady_clock::now() - last_flush_ >= kFlushPeriod) {
        flush();
    }
}

void OutputFile::flush() {
    if (file_ == nullptr) fail(EBADF);
    const std::size_t size = buffer_.size();
    const std::size_t written = std::fwrite(buffer_.data(), 1, size, file_);
    const int error = errno;
    buffer_.clear();
    last_flush_ = std::chrono::steady_clock::now();
    if (written != size) fail(error);
}

void OutputFile::close() {
    flush();
    std::FILE* file = file_;
    file_ = nullptr;
    if (std::fclose(file) != 0) fail(errno);
}

void OutputFile::abort() noexcept {
    if (file_ == nullptr) return;
    std::fclose(file_);
    file_ = nullptr;
    std::error_code ignored;
    if (std::filesystem::is_regular_file(path_, ignored)) std::filesystem::remove(path_, ignored);
}

void OutputFile::fail(int error) const {
    throw OutputError(path_ + ": cannot write: " + std::strerror(error));
}

} // namespace aicore::tb
