// How a system written in C++ describes a state: values and labels by name. Traces, invariants, formulas and measures
// use them.
#pragma once

#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "model/model.hpp"

namespace tideline::successor {

class Description {
public:
    // A number, an array of numbers, or a truth value. Every state must give the same names in the same order, arrays
    // with the same length.
    void value(std::string_view name, model::Value value) { add(name, value); }
    template <class Numbers>
    void values(std::string_view name, const Numbers& numbers) {
        if (collecting_) begin_array(name);
        // Every state has as many: mostly there is room already.
        if constexpr (requires { std::size(numbers); }) {
            if (end_ + std::size(numbers) <= slots_.size()) {
                if (wants_some_ && !wants_any(end_ + std::size(numbers))) {
                    end_ += std::size(numbers);
                    return;
                }
                model::Value* to = slots_.data() + end_;
                for (const auto& number : numbers) *to++ = static_cast<model::Value>(number);
                end_ += std::size(numbers);
                return;
            }
        }
        for (const auto& number : numbers) put(static_cast<model::Value>(number));
        if (collecting_) end_array();
    }
    void label(std::string_view name, bool holds) { add(name, holds ? 1 : 0); }

    // Only these slots, ascending, are looked at: arrays without any of them need not be copied.
    void want_only(std::vector<model::SlotId> slots) {
        wanted_ = std::move(slots);
        wants_some_ = true;
    }

    // The names as a model without transitions, for the parser of expressions.
    static std::shared_ptr<const model::Model> names_as_model(const Description& first);

    // Empties it; the argument says whether names are wanted too.
    void restart(bool collect_names) {
        collecting_ = collect_names;
        if (collect_names) slots_.clear();
        end_ = next_wanted_ = 0;
        entries_.clear();
    }
    [[nodiscard]] const std::vector<model::Value>& slots() const {
        if (slots_.size() != end_) slots_.resize(end_);
        return slots_;
    }

private:
    struct Entry {
        std::string name;
        bool array = false;
        std::size_t begin = 0;
        std::size_t end = 0;
    };

    // Inline: a class has a call for each name, and is asked for millions of states.
    [[gnu::always_inline]] void add(std::string_view name, model::Value value) {
        if (!collecting_ && end_ < slots_.size()) [[likely]] {
            slots_[end_++] = value;
            return;
        }
        add_new(name, value);
    }
    void add_new(std::string_view name, model::Value value) {
        if (collecting_) entries_.push_back({std::string(name), false, end_, end_ + 1});
        put(value);
    }
    void put(model::Value value) {
        if (end_ < slots_.size()) slots_[end_] = value;
        else slots_.push_back(value);
        ++end_;
    }
    // From the end so far on.
    [[nodiscard]] bool wants_any(std::size_t before) {
        while (next_wanted_ < wanted_.size() && wanted_[next_wanted_] < end_) ++next_wanted_;
        return next_wanted_ < wanted_.size() && wanted_[next_wanted_] < before;
    }
    void begin_array(std::string_view name) { entries_.push_back({std::string(name), true, end_, end_}); }
    void end_array() { entries_.back().end = end_; }

    bool collecting_ = false;
    mutable std::vector<model::Value> slots_;  // behind the end are those of another state
    std::size_t end_ = 0;
    std::vector<Entry> entries_;
    bool wants_some_ = false;
    std::vector<model::SlotId> wanted_;
    std::size_t next_wanted_ = 0;
};

}  // namespace tideline::successor
