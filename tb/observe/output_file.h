// A result file that is written as the simulation goes.
#pragma once

#include <chrono>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <string_view>

namespace aicore::tb {

/// A result can't be written. what() reads "FILE: cannot write: reason".
class OutputError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// A file under its final name, readable while it grows: what was written is in the file after
/// 64 KB or half a second, whichever comes first. Construct it only after all inputs were checked,
/// because opening it empties what stood there before.
class OutputFile {
public:
    /// Opens the file. Throws OutputError when that fails.
    explicit OutputFile(const std::string& path);
    /// Closes the file; an error at this point is lost, so call close() on the good path.
    ~OutputFile();
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;

    const std::string& path() const { return path_; }

    /// Appends text. Throws OutputError (disk full, file closed).
    void write(std::string_view text);
    /// Hands everything to the operating system.
    void flush();
    /// Flushes and closes. Throws OutputError when the last bytes don't fit.
    void close();
    /// Closes and removes the file, for a run that must leave nothing behind. A device or a pipe
    /// stays where it is.
    void abort() noexcept;

private:
    [[noreturn]] void fail(int error) const;

    std::string path_;
    std::FILE* file_ = nullptr;
    std::string buffer_;
    std::chrono::steady_clock::time_point last_flush_;
};

} // namespace aicore::tb
