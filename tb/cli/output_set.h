// The files that a run writes: all of them or none.
#pragma once

#include "tb/observe/output_file.h"

#include <memory>
#include <string>
#include <vector>

namespace aicore::tb {

/// A file to write.
struct OutputRequest {
    std::string what; ///< "timeline"
    std::string path; ///< empty: not wanted
};

/// Opens the files when all of them can be written, and keeps them only when the run reaches its
/// end: files that are not closed by close() are removed.
class OutputSet {
public:
    /// Throws InputError when a file can't be written or two have one path; no file is touched
    /// then.
    explicit OutputSet(const std::vector<OutputRequest>& requests);
    ~OutputSet();
    OutputSet(const OutputSet&) = delete;
    OutputSet& operator=(const OutputSet&) = delete;

    /// The file of a request, null when it is not wanted.
    OutputFile* find(const std::string& what);
    /// Completes all files. Throws OutputError (disk full).
    void close();
    /// The wanted requests.
    const std::vector<OutputRequest>& requests() const { return requests_; }

private:
    void abort() noexcept;

    std::vector<OutputRequest> requests_;
    std::vector<std::unique_ptr<OutputFile>> files_; ///< of requests_
};

} // namespace aicore::tb
