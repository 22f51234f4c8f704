#include "tb/validate/forked_task.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <stdexcept>
#include <system_error>

#include <sys/wait.h>
#include <unistd.h>

namespace aicore::tb {
namespace {

// First character of what a child sends: how its work ended.
constexpr char kResult = 'r', kError = 'e';

void write_all(int file, const std::string& text) {
    std::size_t done = 0;
    while (done < text.size()) {
        const ssize_t written = write(file, text.data() + done, text.size() - done);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) _exit(EXIT_FAILURE); // nobody is listening any more
        done += static_cast<std::size_t>(written);
    }
}

/// Before a fork, or the child would print what waits in the buffers once more.
void flush_output() {
    std::cout.flush();
    std::fflush(nullptr);
}

[[noreturn]] void run_child(const std::function<std::string()>& work, int write_end) {
    std::string message;
    try {
        message = kResult + work();
    } catch (const std::exception& error) {
        message = kError + std::string(error.what());
    }
    write_all(write_end, message);
    flush_output();
    _exit(EXIT_SUCCESS); // static objects belong to the parent
}

std::string read_all(int file) {
    std::string text;
    std::array<char, 4096> buffer{};
    while (true) {
        const ssize_t count = read(file, buffer.data(), buffer.size());
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return text;
        text.append(buffer.data(), static_cast<std::size_t>(count));
    }
}

} // namespace

ForkedTask::ForkedTask(const std::function<std::string()>& work) {
    std::array<int, 2> ends{};
    if (pipe(ends.data()) != 0) throw std::system_error(errno, std::generic_category(), "pipe");
    flush_output();
    child_ = fork();
    if (child_ < 0) {
        const int reason = errno;
        close(ends[0]);
        close(ends[1]);
        throw std::system_error(reason, std::generic_category(), "fork");
    }
    if (child_ == 0) {
        close(ends[0]);
        run_child(work, ends[1]);
    }
    close(ends[1]);
    read_end_ = ends[0];
}

ForkedTask::~ForkedTask() {
    if (child_ < 0) return;
    close(read_end_);
    kill(child_, SIGKILL);
    waitpid(child_, nullptr, 0);
}

std::string ForkedTask::result() {
    const std::string message = read_all(read_end_);
    close(read_end_);
    int status = 0;
    while (waitpid(child_, &status, 0) < 0 && errno == EINTR) {
    }
    child_ = -1;
    if (WIFSIGNALED(status)) {
        throw std::runtime_error(std::string("a simulation died: ") + strsignal(WTERMSIG(status)));
    }
    if (message.empty()) throw std::runtime_error("a simulation ended without a result");
    if (message.front() == kError) throw std::runtime_error(message.substr(1));
    return message.substr(1);
}

} // namespace aicore::tb
