// One function per process: a jump on its location, then the transitions that leave it, in the order of the
// interpreter. They are called one after the other by `expand`, for each source in turn. LLVM merges them into one
// where that is not too large; where it would be, its time would grow faster than the code. The functions of a large
// model are of bounded size, and are handed over as soon as they fill a unit. So compiling takes time in proportion to
// the model, its memory does not grow, and it can be abandoned between two units.
#include "successor/native/codegen/generate.hpp"

#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <span>

#include "successor/native/code_size.hpp"
#include "successor/native/codegen/transitions.hpp"

namespace tideline::successor::codegen {
namespace {

constexpr std::size_t kTransitionsPerFunction = 48;
constexpr std::size_t kTransitionsOfLocation = 256;  // per function, of those that leave the same location
constexpr std::size_t kInstructionsPerFunction = 4000;
constexpr std::size_t kFunctionsPerProcess = 64;  // with more locations, several share a function
constexpr std::size_t kUnit = 6000;               // instructions of LLVM's
constexpr std::size_t kWordsAsValues = 4;         // states of up to this number of words are passed by value

class Generator {
public:
    Generator(const CodeRequest& request, const Unit& unit)
        : e_(request),
          unit_(unit),
          b_(e_.b),
          model_(request.model),
          words_(request.layout.words()),
          state_(e_),
          expressions_(e_, state_),
          transitions_(e_, state_, expressions_),
          part_(transitions_.part) {
        std::size_t weight = 0;
        for (const model::Transition& t : model_.transitions) weight += instructions_of(t);
        is_large_ = weight > kLargeModel || model_.transitions.size() > kManyTransitions ||
                    instructions_of(request.labels) > kLargeLabels;
        e_.is_split = is_large_;
    }

    void run() {
        if (is_composed(model_)) {
            build_collectors();
            for (model::TransitionId t = 0; t < model_.transitions.size(); ++t)
                if (!model_.transitions[t].effects.empty()) build_effects(t);
        }
        if (!is_composed(model_) || is_mixed(model_)) {
            build_expand(build_parts(Product::successors));
            if (model_.observer) build_observer(*model_.observer);
        }
        if (!e_.request.labels.empty()) build_labels();
        if (has_key()) build_key();
        hand_over();
    }

private:
    using Callee = Emitter::Callee;

    // ---- units ------------------------------------------------------------------------------------------------------

    Callee end_function(llvm::Function* f) {
        const Callee result = Emitter::callee(*f);
        instructions_ += f->getInstructionCount();
        if (is_large_ && instructions_ > kUnit) hand_over();
        return result;
    }

    void hand_over() {
        instructions_ = 0;
        const std::unique_ptr<llvm::Module> unit = e_.take_module();
        assert(!llvm::verifyModule(*unit, &llvm::errs()));
        unit_(*unit);
    }

    // ---- functions of processes -------------------------------------------------------------------------------------

    // Arguments: source, successors or candidates, their transitions, the run, the number of entries, whether a
    // committed location is occupied, what sleeps, the source's key where there is a measure, its words where they are
    // few. Result: the new number of entries.
    llvm::Function* begin_part(const char* name, bool merge) {
        std::vector<llvm::Type*> types{e_.pointer, e_.pointer, e_.pointer, e_.pointer, e_.i64, e_.i1, e_.i64};
        if (e_.has_keys_of_successors()) types.push_back(e_.i128);
        if (words_ <= kWordsAsValues) types.insert(types.end(), words_, e_.i64);
        llvm::Function* f = e_.begin_function(name, e_.i64, types, false);
        f->addFnAttr(merge ? llvm::Attribute::AlwaysInline : llvm::Attribute::NoInline);
        f->addParamAttr(0, llvm::Attribute::ReadOnly);
        part_.source = f->getArg(0);
        part_.entries = f->getArg(1);
        part_.transitions = f->getArg(2);
        part_.run = f->getArg(3);
        part_.position = f->getArg(4);
        part_.committed = f->getArg(5);
        part_.asleep = f->getArg(6);
        unsigned next = 7;
        part_.key = e_.has_keys_of_successors() ? f->getArg(next++) : nullptr;
        part_.words.clear();
        while (next < f->arg_size()) part_.words.push_back(f->getArg(next++));
        state_.set_source(part_.source, part_.words);
        return f;
    }

