// The signals by which a user, a shell or a batch system ends the program.
#pragma once

#include <csignal>

namespace tideline::support {

// While one exists, the first SIGINT or SIGTERM only sets a flag, which a search polls to end with what it has found so
// far; the second ends the process at once, as if nothing had been installed. Signals belong to the process, and so to
// the program: it makes one and gives a Budget that asks it to what it calls. Several objects at a time all see the
// same requests.
class Interrupt {
public:
    Interrupt();
    ~Interrupt();
    Interrupt(const Interrupt&) = delete;
    Interrupt& operator=(const Interrupt&) = delete;

    // May be asked by any thread.
    [[nodiscard]] bool requested() const;
};

// Lets the process end, without a message, when it writes to a pipe without a reader (`tideline ... | head`).
void end_quietly_on_closed_pipe();

// Lets a write beyond the limit on the size of files fail with EFBIG, as on a full disk, instead of ending the process.
void let_too_large_writes_fail();

}  // namespace tideline::support
