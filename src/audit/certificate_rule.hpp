// What a part of a certificate has to satisfy, in a form in which it can be checked with bounded memory: what a column
// says of the target of an edge becomes messages to the source, and a source is looked at when it has all of its
// messages.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "audit/membership.hpp"
#include "audit/range_values.hpp"

namespace tideline::audit {

struct Message {
    std::uint64_t source = 0;  // a state
    std::uint32_t node = 0;    // of an automaton, where there is one
    std::uint16_t kind = 0;
    std::uint8_t flags = 0;
    std::uint8_t mark = 0;
    std::uint64_t first = 0;
    std::uint64_t second = 0;
};

class CertificateRule {
public:
    using Deliver = std::function<void(const Message&)>;

    explicit CertificateRule(RangeValues& values) : values_(values) {}
    virtual ~CertificateRule() = default;
    CertificateRule(const CertificateRule&) = delete;
    CertificateRule& operator=(const CertificateRule&) = delete;

    // Targets of edges are in this range from now on.
    virtual void load_targets(const StateRange& range) = 0;
    // What the edge brings to its source.
    virtual void emit(std::uint64_t source, std::uint64_t target, const Deliver& deliver) = 0;
    // Messages are for sources of this range from now on.
    virtual void load_sources(const StateRange& range) = 0;
    virtual void receive(const Message& message) = 0;
    // All messages of the range have come.
    virtual void finish() = 0;

    // States where the rule is broken.
    [[nodiscard]] const Tally& wrong() const { return wrong_; }

protected:
    RangeValues& values_;
    Tally wrong_;
};

// One operation of CTL; of EG true on the relation as it is where `formula` is nothing.
[[nodiscard]] std::unique_ptr<CertificateRule> operation_rule(RangeValues& values,
                                                              std::optional<logic::Formula> formula);
// A quantifier over a path formula that is no operation of CTL.
[[nodiscard]] std::unique_ptr<CertificateRule> path_rule(RangeValues& values, logic::Formula formula);

}  // namespace tideline::audit