    llvm::Value* call_part(const Callee& part) {
        std::vector<llvm::Value*> arguments{part_.source,   part_.entries,   part_.transitions, part_.run,
                                            part_.position, part_.committed, part_.asleep};
        if (e_.has_keys_of_successors()) arguments.push_back(part_.key);
        if (words_ <= kWordsAsValues) arguments.insert(arguments.end(), part_.words.begin(), part_.words.end());
        return e_.call(part, arguments);
    }

    std::vector<Callee> build_parts(Product product) {
        std::vector<Callee> parts;
        for (model::ProcessId p = 0; p < model_.processes.size(); ++p)
            if (model_.observer != p) parts.push_back(build_process(p, product));
        for (const std::span<const model::TransitionId> list : cut(model_.free_transitions, kTransitionsPerFunction))
            parts.push_back(build_list(list, product));
        return parts;
    }

    // Lists that are short enough for one function each.
    [[nodiscard]] std::vector<std::span<const model::TransitionId>> cut(
        std::span<const model::TransitionId> transitions, std::size_t most) const {
        std::vector<std::span<const model::TransitionId>> lists;
        std::size_t begin = 0;
        std::size_t weight = 0;
        for (std::size_t i = 0; i < transitions.size(); ++i) {
            const std::size_t own = kInstructionsPerTransition + instructions_of(model_.transitions[transitions[i]]);
            if (i > begin && (i - begin == most || weight + own > kInstructionsPerFunction)) {
                lists.push_back(transitions.subspan(begin, i - begin));
                begin = i;
                weight = 0;
            }
            weight += own;
        }
        if (begin < transitions.size()) lists.push_back(transitions.subspan(begin));
        return lists;
    }

    Callee build_process(model::ProcessId id, Product product) {
        const model::Process& process = model_.processes[id];
        std::size_t transitions = 0;
        std::size_t locations = 0;
        for (const std::vector<model::TransitionId>& out : process.outgoing) {
            transitions += out.size();
            locations += out.empty() ? 0 : 1;
        }
        // A large process is split into one function per location, or per group of locations.
        std::vector<Callee> pieces;
        std::vector<std::size_t> ends;  // of the locations of each piece
        if (transitions > kTransitionsPerFunction) {
            const bool one_each = locations <= kFunctionsPerProcess;
            for (std::size_t at = 0; at < process.outgoing.size();) {
                std::size_t end = at + 1;
                for (std::size_t sum = process.outgoing[at].size();
                     !one_each && end < process.outgoing.size() &&
                     sum + process.outgoing[end].size() <= kTransitionsPerFunction;
                     ++end)
                    sum += process.outgoing[end].size();
                if (end == at + 1 && !process.outgoing[at].empty())
                    pieces.push_back(build_location(process, at, product));
                else pieces.push_back(one_each ? Callee{} : build_locations(process, at, end, product));
                ends.push_back(end);
                at = end;
            }
        }
        llvm::Function* f = begin_part("process", !is_large_);
        if (pieces.empty())
            build_jump(process, 0, process.outgoing.size(),
                       [&](std::size_t at) { transitions_.build(process.outgoing[at], product); });
        else if (pieces.size() == process.outgoing.size())
            build_jump(process, 0, process.outgoing.size(),
                       [&](std::size_t at) { part_.position = call_part(pieces[at]); });
        else build_jump_to_pieces(process, pieces, ends);
        return end_function(f);
    }

    // A jump on the location; the code of each location that is left by a transition changes part_.position. Ends the
    // function.
    template <class Code>
    void build_jump(const model::Process& process, std::size_t first, std::size_t end_location, Code code) {
        const Join end = e_.join_block("end", e_.i64);
        const model::SlotId slot = model_.variables[process.location].first_slot;
        const Known location = state_.read(slot);
        llvm::SwitchInst* jump =
            b_.CreateSwitch(location.value, end.block, static_cast<unsigned>(end_location - first));
        end.value->addIncoming(part_.position, b_.GetInsertBlock());
        llvm::Value* before = part_.position;
        for (std::size_t at = first; at < end_location; ++at) {
            if (process.outgoing[at].empty()) continue;
            llvm::BasicBlock* here = e_.block("location");
            jump->addCase(b_.getInt64(at), here);
            b_.SetInsertPoint(here);
            part_.position = before;
            state_.assume(slot, static_cast<model::Value>(at));
            code(at);
            state_.forget(slot);
            end.value->addIncoming(part_.position, b_.GetInsertBlock());
            b_.CreateBr(end.block);
        }
        b_.SetInsertPoint(end.block);
        b_.CreateRet(end.value);
    }

