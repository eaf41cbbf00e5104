// The tideline program.
#include <cstdio>
#include <exception>
#include <new>

#include "check/reachability.hpp"
#include "cli/commands.hpp"
#include "cli/session.hpp"
#include "support/signals.hpp"

namespace {

int run(const tideline::Refusal& refusal) {
    std::fputs(refusal.text.c_str(), refusal.status == 0 ? stdout : stderr);
    return refusal.status;
}

}  // namespace

int main(int argc, char** argv) {
    using namespace tideline;
    end_quietly_on_closed_pipe();
    try {
        return std::visit([](const auto& command) { return run(command); }, parse_command_line(argc, argv));
    } catch (const UnconfirmedTrace& fault) {
        std::fprintf(stderr, "tideline: internal error: a trace was found that the reference implementation does not confirm: %s\n"
                             "  No verdict is given. Please report this with the model.\n", fault.what());
    } catch (const std::bad_alloc&) {
        std::fprintf(stderr, "tideline: error: out of memory\n");
        return kUndecided;
    } catch (const std::exception& fault) {
        std::fprintf(stderr, "tideline: internal error: %s\n", fault.what());
    }
    return kProgramFault;
}
