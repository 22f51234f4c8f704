// A std::ostream that writes to an OutputFile.
#pragma once

#include "tb/observe/output_file.h"

#include <ostream>
#include <streambuf>

namespace aicore::tb {

/// Throws what the file throws. The file must outlive the stream.
class OutputStream : public std::ostream {
public:
    explicit OutputStream(OutputFile& file) : std::ostream(nullptr), buffer_(file) {
        rdbuf(&buffer_);
        exceptions(std::ios::badbit);
    }

private:
    class Buffer : public std::streambuf {
    public:
        explicit Buffer(OutputFile& file) : file_(file) {}

    private:
        std::streamsize xsputn(const char* text, std::streamsize count) override {
            file_.write({text, static_cast<std::size_t>(count)});
            return count;
        }
        int_type overflow(int_type character) override {
            const char text = traits_type::to_char_type(character);
            file_.write({&text, 1});
            return character;
        }

        OutputFile& file_;
    };

    Buffer buffer_;
};

} // namespace aicore::tb