    // Groups of several locations: comparisons find the right one.
    void build_jump_to_pieces(const model::Process& process, const std::vector<Callee>& pieces,
                              const std::vector<std::size_t>& ends) {
        const Known location = state_.read(model_.variables[process.location].first_slot);
        const auto build = [&](const auto& self, std::size_t first, std::size_t last) -> void {
            if (first == last) {
                b_.CreateRet(call_part(pieces[first]));
                return;
            }
            const std::size_t middle = (first + last) / 2;
            llvm::BasicBlock* low = e_.block("low");
            llvm::BasicBlock* high = e_.block("high");
            b_.CreateCondBr(b_.CreateICmpULT(location.value, b_.getInt64(ends[middle])), low, high);
            b_.SetInsertPoint(low);
            self(self, first, middle);
            b_.SetInsertPoint(high);
            self(self, middle + 1, last);
        };
        build(build, 0, pieces.size() - 1);
    }

    Callee build_locations(const model::Process& process, std::size_t first, std::size_t end, Product product) {
        llvm::Function* f = begin_part("locations", false);
        build_jump(process, first, end, [&](std::size_t at) { transitions_.build(process.outgoing[at], product); });
        return end_function(f);
    }

    Callee build_location(const model::Process& process, std::size_t at, Product product) {
        const model::SlotId slot = model_.variables[process.location].first_slot;
        std::vector<Callee> parts;
        for (const std::span<const model::TransitionId> list : cut(process.outgoing[at], kTransitionsOfLocation)) {
            state_.assume(slot, static_cast<model::Value>(at));
            parts.push_back(build_list(list, product));
            state_.forget(slot);
        }
        if (parts.size() == 1) return parts.front();
        llvm::Function* f = begin_part("location", false);
        for (const Callee& part : parts) part_.position = call_part(part);
        b_.CreateRet(part_.position);
        return end_function(f);
    }

    Callee build_list(std::span<const model::TransitionId> transitions, Product product) {
        llvm::Function* f = begin_part("transitions", false);
        transitions_.build(transitions, product);
        b_.CreateRet(part_.position);
        return end_function(f);
    }

    // ---- functions for the caller -----------------------------------------------------------------------------------

    void build_expand(const std::vector<Callee>& parts) {
        llvm::Function* f = e_.begin_function(
            "expand", e_.i64, {e_.pointer, e_.i64, e_.pointer, e_.pointer, e_.i64, e_.pointer, e_.pointer}, true);
        f->addParamAttr(0, llvm::Attribute::ReadOnly);
        llvm::Value* ends = f->getArg(5);
        part_.entries = f->getArg(2);
        part_.transitions = f->getArg(3);
        part_.run = f->getArg(6);
        e_.set_run(part_.run, nullptr, nullptr);
        llvm::Value* first_position = b_.CreateLoad(e_.i64, e_.run_member(offsetof(NativeRun, position)));
        const bool sleeps = e_.sleeps();
        llvm::Value* sources_asleep =
            sleeps ? b_.CreateLoad(e_.pointer, e_.run_member(offsetof(NativeRun, sources_asleep))) : nullptr;
        llvm::Value* skipped =
            sleeps ? b_.CreateLoad(e_.pointer, e_.run_member(offsetof(NativeRun, skipped))) : nullptr;
        llvm::BasicBlock* entry = b_.GetInsertBlock();
        llvm::BasicBlock* head = e_.block("head");
        llvm::BasicBlock* look = e_.block("look");
        llvm::BasicBlock* body = e_.block("body");
        llvm::BasicBlock* next = e_.block("next");
        llvm::BasicBlock* gave_up = e_.block("gave_up");
        llvm::BasicBlock* end = e_.block("end");
        b_.CreateBr(head);
        b_.SetInsertPoint(head);
        llvm::PHINode* number = b_.CreatePHI(e_.i64, 2);
        llvm::PHINode* position = b_.CreatePHI(e_.i64, 2);
        number->addIncoming(b_.getInt64(0), entry);
        position->addIncoming(first_position, entry);
        b_.CreateCondBr(b_.CreateICmpULT(number, f->getArg(1)), look, end);
        b_.SetInsertPoint(look);
        b_.CreateCondBr(b_.CreateICmpULE(position, f->getArg(4)), body, end);
        b_.SetInsertPoint(body);
        part_.position = position;
        part_.asleep = b_.getInt64(0);
        if (sleeps) part_.asleep = b_.CreateLoad(e_.i64, b_.CreateGEP(e_.i64, sources_asleep, number));
        load_source(b_.CreateGEP(e_.i64, f->getArg(0), b_.CreateMul(number, b_.getInt64(words_))));
        part_.committed = transitions_.committed_location_occupied();
        if (e_.has_keys_of_successors()) part_.key = key_of_source(position, gave_up);
        for (const Callee& part : parts) part_.position = call_part(part);
        b_.CreateCondBr(b_.CreateICmpEQ(b_.CreateLoad(e_.i32, e_.run_member(offsetof(NativeRun, code))),
                                        b_.getInt32(NativeRun::ok)),
                        next, gave_up);
        b_.SetInsertPoint(next);
        b_.CreateStore(b_.CreateTrunc(part_.position, e_.i32), b_.CreateGEP(e_.i32, ends, number));
        if (sleeps) {
            b_.CreateStore(b_.CreateTrunc(b_.CreateLShr(part_.position, 32), e_.i32),
                           b_.CreateGEP(e_.i32, skipped, number));
            part_.position = b_.CreateAnd(part_.position, b_.getInt64(0xFFFFFFFFU));
        }
        number->addIncoming(b_.CreateAdd(number, b_.getInt64(1)), next);
        position->addIncoming(part_.position, next);
        b_.CreateBr(head);
        b_.SetInsertPoint(gave_up);
        b_.CreateRet(number);
        b_.SetInsertPoint(end);
        b_.CreateStore(position, e_.run_member(offsetof(NativeRun, position)));
        b_.CreateRet(number);
        end_function(f);
    }

