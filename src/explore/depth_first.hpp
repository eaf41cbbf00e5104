// Depth-first walk: a stack of the states to be entered, with those on the current path marked. A successor that is not
// known is put on the stack and becomes known when it comes to the top and is entered, so the order is that of a
// recursive search (first successor first); one that was entered meanwhile is passed over.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstring>
#include <vector>

#include "explore/walk.hpp"
#include "store/state_table.hpp"

namespace tideline::explore {

class DepthFirst {
public:
    static constexpr WalkTraits kTraits{.order = ExpansionOrder::depth};

    class Partition {
    public:
        Partition(const successor::System& system, const store::MemoryBudget& try_reserve)
            : try_reserve_(&try_reserve), table_(system.state_words(), system.state_bytes(), try_reserve) {}

        void insert_initial(const successor::Word* state, std::uint64_t /*hash*/, successor::Key /*key*/) {
            fan_.insert(fan_.end(), state, state + table_.state_words());
        }

        // Enters the next state.
        std::size_t pop_batch(successor::Word* states, successor::SleepSet* /*asleep*/, std::size_t /*most*/) {
            for (; !on_path_.empty(); drop_top()) {
                if (on_path_.back()) {
                    --path_length_;
                    continue;
                }
                read(on_path_.size() - 1, states);
                if (!table_.insert(states, successor::hash_state(states, table_.state_words()))) continue;
                on_path_.back() = true;
                deepest_ = std::max(deepest_, ++path_length_);
                return 1;
            }
            return 0;
        }

        template <class Pick>
        void insert_successors(const successor::SuccessorBatch& batch, std::size_t count, Pick pick,
                               std::vector<std::uint32_t>& /*discovered*/) {
            for (std::size_t j = 0; j < count; ++j) table_.prefetch(batch.hash(pick(j)));
            for (std::size_t j = 0; j < count; ++j) {
                const std::size_t i = pick(j);
                if (!table_.contains(batch.state(i), batch.hash(i)))
                    fan_.insert(fan_.end(), batch.state(i), batch.state(i) + table_.state_words());
            }
        }

        // The successors of the state that was entered are known: the first one is to be entered first.
        void expanded() {
            const std::size_t words = table_.state_words();
            for (std::size_t end = fan_.size(); end > 0; end -= words) push(fan_.data() + end - words);
            fan_.clear();
        }

        void repack(std::size_t words, std::size_t bytes,
                    const std::function<void(const successor::Word*, successor::Word*)>& translate) {
            std::vector<successor::Word> from(table_.state_words());
            std::vector<successor::Word> to(words);
            support::Mapping stack(std::max<std::size_t>(on_path_.size() * bytes, 1));
            for (std::size_t i = 0; i < on_path_.size(); ++i) {
                read(i, from.data());
                translate(from.data(), to.data());
                std::memcpy(stack.data() + i * bytes, to.data(), bytes);
            }
            std::vector<successor::Word> fan;
            for (std::size_t at = 0; at < fan_.size(); at += from.size()) {
                translate(fan_.data() + at, to.data());
                fan.insert(fan.end(), to.begin(), to.end());
            }
            stack_ = std::move(stack);
            stack_permitted_ = stack_.bytes();
            fan_ = std::move(fan);
            table_.repack(words, bytes, translate);
        }

        // The states from an initial one to the one that was entered last, one behind the other.
        [[nodiscard]] std::vector<successor::Word> path() const {
            const std::size_t words = table_.state_words();
            std::vector<successor::Word> result(path_length_ * words);
            std::size_t at = 0;
            for (std::size_t i = 0; i < on_path_.size(); ++i) {
                if (!on_path_[i]) continue;
                read(i, result.data() + at);
                at += words;
            }
            assert(at == result.size());
            return result;
        }
        [[nodiscard]] std::uint64_t path_length() const { return path_length_; }

    private:
        friend class DepthFirst;
        static constexpr std::size_t kStep = std::size_t{1} << 20U;  // by which the stack asks for more

        void push(const successor::Word* state) {
            const std::size_t bytes = table_.state_bytes();
            const std::size_t wanted = (on_path_.size() + 1) * bytes;
            if (wanted > stack_permitted_) reserve(wanted);
            std::memcpy(stack_.data() + on_path_.size() * bytes, state, bytes);
            on_path_.push_back(false);
        }
        void reserve(std::size_t wanted) {
            const std::size_t more = wanted < kStep ? wanted * 2 : wanted + kStep;
            if (more > kStep && !(*try_reserve_)(more - stack_permitted_)) throw std::bad_alloc();
            if (more > stack_.bytes()) stack_.grow(std::max(more, stack_.bytes() * 2));
            stack_permitted_ = more;
        }
        void drop_top() { on_path_.pop_back(); }
        void read(std::size_t i, successor::Word* state) const {
            state[table_.state_words() - 1] = 0;
            std::memcpy(state, stack_.data() + i * table_.state_bytes(), table_.state_bytes());
        }

        const store::MemoryBudget* try_reserve_;
        store::StateTable table_;
        support::Mapping stack_;  // states one behind the other; address space that is not touched costs nothing
        std::size_t stack_permitted_ = 0;
        std::vector<bool> on_path_;         // of each state on the stack
        std::vector<successor::Word> fan_;  // successors of the state that was entered last
        std::uint64_t path_length_ = 0;
        std::uint64_t deepest_ = 0;
    };

    explicit DepthFirst(const WalkSetup& setup) : share_(setup.system, setup.try_reserve) {}

    [[nodiscard]] Partition& partition(std::size_t /*i*/) { return share_; }
    void repack(const successor::System& wider, const successor::Repacking& translate, Owner /*owner*/) {
        share_.repack(wider.state_words(), wider.state_bytes(), translate);
    }
    bool advance(Owner /*owner*/) {
        const bool first = first_;
        first_ = false;
        if (first) share_.expanded();  // the initial states come like successors, the first one first
        return first;
    }
    [[nodiscard]] std::uint64_t states() const { return share_.table_.size(); }
    [[nodiscard]] std::uint64_t ready() const { return share_.on_path_.size() - share_.path_length_; }

    void count(Statistics& statistics) {
        statistics.states = states();
        statistics.peak_states = statistics.states;
        statistics.waiting = share_.on_path_.size() - share_.path_length_;
        statistics.depth = share_.deepest_;
        statistics.layers = 1;
    }

private:
    Partition share_;
    bool first_ = true;
};

}  // namespace tideline::explore
