// Which channels a chan variable can hold: a flow-insensitive analysis (Andersen's) over assignments, arguments of run,
// initial values, and messages that carry channels. Elements of an array and fields of a structure are not told apart.
// A statement on a channel variable becomes one transition per channel that the variable can hold.
#pragma once

#include <map>
#include <set>
#include <utility>

#include "input/promela/slots.hpp"

namespace tideline::input::promela {

class ChannelFlow {
public:
    explicit ChannelFlow(const Program& program);

    // The declarations whose channels a variable can hold.
    [[nodiscard]] const std::set<VariableKey>& origins(VariableKey variable) const;

private:
    using Origins = std::set<VariableKey>;
    void statements(const Sequence& sequence, std::uint32_t process);
    void expression(const Expr& expr, std::uint32_t process);
    [[nodiscard]] Origins value(const Expr& expr, std::uint32_t process) const;
    void flow(const Origins& from, Origins& into);
    static VariableKey key(const Reference& reference, std::uint32_t process);

    const Program& program_;
    std::map<VariableKey, Origins> variables_;
    std::map<std::pair<VariableKey, std::size_t>, Origins> fields_;  // of messages, by the channel's declaration
    Origins all_;
    bool changed_ = false;
};

}  // namespace tideline::input::promela