    // Steps that cannot change the key have it from the source. That has one, or it would not be expanded; where its
    // code may fail all the same, this source is abandoned.
    llvm::Value* key_of_source(llvm::Value* position, llvm::BasicBlock* gave_up) {
        FaultSink faults;
        e_.set_faults(&faults);
        llvm::Value* key = transitions_.key();
        e_.set_faults(nullptr);
        if (faults.block == nullptr) return key;
        const llvm::IRBuilderBase::InsertPointGuard guard(b_);
        b_.SetInsertPoint(faults.block);
        b_.CreateStore(b_.getInt32(NativeRun::key_undefined), e_.run_member(offsetof(NativeRun, code)));
        b_.CreateStore(position, e_.run_member(offsetof(NativeRun, position)));
        b_.CreateBr(gave_up);
        return key;
    }

    void load_source(llvm::Value* source) {
        part_.source = source;
        part_.words.clear();
        if (words_ <= kWordsAsValues)
            for (std::size_t w = 0; w < words_; ++w)
                part_.words.push_back(b_.CreateLoad(e_.i64, b_.CreateConstGEP1_64(e_.i64, source, w)));
        state_.set_source(part_.source, part_.words);
    }

    void build_collectors() {
        const bool interleaving = model_.composition == model::Composition::interleaving;
        if (interleaving) build_collector("collect_all", build_parts(Product::candidates));
        for (model::ProcessId p = 0; p < model_.processes.size(); ++p)
            if (!interleaving || model_.observer == p)
                build_collector("collect" + std::to_string(p), {build_process(p, Product::own_candidates)});
    }

    void build_observer(model::ProcessId observer) {
        build_collector("collect" + std::to_string(observer), {build_process(observer, Product::own_candidates)});
        for (const std::vector<model::TransitionId>& out : model_.processes[observer].outgoing)
            for (const model::TransitionId t : out)
                if (!model_.transitions[t].effects.empty()) build_effects(t);
    }

    void build_collector(const std::string& name, const std::vector<Callee>& parts) {
        llvm::Function* f = e_.begin_function(name, e_.i64, {e_.pointer, e_.pointer}, true);
        f->addParamAttr(0, llvm::Attribute::ReadOnly);
        part_.entries = f->getArg(1);
        part_.transitions = part_.run = llvm::ConstantPointerNull::get(llvm::cast<llvm::PointerType>(e_.pointer));
        part_.position = part_.asleep = b_.getInt64(0);
        if (e_.has_keys_of_successors()) part_.key = llvm::ConstantInt::get(e_.i128, 0);  // of no use here
        load_source(f->getArg(0));
        part_.committed = transitions_.committed_location_occupied();
        for (const Callee& part : parts) part_.position = call_part(part);
        b_.CreateRet(part_.position);
        end_function(f);
    }

