#include "successor/native/codegen/transitions.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <map>

#include "successor/native/code_size.hpp"

namespace tideline::successor::codegen {
namespace {

constexpr std::size_t kScanned = 3;      // up to this number, transitions are tested one by one
constexpr std::size_t kWordsInVain = 2;  // successors of up to this number of words are computed speculatively
constexpr std::size_t kInstructionsInVain = 16;

}  // namespace

Transitions::Transitions(Emitter& emitter, PackedState& state, Expressions& expressions)
    : e_(emitter),
      b_(emitter.b),
      model_(emitter.request.model),
      words_(emitter.request.layout.words()),
      state_(state),
      expressions_(expressions),
      effects_(emitter, state, expressions) {
    has_marks_ = !is_observed(model_) && std::any_of(model_.transitions.begin(), model_.transitions.end(),
                                                     [](const model::Transition& t) { return t.marks != 0; });
    for (model::ProcessId p = 0; p < model_.processes.size(); ++p) {
        const std::vector<bool>& committed = model_.processes[p].committed;
        if (model_.observer != p && std::find(committed.begin(), committed.end(), true) != committed.end())
            committing_.push_back(p);
    }
}

void Transitions::build(std::span<const model::TransitionId> transitions, Product product) {
    std::vector<std::vector<RequiredValue>> required;
    for (const model::TransitionId t : transitions) {
        required.push_back(required_values(model_, model_.transitions[t], product != Product::own_candidates));
        std::erase_if(required.back(), [&](const RequiredValue& r) { return state_.is_assumed(r.slot); });
    }
    for (std::size_t begin = 0; begin < transitions.size();) {
        const std::span<const std::vector<RequiredValue>> rest = std::span(required).subspan(begin);
        const CommonSlot common = common_slot(rest);
        const std::size_t count = common.count > kScanned ? common.count : 1;
        if (common.count > kScanned)
            build_jump(common.slot, transitions.subspan(begin, count), rest.first(count), product);
        else build_transition(transitions[begin], product);
        begin += count;
    }
}

void Transitions::build_jump(model::SlotId slot, std::span<const model::TransitionId> transitions,
                             std::span<const std::vector<RequiredValue>> required, Product product) {
    std::map<model::Value, std::vector<model::TransitionId>> by_value;
    for (std::size_t i = 0; i < transitions.size(); ++i) {
        const auto value = std::find_if(required[i].begin(), required[i].end(),
                                        [&](const RequiredValue& r) { return r.slot == slot; });
        by_value[value->value].push_back(transitions[i]);
    }
    const Join end = e_.join_block("end", e_.i64);
    llvm::SwitchInst* jump =
        b_.CreateSwitch(state_.read(slot).value, end.block, static_cast<unsigned>(by_value.size()));
    end.value->addIncoming(part.position, b_.GetInsertBlock());
    llvm::Value* before = part.position;
    for (const auto& [value, list] : by_value) {
        llvm::BasicBlock* here = e_.block("value");
        jump->addCase(b_.getInt64(static_cast<std::uint64_t>(value)), here);
        b_.SetInsertPoint(here);
        part.position = before;
        state_.assume(slot, value);
        build(list, product);
        state_.forget(slot);
        end.value->addIncoming(part.position, b_.GetInsertBlock());
        b_.CreateBr(end.block);
    }
    b_.SetInsertPoint(end.block);
    part.position = end.value;
}

llvm::Value* Transitions::committed_location_occupied() {
    llvm::Value* any = b_.getFalse();
    for (const model::ProcessId p : committing_) {
        const model::Process& process = model_.processes[p];
        for (std::size_t at = 0; at < process.committed.size(); ++at)
            if (process.committed[at]) any = b_.CreateOr(any, is_at(process, static_cast<model::Value>(at)));
    }
    return any;
}

llvm::Value* Transitions::is_at(const model::Process& process, model::Value location) {
    return b_.CreateICmpEQ(state_.read(model_.variables[process.location].first_slot).value, e_.constant(location));
}

void Transitions::require_enabled(const model::Transition& t, Product product) {
    if (product != Product::own_candidates) {
        if (!t.committed && !committing_.empty()) e_.require(b_.CreateNot(part.committed));
        for (std::size_t i = 1; i < t.participants.size(); ++i)
            e_.require(is_at(model_.processes[t.participants[i].process], t.participants[i].from));
    }
    for (const model::Expression& guard : t.guards) e_.require(e_.truth(expressions_.evaluate(guard)));
}

void Transitions::build_transition(model::TransitionId id, Product product) {
    const Join exit = e_.join_block("done", e_.i64);
    FaultSink faults;
    e_.set_exit(exit, part.position);
    e_.set_faults(&faults);
    e_.set_run(part.run, index(), part.position);
    require_enabled(model_.transitions[id], product);
    if (product == Product::successors) build_successor(id);
    else b_.CreateStore(b_.getInt64(id), b_.CreateGEP(e_.i64, part.entries, index()));
    e_.leave(place_behind(id, e_.take_pending()));
    if (faults.block != nullptr) {
        b_.SetInsertPoint(faults.block);
        build_fault(id, product, faults.kind);
        e_.leave(b_.CreateAdd(part.position, b_.getInt64(1)));
    }
    b_.SetInsertPoint(exit.block);
    part.position = exit.value;
}

void Transitions::build_fault(model::TransitionId id, Product product, llvm::Value* kind) {
    if (product != Product::successors) {
        llvm::Value* entry = b_.CreateOr(b_.getInt64(id), b_.CreateShl(b_.CreateZExt(kind, e_.i64), 32));
        b_.CreateStore(entry, b_.CreateGEP(e_.i64, part.entries, index()));
        return;
    }
    store_transition(id);
    llvm::Value* kinds = b_.CreateLoad(e_.pointer, e_.run_member(offsetof(NativeRun, faults)));
    b_.CreateStore(b_.CreateTrunc(kind, e_.i8), b_.CreateGEP(e_.i8, kinds, index()));
    b_.CreateStore(b_.getInt64(1), e_.run_member(offsetof(NativeRun, faulty)));
    if (e_.has_keys_of_successors()) store_key(llvm::ConstantInt::get(e_.i128, 0));
}

void Transitions::build_successor(model::TransitionId id) {
    const model::Transition& t = model_.transitions[id];
    const bool in_vain = words_ <= kWordsInVain && instructions_of(t) <= kInstructionsInVain;
    if (!in_vain) e_.emit_branch();
    state_.begin_successor(b_.CreateGEP(e_.i64, part.entries, b_.CreateMul(index(), b_.getInt64(words_))));
    // Values implied by the guards are known from here on.
    std::vector<model::SlotId> assumed;
    for (const RequiredValue& r : required_values(model_, t, true)) {
        if (state_.is_assumed(r.slot)) continue;
        state_.assume(r.slot, r.value);
        assumed.push_back(r.slot);
    }
    effects_.apply(t);
    for (const model::Participant& p : t.participants)
        if (p.from != p.to)
            state_.write(model_.variables[model_.processes[p.process].location].first_slot, e_.known(p.to));
    if (e_.has_keys_of_successors()) store_key(e_.request.may_change_key[id] ? key_of_successor() : part.key);
    state_.store_successor();
    state_.end_successor();
    for (const model::SlotId slot : assumed) state_.forget(slot);
    store_transition(id);
    if (e_.sleeps()) store_asleep(id);
}

void Transitions::store_asleep(model::TransitionId id) {
    const Commuting& commuting = e_.request.commuting;
    llvm::Value* sets = b_.CreateLoad(e_.pointer, e_.run_member(offsetof(NativeRun, asleep)));
    llvm::Value* with_earlier = b_.CreateOr(part.asleep, b_.getInt64(commuting.before(id)));
    b_.CreateStore(b_.CreateAnd(with_earlier, b_.getInt64(commuting.commutes(id))),
                   b_.CreateGEP(e_.i64, sets, index()));
}

llvm::Value* Transitions::index() {
    return !e_.sleeps() ? part.position : b_.CreateAnd(part.position, b_.getInt64(0xFFFFFFFFU));
}

// A step that sleeps counts in the upper half, so that its entry is overwritten.
llvm::Value* Transitions::place_behind(model::TransitionId id, llvm::Value* condition) {
    llvm::Value* step = condition == nullptr ? b_.getInt64(1) : b_.CreateZExt(condition, e_.i64);
    const SleepSet own = e_.sleeps() ? e_.request.commuting.class_of(id) : 0;
    if (own == 0) return b_.CreateAdd(part.position, step);
    llvm::Value* sleeps =
        b_.CreateAnd(b_.CreateLShr(part.asleep, static_cast<std::uint64_t>(std::countr_zero(own))), b_.getInt64(1));
    return b_.CreateAdd(part.position, b_.CreateShl(step, b_.CreateShl(sleeps, 5)));
}

void Transitions::store_transition(model::TransitionId id) {
    b_.CreateStore(b_.getInt32(id), b_.CreateGEP(e_.i32, part.transitions, index()));
    if (!has_marks_) return;
    llvm::Value* marks = b_.CreateLoad(e_.pointer, e_.run_member(offsetof(NativeRun, marks)));
    b_.CreateStore(b_.getInt64(model_.transitions[id].marks), b_.CreateGEP(e_.i64, marks, index()));
}

void Transitions::store_key(llvm::Value* key) {
    llvm::Value* keys = b_.CreateLoad(e_.pointer, e_.run_member(offsetof(NativeRun, keys)));
    b_.CreateAlignedStore(key, b_.CreateGEP(e_.i128, keys, index()), llvm::Align(16));
}

// A fault here is not one of the model: the measure has no value.
llvm::Value* Transitions::key_of_successor() {
    FaultSink* outer = e_.faults();
    FaultSink faults;
    e_.set_faults(&faults);
    llvm::Value* result = key();
    if (faults.block != nullptr) {
        const llvm::IRBuilderBase::InsertPointGuard guard(b_);
        b_.SetInsertPoint(faults.block);
        e_.give_up(NativeRun::key_undefined, b_.getInt32(0), b_.getInt64(0));
    }
    e_.set_faults(outer);
    return result;
}

llvm::Value* Transitions::key() {
    llvm::Value* result = llvm::ConstantInt::get(e_.i128, 0);
    for (const KeyComponent& component : e_.request.key.components) {
        const Known value = expressions_.evaluate(component.expression);
        llvm::Value* offset = b_.CreateZExt(b_.CreateSub(value.value, e_.constant(component.low)), e_.i128);
        result = b_.CreateOr(
            component.bits >= 128 ? result : b_.CreateShl(result, llvm::ConstantInt::get(e_.i128, component.bits)),
            offset);
    }
    return result;
}

}  // namespace tideline::successor::codegen
