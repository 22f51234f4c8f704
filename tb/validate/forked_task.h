// Work in a process of its own.
#pragma once

#include <functional>
#include <string>

#include <sys/types.h>

namespace aicore::tb {

/// SystemC allows one elaboration in a process. Rows on different platforms therefore run in child
/// processes, forked before this process has elaborated anything; they run side by side.
class ForkedTask {
public:
    /// Starts `work` in a child; its text comes back as the result. Throws std::system_error.
    explicit ForkedTask(const std::function<std::string()>& work);
    /// Ends a child whose result nobody asked for.
    ~ForkedTask();
    ForkedTask(const ForkedTask&) = delete;
    ForkedTask& operator=(const ForkedTask&) = delete;

    /// Waits for the child. Throws std::runtime_error with the message of the exception that ended
    /// the work, or when the child died. Once only.
    std::string result();

private:
    pid_t child_ = -1;
    int read_end_ = -1;
};

} // namespace aicore::tb
