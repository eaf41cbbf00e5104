// The representative of a state's class: of the states that symmetries make of it, the least that the search below
// finds.
//
// Permutations of a class of exchangeable processes sort its blocks (what lies in the columns of one process). Names of
// processes, in variables and blocks, must not decide the order, since they change with it: blocks are compared by what
// they hold but names, by which variables name them, and, again and again, by the ranks of those that they name
// (colour refinement). Blocks that stay equal, and that others name, are tried in every order, as nauty does it with
// vertices; kMostOrders bounds that. The rest of the group is tried element by element where it was enumerated, and by
// descent along generators where not.
//
// Every result is a renaming of the state, so that a search with it is right in any case; where a bound was met, two
// representatives of one class may be visited.
#pragma once

#include <memory>
#include <vector>

#include "reduce/symmetry_group.hpp"

namespace tideline::reduce {

// For one thread.
class Representative {
public:
    static constexpr std::size_t kMostOrders = 720;

    explicit Representative(std::shared_ptr<const SymmetryGroup> group);

    // The slots whose values are read, and may change.
    [[nodiscard]] const std::vector<model::SlotId>& slots() const { return slots_; }
    // Values by slot, of which only slots() matter; replaced. Whether any of them changed.
    bool replace(model::Value* values);
    // Whether the last state's representative is the least of its class for certain.
    [[nodiscard]] bool is_least() const { return is_least_; }
    // What made the last state its representative; slow.
    [[nodiscard]] Renaming renaming() const;

private:
    using Ranks = std::vector<std::uint32_t>;  // by block: how many of its class come before it for certain
    struct Name {
        std::uint32_t block = 0;
        std::uint32_t column = 0;
    };
    struct Domain {
        model::Value low = 0;
        std::vector<std::int32_t> blocks;   // by value - low: the block that it names, -1: none
        std::vector<std::int32_t> columns;  // which of its names
    };
    struct Block {
        std::uint32_t class_number = 0;
        std::uint32_t index = 0;
    };

    [[nodiscard]] const Domain* names_in(model::SlotId slot) const { return domain_of_[slot]; }
    [[nodiscard]] static std::int32_t at(const Domain& domain, const std::vector<std::int32_t>& of,
                                         model::Value value) {
        const std::uint64_t offset = static_cast<std::uint64_t>(value) - static_cast<std::uint64_t>(domain.low);
        return offset < of.size() ? of[offset] : -1;
    }
    void sort_classes(model::Value* values);
    void sort_without_names(model::Value* values);
    void sort_with_names(model::Value* values);
    void refine(const model::Value* values, Ranks& ranks);
    bool refine_once(const model::Value* values, Ranks& ranks);
    void sign(const model::Value* values, const Ranks& ranks);
    void try_orders(const model::Value* values, std::size_t depth);
    [[nodiscard]] std::int32_t undecided(const model::Value* values, const Ranks& ranks);
    void place(const Ranks& ranks);
    void permute(const model::Value* from, model::Value* to);
    [[nodiscard]] bool is_less(const model::Value* a, const model::Value* b) const;
    void remember(const std::vector<std::size_t>& others);

    std::shared_ptr<const SymmetryGroup> group_;
    std::vector<model::SlotId> slots_;
    std::vector<Domain> domains_;
    std::vector<const Domain*> domain_of_;          // by slot; null: it holds no names
    std::vector<model::SlotId> global_names_;       // slots outside of columns that hold names
    std::vector<Block> blocks_;                     // of all classes, one after the other
    std::vector<std::uint32_t> first_block_;        // by class
    std::vector<std::vector<model::Value>> named_;  // by block and column of names: the value
    bool has_names_ = false;

    // Of the state at hand.
    std::vector<std::vector<model::Value>> signatures_;  // by block
    std::vector<std::uint32_t> order_;
    std::vector<Ranks> ranks_;             // by depth of the search for an order
    std::vector<std::uint32_t> position_;  // by block: its index afterwards
    std::vector<std::uint32_t> best_position_;
    std::vector<model::Value> candidate_;
    std::vector<model::Value> best_;
    std::vector<model::Value> start_;
    std::vector<model::Value> renamed_;
    bool has_best_ = false;
    std::size_t orders_ = 0;
    bool is_least_ = true;
    // What was done to the last state: others of the group, each followed by a permutation of blocks.
    struct Done {
        std::int32_t other = -1;
        std::vector<std::uint32_t> position;
    };
    std::vector<Done> done_;
};

}  // namespace tideline::reduce
