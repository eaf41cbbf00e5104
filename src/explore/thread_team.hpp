// The threads of a search. All are started before the search is set up, so that it knows how many it has: the system
// may refuse to start one (a limit on processes or on the address space). Those that did start wait behind a latch
// until they are let in, or dismissed.
#pragma once

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>
#include <vector>

namespace tideline::explore {

// How a thread is started: throws std::system_error where the system refuses.
using StartThread = std::function<std::thread(std::function<void()>)>;

class ThreadTeam {
public:
    // The caller is one of `wanted` threads. Where one cannot be started, the system is at its limits: half of those
    // that did start are dismissed, so that there is room for what they would work on.
    explicit ThreadTeam(unsigned wanted, const StartThread& start = {}) {
        try {
            threads_.reserve(wanted - 1);
            for (unsigned i = 1; i < wanted; ++i) {
                const auto wait = [this, i] { wait_and_work(i); };
                threads_.push_back(start ? start(wait) : std::thread(wait));
            }
        } catch (const std::system_error&) {
            dismiss((threads_.size() + 1) / 2);
        } catch (const std::bad_alloc&) {
            dismiss((threads_.size() + 1) / 2);
        }
        refused_ = wanted - size();
    }
    ThreadTeam(const ThreadTeam&) = delete;
    ThreadTeam& operator=(const ThreadTeam&) = delete;
    ~ThreadTeam() { dismiss(1); }

    // With the caller.
    [[nodiscard]] unsigned size() const { return static_cast<unsigned>(threads_.size()) + 1; }
    [[nodiscard]] unsigned refused() const { return refused_; }

    // Once: part(i) in every thread, in the caller with i = 0; returns when all have returned. `part` must not throw.
    void run(const std::function<void(unsigned)>& part) {
        {
            const std::lock_guard lock(mutex_);
            part_ = &part;
        }
        changed_.notify_all();
        part(0);
        dismiss(1);
    }

private:
    // Keeps `size` threads, the caller among them. One that has been let in ends when its part does.
    void dismiss(std::size_t size) {
        const std::size_t kept = std::max<std::size_t>(size, 1) - 1;
        {
            const std::lock_guard lock(mutex_);
            kept_ = kept;
        }
        changed_.notify_all();
        for (std::size_t i = kept; i < threads_.size(); ++i) threads_[i].join();
        threads_.resize(std::min(kept, threads_.size()));
    }

    void wait_and_work(unsigned i) {
        const std::function<void(unsigned)>* part = nullptr;
        {
            std::unique_lock lock(mutex_);
            changed_.wait(lock, [&] { return part_ != nullptr || i > kept_; });
            part = part_;
        }
        if (part != nullptr) (*part)(i);
    }

    std::mutex mutex_;
    std::condition_variable changed_;
    const std::function<void(unsigned)>* part_ = nullptr;
    std::size_t kept_ = static_cast<std::size_t>(-1);
    std::vector<std::thread> threads_;
    unsigned refused_ = 0;
};

}  // namespace tideline::explore
