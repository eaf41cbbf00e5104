// The columns of a certificate that prove E psi: what is said of the nodes (state, state of the automaton) of a
// product.
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <vector>

#include "check/ctl/certificate.hpp"
#include "check/ctl/parts.hpp"
#include "check/ctl/work.hpp"

namespace tideline::check::ctl {

class PathCertificate {
public:
    // Numbers of the nodes local * size + q of a part.
    using NodeValues = std::vector<std::uint64_t>;
    enum class What : std::uint8_t { core, rank, number, mark, to };

    PathCertificate(Certificate& certificate, NodeId node, const PathAutomaton& automaton)
        : certificate_(certificate), node_(node), size_(automaton.size()) {
        const auto add = [&](const std::string& what) {
            std::vector<Certificate::Column>& columns = columns_.emplace_back();
            for (std::uint32_t q = 0; q < size_; ++q)
                columns.push_back(certificate.add(what + ' ' + std::to_string(q), node));
        };
        for (const char* what : {"core", "rank", "number", "mark"}) add(what);
        marks_ = mark_count(automaton);
        for (std::size_t m = 0; m < marks_; ++m) add("to " + std::to_string(m));
    }

    // An automaton without marks has one on every edge.
    static std::size_t mark_count(const PathAutomaton& automaton) {
        return automaton.marks() == 0 ? 1 : static_cast<std::size_t>(std::bit_width(automaton.marks()));
    }
    [[nodiscard]] std::size_t marks() const { return marks_; }

    // Larger than all before.
    [[nodiscard]] std::uint64_t next_number() { return ++number_; }
    [[nodiscard]] std::uint64_t next_rank() { return ++rank_; }
    void raise_rank(std::uint64_t rank) { rank_ = std::max(rank_, rank); }

    void write(What what, std::span<const graph::StateRange> ranges, const NodeValues& values, Work& work,
               std::size_t mark = 0) {
        constexpr std::uint64_t kTogether = std::uint64_t{1} << 16U;
        const std::vector<Certificate::Column>& columns = columns_[static_cast<std::size_t>(what) + mark];
        for (std::uint32_t q = 0; q < size_; ++q) {
            std::uint64_t local = 0;
            for (const graph::StateRange& range : ranges) {
                for (std::uint64_t done = 0; done < range.count; done += block_.size()) {
                    work.check();
                    block_.resize(std::min(kTogether, range.count - done));
                    for (std::uint64_t& value : block_) value = values[local++ * size_ + q];
                    certificate_.write(columns[q], range.first + done, block_);
                }
            }
        }
    }
    // All columns of bits, when everything is decided: by state of the automaton, and of the formula itself.
    void finish(const std::vector<Bits>& good, const Bits& result) {
        for (std::uint32_t q = 0; q < size_; ++q)
            certificate_.write(certificate_.add("good " + std::to_string(q), node_), good[q]);
        certificate_.write(certificate_.add("bits", node_), result);
    }

private:
    Certificate& certificate_;
    NodeId node_;
    std::uint32_t size_;
    std::size_t marks_ = 1;
    std::vector<std::vector<Certificate::Column>>
        columns_;  // by What, those of `to` by mark; by state of the automaton
    std::uint64_t number_ = 0;
    std::uint64_t rank_ = 0;
    std::vector<std::uint64_t> block_;
};

}  // namespace tideline::check::ctl