    void build_effects(model::TransitionId id) {
        llvm::Function* f = e_.begin_function("effects" + std::to_string(id), e_.i32, {e_.pointer, e_.pointer}, true);
        const Join exit = e_.join_block("exit", e_.i32);
        FaultSink faults;
        e_.set_exit(exit, nullptr);
        e_.set_faults(&faults);
        e_.set_run(f->getArg(1), b_.getInt64(0), b_.getInt32(0));
        state_.set_source(f->getArg(0), {});
        state_.begin_successor(f->getArg(0), true);
        Effects(e_, state_, expressions_).apply(model_.transitions[id]);
        state_.store_changes();
        e_.leave(b_.getInt32(0));
        state_.end_successor();
        if (faults.block != nullptr) {
            b_.SetInsertPoint(faults.block);
            e_.leave(faults.kind);
        }
        b_.SetInsertPoint(exit.block);
        b_.CreateRet(exit.value);
        end_function(f);
    }

    void build_labels() {
        const std::size_t count = e_.request.labels.size();
        std::vector<Callee> parts;
        for (std::size_t begin = 0; begin < count; begin += 64)
            parts.push_back(build_label_word(begin, std::min<std::size_t>(count, begin + 64)));
        llvm::Function* f = e_.begin_function("labels", b_.getVoidTy(), {e_.pointer, e_.pointer, e_.pointer}, true);
        for (std::size_t i = 0; i < parts.size(); ++i) {
            b_.CreateStore(e_.call(parts[i], {f->getArg(0), f->getArg(2)}),
                           b_.CreateConstGEP1_64(e_.i64, f->getArg(1), i));
        }
        b_.CreateRetVoid();
        end_function(f);
    }

    // The values of up to 64 labels as bits.
    Callee build_label_word(std::size_t begin, std::size_t end) {
        llvm::Function* f = e_.begin_function("label_word", e_.i64, {e_.pointer, e_.pointer}, false);
        f->addParamAttr(0, llvm::Attribute::ReadOnly);
        load_source(f->getArg(0));
        llvm::Value* bits = b_.getInt64(0);
        for (std::size_t i = begin; i < end; ++i) {
            llvm::Value* fault_place = b_.CreateConstGEP1_64(e_.i8, f->getArg(1), i);
            FaultSink faults;
            e_.set_faults(&faults);
            llvm::Value* holds = b_.CreateZExt(e_.truth(expressions_.evaluate(e_.request.labels[i])), e_.i64);
            llvm::Value* with = b_.CreateOr(bits, b_.CreateShl(holds, i - begin));
            b_.CreateStore(b_.getInt8(0), fault_place);
            if (faults.block != nullptr) {
                const Join both = e_.join_block("label", e_.i64);
                both.value->addIncoming(with, b_.GetInsertBlock());
                b_.CreateBr(both.block);
                b_.SetInsertPoint(faults.block);
                b_.CreateStore(b_.CreateTrunc(faults.kind, e_.i8), fault_place);
                both.value->addIncoming(bits, faults.block);
                b_.CreateBr(both.block);
                b_.SetInsertPoint(both.block);
                with = both.value;
            }
            bits = with;
        }
        b_.CreateRet(bits);
        return end_function(f);
    }

    void build_key() {
        llvm::Function* f = e_.begin_function("key", e_.i32, {e_.pointer, e_.pointer}, true);
        f->addParamAttr(0, llvm::Attribute::ReadOnly);
        FaultSink faults;
        e_.set_faults(&faults);
        load_source(f->getArg(0));
        b_.CreateAlignedStore(transitions_.key(), f->getArg(1), llvm::Align(16));
        b_.CreateRet(b_.getInt32(1));
        if (faults.block == nullptr) return;
        b_.SetInsertPoint(faults.block);
        b_.CreateRet(b_.getInt32(0));
    }

    [[nodiscard]] bool has_key() const { return !e_.request.key.components.empty(); }

    Emitter e_;
    const Unit& unit_;
    std::size_t instructions_ = 0;  // of the unit so far
    llvm::IRBuilder<>& b_;
    const model::Model& model_;
    std::size_t words_;
    PackedState state_;
    Expressions expressions_;
    Transitions transitions_;
    Part& part_;  // of the current function
    bool is_large_ = false;
};

}  // namespace

void generate(const CodeRequest& request, const Unit& unit) { Generator(request, unit).run(); }

}  // namespace tideline::successor::codegen
