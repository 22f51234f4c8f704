// A bounded first-in first-out buffer without allocation after construction.
#pragma once

#include <cstddef>
#include <vector>

namespace aicore {

template <typename T>
class Ring {
public:
    explicit Ring(std::size_t capacity) : slots_(capacity) {}

    std::size_t size() const { return count_; }
    std::size_t capacity() const { return slots_.size(); }
    bool empty() const { return count_ == 0; }
    bool full() const { return count_ == slots_.size(); }

    T& push(const T& value) {
        T& slot = slots_[(head_ + count_) % slots_.size()];
        slot = value;
        ++count_;
        return slot;
    }
    void pop() {
        head_ = (head_ + 1) % slots_.size();
        --count_;
    }
    void clear() {
        head_ = 0;
        count_ = 0;
    }

    T& front() { return slots_[head_]; }
    const T& front() const { return slots_[head_]; }
    T& back() { return (*this)[count_ - 1]; }
    T& operator[](std::size_t i) { return slots_[(head_ + i) % slots_.size()]; }
    const T& operator[](std::size_t i) const { return slots_[(head_ + i) % slots_.size()]; }

private:
    std::vector<T> slots_;
    std::size_t head_ = 0;
    std::size_t count_ = 0;
};

} // namespace aicore
