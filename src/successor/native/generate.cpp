#include "successor/native/generate.hpp"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>
#include <bit>
#include <map>
#include <optional>

#include "model/interval.hpp"
#include "successor/native/compile.hpp"

namespace tideline {
namespace {

// A value of the program being compiled, and the range in which it is known to lie.
struct Known {
    llvm::Value* value;
    Range range;
};

std::uint64_t span_of(Range range) { return static_cast<std::uint64_t>(range.high) - static_cast<std::uint64_t>(range.low); }
bool inside(Range inner, Range outer) { return outer.low <= inner.low && inner.high <= outer.high; }

class Compiler {
public:
    Compiler(const Model& model, const Layout& layout, const KeyProgram& key)
        : model_(model), layout_(layout), key_(key), owners_(model.slot_owners()), context_(std::make_unique<llvm::LLVMContext>()),
          module_(std::make_unique<llvm::Module>("model", *context_)), b_(*context_) {
        i1_ = b_.getInt1Ty();
        i8_ = b_.getInt8Ty();
        i32_ = b_.getInt32Ty();
        i64_ = b_.getInt64Ty();
        i128_ = b_.getIntNTy(128);
        pointer_ = llvm::PointerType::getUnqual(*context_);
    }

    void build() {
        std::vector<llvm::Function*> parts;
        for (ProcessId p = 0; p < model_.processes.size(); ++p) parts.push_back(build_process(p));
        for (std::size_t begin = 0; begin < model_.free_transitions.size(); begin += kTransitionsPerFunction)
            parts.push_back(build_free(begin, std::min(model_.free_transitions.size(), begin + kTransitionsPerFunction)));
        build_root(parts);
    }

    std::unique_ptr<llvm::Module> take_module() { return std::move(module_); }
    std::unique_ptr<llvm::LLVMContext> take_context() { return std::move(context_); }
    [[nodiscard]] llvm::Module& module() { return *module_; }

private:
    static constexpr std::size_t kTransitionsPerFunction = 48;

    // ---- functions -------------------------------------------------------------------------------------------------------------

    llvm::Function* new_function(const std::string& name, llvm::GlobalValue::LinkageTypes linkage) {
        std::vector<llvm::Type*> arguments{pointer_, pointer_, pointer_, pointer_, pointer_, i64_, pointer_};
        if (linkage == llvm::GlobalValue::InternalLinkage) arguments.push_back(i1_);  // a committed location is occupied
        llvm::Function* f = llvm::Function::Create(llvm::FunctionType::get(i64_, arguments, false), linkage, name, *module_);
        for (unsigned i : {0U, 1U, 2U, 3U, 4U, 6U}) f->addParamAttr(i, llvm::Attribute::NoAlias);
        f->addParamAttr(0, llvm::Attribute::ReadOnly);
        f->addFnAttr(llvm::Attribute::NoUnwind);
        return f;
    }

    // Sets up the state of the builder for a part: arguments, and a variable that holds the number of successors.
    void enter(llvm::Function* f) {
        function_ = f;
        b_.SetInsertPoint(llvm::BasicBlock::Create(*context_, "entry", f));
        state_ = f->getArg(0);
        states_ = f->getArg(1);
        transitions_ = f->getArg(2);
        faults_ = f->getArg(3);
        keys_ = f->getArg(4);
        status_ = f->getArg(6);
        size_ = b_.CreateAlloca(i64_);
        b_.CreateStore(f->getArg(5), size_);
        committed_ = f->arg_size() > 7 ? f->getArg(7) : nullptr;
    }

    llvm::BasicBlock* block(const char* name) { return llvm::BasicBlock::Create(*context_, name, function_); }
    void return_size() { b_.CreateRet(b_.CreateLoad(i64_, size_)); }

    llvm::Function* build_process(ProcessId id) {
        const Process& process = model_.processes[id];
        std::size_t transitions = 0;
        for (const std::vector<TransitionId>& out : process.outgoing) transitions += out.size();
        // A large process is cut into a function a location.
        std::vector<llvm::Function*> pieces;
        if (transitions > kTransitionsPerFunction)
            for (const std::vector<TransitionId>& out : process.outgoing) pieces.push_back(out.empty() ? nullptr : build_list(out));
        llvm::Function* f = new_function("process", llvm::GlobalValue::InternalLinkage);
        enter(f);
        llvm::BasicBlock* end = block("end");
        const Known location = read_slot(state_, model_.variables[process.location].first_slot);
        llvm::SwitchInst* jump = b_.CreateSwitch(location.value, end, static_cast<unsigned>(process.outgoing.size()));
        for (std::size_t at = 0; at < process.outgoing.size(); ++at) {
            if (process.outgoing[at].empty()) continue;
            llvm::BasicBlock* here = block("location");
            jump->addCase(b_.getInt64(at), here);
            b_.SetInsertPoint(here);
            if (pieces.empty()) {
                for (const TransitionId t : process.outgoing[at]) build_transition(t);
            } else {
                b_.CreateStore(b_.CreateCall(pieces[at], {state_, states_, transitions_, faults_, keys_, b_.CreateLoad(i64_, size_), status_, committed_}), size_);
            }
            b_.CreateBr(end);
        }
        b_.SetInsertPoint(end);
        return_size();
        return f;
    }

    llvm::Function* build_list(std::span<const TransitionId> transitions) {
        llvm::Function* f = new_function("transitions", llvm::GlobalValue::InternalLinkage);
        f->addFnAttr(llvm::Attribute::NoInline);
        enter(f);
        for (const TransitionId t : transitions) build_transition(t);
        return_size();
        return f;
    }

    llvm::Function* build_free(std::size_t begin, std::size_t end) {
        return build_list(std::span(model_.free_transitions).subspan(begin, end - begin));
    }

    void build_root(const std::vector<llvm::Function*>& parts) {
        llvm::Function* f = new_function("expand", llvm::GlobalValue::ExternalLinkage);
        enter(f);
        llvm::BasicBlock* end = block("end");
        llvm::Value* committed = committed_location_occupied();
        for (llvm::Function* part : parts) {
            b_.CreateStore(b_.CreateCall(part, {state_, states_, transitions_, faults_, keys_, b_.CreateLoad(i64_, size_), status_, committed}), size_);
            llvm::BasicBlock* next = block("next");
            b_.CreateCondBr(b_.CreateICmpEQ(b_.CreateLoad(i32_, status_), b_.getInt32(0)), next, end);
            b_.SetInsertPoint(next);
        }
        b_.CreateBr(end);
        b_.SetInsertPoint(end);
        return_size();
    }

    llvm::Value* committed_location_occupied() {
        llvm::Value* any = b_.getFalse();
        for (const Process& process : model_.processes)
            for (std::size_t at = 0; at < process.committed.size(); ++at)
                if (process.committed[at]) any = b_.CreateOr(any, is_at(process.location, static_cast<tideline::Value>(at)));
        return any;
    }

    llvm::Value* is_at(VariableId location, tideline::Value at) {
        return b_.CreateICmpEQ(read_slot(state_, model_.variables[location].first_slot).value, constant(at));
    }

    // ---- a transition ----------------------------------------------------------------------------------------------------------

    void build_transition(TransitionId id) {
        const Transition& t = model_.transitions[id];
        done_ = block("done");
        fault_ = nullptr;
        current_ = id;
        if (!t.committed && has_committed()) require(b_.CreateNot(committed_));
        for (std::size_t i = 1; i < t.participants.size(); ++i)
            require(is_at(model_.processes[t.participants[i].process].location, t.participants[i].from));
        read_from_ = state_;
        for (const Expression& guard : t.guards) require(truth(evaluate(guard).value));
        llvm::Value* place = b_.CreateLoad(i64_, size_);
        llvm::Value* next = b_.CreateGEP(i64_, states_, b_.CreateMul(place, b_.getInt64(layout_.words())));
        for (std::size_t w = 0; w < layout_.words(); ++w) b_.CreateStore(b_.CreateLoad(i64_, word(state_, w)), word(next, w));
        read_from_ = next;
        for (const Effect& effect : t.effects) std::visit([this](const auto& e) { apply(e); }, effect);
        for (const Participant& p : t.participants)
            if (p.from != p.to) write_slot(model_.variables[model_.processes[p.process].location].first_slot, {constant(p.to), {p.to, p.to}});
        store_key(place);
        b_.CreateStore(b_.getInt32(id), b_.CreateGEP(i32_, transitions_, place));
        b_.CreateStore(b_.CreateAdd(place, b_.getInt64(1)), size_);
        b_.CreateBr(done_);
        finish_fault();
        b_.SetInsertPoint(done_);
    }

    bool has_committed() const {
        return std::any_of(model_.processes.begin(), model_.processes.end(), [](const Process& p) {
            return std::find(p.committed.begin(), p.committed.end(), true) != p.committed.end();
        });
    }

    // Goes on only where the condition holds.
    void require(llvm::Value* condition) {
        llvm::BasicBlock* yes = block("yes");
        b_.CreateCondBr(condition, yes, done_);
        b_.SetInsertPoint(yes);
    }

    // Goes on only where `good` holds; otherwise the step is a faulty one.
    void require_no_fault(llvm::Value* good, FaultKind kind) {
        if (fault_ == nullptr) {
            fault_ = block("fault");
            llvm::IRBuilder<> at_fault(fault_);
            fault_kind_ = at_fault.CreatePHI(i8_, 2);
        }
        llvm::BasicBlock* yes = block("good");
        fault_kind_->addIncoming(b_.getInt8(static_cast<std::uint8_t>(kind)), b_.GetInsertBlock());
        b_.CreateCondBr(good, yes, fault_);
        b_.SetInsertPoint(yes);
    }

    void finish_fault() {
        if (fault_ == nullptr) return;
        b_.SetInsertPoint(fault_);
        llvm::Value* place = b_.CreateLoad(i64_, size_);
        b_.CreateStore(b_.getInt32(current_), b_.CreateGEP(i32_, transitions_, place));
        b_.CreateStore(fault_kind_, b_.CreateGEP(i8_, faults_, place));
        b_.CreateStore(b_.getInt32(1), b_.CreateConstGEP1_64(i8_, status_, offsetof(NativeStatus, faulty)));
        b_.CreateStore(b_.CreateAdd(place, b_.getInt64(1)), size_);
        b_.CreateBr(done_);
    }

    void give_up(NativeStatus::Code code, llvm::Value* slot, llvm::Value* value) {
        b_.CreateStore(b_.getInt32(code), status_);
        b_.CreateStore(slot, b_.CreateConstGEP1_64(i8_, status_, 4));
        b_.CreateStore(value, b_.CreateConstGEP1_64(i8_, status_, 8));
        return_size();
    }

    void store_key(llvm::Value* place) {
        if (key_.components.empty()) return;
        llvm::Value* key = llvm::ConstantInt::get(i128_, 0);
        for (const KeyComponent& component : key_.components) {
            // A fault here is not one of the model.
            llvm::BasicBlock* outer_fault = fault_;
            llvm::PHINode* outer_kind = fault_kind_;
            fault_ = nullptr;
            const Known part = evaluate(component.expression);
            if (fault_ != nullptr) {
                const llvm::IRBuilderBase::InsertPointGuard guard(b_);
                b_.SetInsertPoint(fault_);
                give_up(NativeStatus::keyless, b_.getInt32(0), b_.getInt64(0));
            }
            fault_ = outer_fault;
            fault_kind_ = outer_kind;
            llvm::Value* offset = b_.CreateZExt(b_.CreateSub(part.value, constant(component.low)), i128_);
            key = b_.CreateOr(component.bits >= 128 ? key : b_.CreateShl(key, llvm::ConstantInt::get(i128_, component.bits)), offset);
        }
        b_.CreateAlignedStore(key, b_.CreateGEP(i128_, keys_, place), llvm::Align(16));
    }

    // ---- effects ---------------------------------------------------------------------------------------------------------------

    void apply(const Assign& assign) {
        std::vector<Known> values;
        for (const Expression& value : assign.values) values.push_back(evaluate(value));
        for (std::size_t i = 0; i < std::max(assign.targets.size(), assign.passing.size()); ++i) {
            if (i < assign.passing.size()) values[i] = fitted(values[i], assign.passing[i], assign.wrap);
            if (i < assign.targets.size()) store(assign.targets[i], values[i], assign.wrap);
        }
    }

    void apply(const Shift& shift) {
        const SlotId begin = model_.variables[shift.variable].first_slot + static_cast<SlotId>(shift.first.constant_value());
        for (SlotId slot = begin; slot + 1 < begin + shift.count; ++slot) write_slot(slot, read_slot(read_from_, slot + 1));
        write_slot(begin + shift.count - 1, {constant(0), {0, 0}});
    }

    // The value within a range: checked, or wrapped around.
    Known fitted(Known value, Range range, bool wrap) {
        if (inside(value.range, range)) return value;
        if (!wrap) {
            llvm::Value* offset = b_.CreateSub(value.value, constant(range.low));
            require_no_fault(b_.CreateICmpULE(offset, b_.getInt64(span_of(range))), FaultKind::range);
            return {value.value, {std::max(value.range.low, range.low), std::min(value.range.high, range.high)}};
        }
        const std::uint64_t count = span_of(range) + 1;
        if (count == 0) return value;
        llvm::Value* offset = b_.CreateSub(value.value, constant(range.low));
        if (std::has_single_bit(count)) return {b_.CreateAdd(b_.CreateAnd(offset, b_.getInt64(count - 1)), constant(range.low)), range};
        // The difference may leave 64 bits: it is taken in 128.
        llvm::Value* wide = b_.CreateSub(b_.CreateSExt(value.value, i128_), b_.CreateSExt(constant(range.low), i128_));
        llvm::Value* divisor = b_.CreateZExt(b_.getInt64(count), i128_);
        llvm::Value* rest = b_.CreateSRem(wide, divisor);
        rest = b_.CreateSelect(b_.CreateICmpSLT(rest, llvm::ConstantInt::get(i128_, 0)), b_.CreateAdd(rest, divisor), rest);
        return {b_.CreateAdd(b_.CreateTrunc(rest, i64_), constant(range.low)), range};
    }

    void store(const Target& target, Known value, bool wrap) {
        const Variable& variable = model_.variables[target.variable];
        if (!target.index) {
            write_slot(variable.first_slot, fitted(value, variable.range, wrap));
            return;
        }
        const Known index = checked_index(evaluate(*target.index), variable.slot_count());
        value = fitted(value, variable.range, wrap);
        if (index.range.low == index.range.high)
            write_slot(variable.first_slot + static_cast<SlotId>(index.range.low), value);
        else
            write_element(variable.first_slot, variable.slot_count(), index, value);
    }

    Known checked_index(Known index, std::uint32_t length) {
        if (!inside(index.range, {0, length - 1})) require_no_fault(b_.CreateICmpULT(index.value, b_.getInt64(length)), FaultKind::index);
        index.range = {std::max<tideline::Value>(index.range.low, 0), std::min<tideline::Value>(index.range.high, length - 1)};
        return index;
    }

    // ---- fields of the packed state --------------------------------------------------------------------------------------------

    llvm::Value* constant(tideline::Value value) { return b_.getInt64(static_cast<std::uint64_t>(value)); }
    llvm::Value* word(llvm::Value* state, std::size_t number) { return b_.CreateConstGEP1_64(i64_, state, number); }

    // What a field can hold: the bits that are not used by the declared range never occur.
    Range held(SlotId slot) const {
        const Layout::Field& field = layout_.field(slot);
        const Range declared = model_.variables[owners_[slot].variable].range;
        if (field.width >= 64) return declared;
        const auto high = static_cast<tideline::Value>(static_cast<std::uint64_t>(field.low) + field.mask);
        return {std::max(declared.low, field.low), high < field.low ? declared.high : std::min(declared.high, high)};
    }

    Known read_slot(llvm::Value* state, SlotId slot) {
        const Layout::Field& field = layout_.field(slot);
        if (field.width == 0) return {constant(field.low), {field.low, field.low}};
        llvm::Value* bits = b_.CreateLShr(b_.CreateLoad(i64_, word(state, field.word)), field.shift);
        if (field.width < 64) bits = b_.CreateAnd(bits, b_.getInt64(field.mask));
        return {field.low == 0 ? bits : b_.CreateAdd(bits, constant(field.low)), held(slot)};
    }

    // The value must fit the field, else the packing is too narrow.
    llvm::Value* bits_for(const Layout::Field& field, Known value, llvm::Value* slot) {
        llvm::Value* bits = field.low == 0 ? value.value : b_.CreateSub(value.value, constant(field.low));
        const bool fits = field.width >= 64 ||
                          (value.range.low >= field.low &&
                           static_cast<std::uint64_t>(value.range.high) - static_cast<std::uint64_t>(field.low) <= field.mask);
        if (fits) return bits;
        llvm::BasicBlock* yes = block("fits");
        llvm::BasicBlock* no = block("narrow");
        b_.CreateCondBr(b_.CreateICmpULE(bits, b_.getInt64(field.mask)), yes, no);
        b_.SetInsertPoint(no);
        give_up(NativeStatus::narrow, slot, value.value);
        b_.SetInsertPoint(yes);
        return bits;
    }

    void write_slot(SlotId slot, Known value) {
        const Layout::Field& field = layout_.field(slot);
        llvm::Value* bits = bits_for(field, value, b_.getInt32(slot));
        if (field.width == 0) return;
        llvm::Value* place = word(read_from_, field.word);
        llvm::Value* rest = b_.CreateAnd(b_.CreateLoad(i64_, place), b_.getInt64(~(field.mask << field.shift)));
        b_.CreateStore(b_.CreateOr(rest, b_.CreateShl(bits, field.shift)), place);
    }

    // Where the elements of an array lie. All have the same width and low value where the layout was made for this compiler; where
    // not, tables tell.
    struct Element {
        llvm::Value* place;  // of the word
        llvm::Value* shift;
        llvm::Value* mask;
        llvm::Value* low;
        Range range;
        bool uniform;
    };

    llvm::GlobalVariable* constant_array(const std::vector<llvm::Constant*>& values) {
        llvm::ArrayType* type = llvm::ArrayType::get(i64_, values.size());
        const std::string name = "table" + std::to_string(tables_.size()) + "_" + std::to_string(constants_.size());
        auto* global = llvm::cast<llvm::GlobalVariable>(module_->getOrInsertGlobal(name, type));
        global->setConstant(true);
        global->setLinkage(llvm::GlobalValue::InternalLinkage);
        global->setInitializer(llvm::ConstantArray::get(type, values));
        return global;
    }

    llvm::Value* table(SlotId first, std::uint32_t length, int what, llvm::Value* index) {
        llvm::GlobalVariable*& global = tables_[{first, what}];
        if (global == nullptr) {
            std::vector<llvm::Constant*> values;
            for (SlotId slot = first; slot < first + length; ++slot) {
                const Layout::Field& f = layout_.field(slot);
                values.push_back(b_.getInt64(what == 0 ? f.word : what == 1 ? f.shift : what == 2 ? f.mask : static_cast<std::uint64_t>(f.low)));
            }
            global = constant_array(values);
        }
        return b_.CreateLoad(i64_, b_.CreateGEP(i64_, global, index));
    }

    Element element(llvm::Value* state, SlotId first, std::uint32_t length, llvm::Value* index) {
        Range range = held(first);
        bool same_shape = true;
        bool regular = true;  // one word, one behind the other
        const Layout::Field& f0 = layout_.field(first);
        for (SlotId slot = first + 1; slot < first + length; ++slot) {
            const Layout::Field& f = layout_.field(slot);
            same_shape = same_shape && f.mask == f0.mask && f.low == f0.low;
            regular = regular && f.word == f0.word && f.shift == f0.shift + (slot - first) * f0.width;
            range = {std::min(range.low, held(slot).low), std::max(range.high, held(slot).high)};
        }
        regular = regular && same_shape;
        Element e{};
        e.range = range;
        e.uniform = same_shape;
        e.place = regular ? word(state, f0.word) : b_.CreateGEP(i64_, state, table(first, length, 0, index));
        e.shift = regular ? b_.CreateAdd(b_.CreateMul(index, b_.getInt64(f0.width)), b_.getInt64(f0.shift)) : table(first, length, 1, index);
        e.mask = same_shape ? b_.getInt64(f0.mask) : table(first, length, 2, index);
        e.low = same_shape ? constant(f0.low) : table(first, length, 3, index);
        return e;
    }

    Known read_element(llvm::Value* state, SlotId first, std::uint32_t length, Known index) {
        if (index.range.low == index.range.high) return read_slot(state, first + static_cast<SlotId>(index.range.low));
        const Element e = element(state, first, length, index.value);
        llvm::Value* bits = b_.CreateAnd(b_.CreateLShr(b_.CreateLoad(i64_, e.place), e.shift), e.mask);
        return {b_.CreateAdd(bits, e.low), e.range};
    }

    void write_element(SlotId first, std::uint32_t length, Known index, Known value) {
        const Element e = element(read_from_, first, length, index.value);
        llvm::Value* slot = b_.CreateAdd(b_.getInt32(first), b_.CreateTrunc(index.value, i32_));
        llvm::Value* bits = nullptr;
        if (e.uniform) {
            bits = bits_for(layout_.field(first), value, slot);
        } else {
            bits = b_.CreateSub(value.value, e.low);
            llvm::BasicBlock* yes = block("fits");
            llvm::BasicBlock* no = block("narrow");
            b_.CreateCondBr(b_.CreateICmpULE(bits, e.mask), yes, no);
            b_.SetInsertPoint(no);
            give_up(NativeStatus::narrow, slot, value.value);
            b_.SetInsertPoint(yes);
        }
        llvm::Value* rest = b_.CreateAnd(b_.CreateLoad(i64_, e.place), b_.CreateNot(b_.CreateShl(e.mask, e.shift)));
        b_.CreateStore(b_.CreateOr(rest, b_.CreateShl(bits, e.shift)), e.place);
    }

    // ---- expressions -----------------------------------------------------------------------------------------------------------

    llvm::Value* truth(llvm::Value* value) { return b_.CreateICmpNE(value, b_.getInt64(0)); }
    Known from_bit(llvm::Value* bit) { return {b_.CreateZExt(bit, i64_), {0, 1}}; }

    // A part of the expression that may be skipped: both ways meet after instruction `end`.
    struct Meeting {
        std::size_t end;
        llvm::BasicBlock* meet;
        llvm::BasicBlock* from;   // where it is skipped
        Known skipped;            // with this result
        llvm::BasicBlock* other = nullptr;  // a choice: where the second branch begins
    };

    Known evaluate(const Expression& expression) {
        std::vector<Known> stack;
        std::vector<Meeting> meetings;
        const std::vector<Instruction>& code = expression.code();
        for (std::size_t i = 0; i < code.size(); ++i) {
            step(code[i], i, stack, meetings);
            while (!meetings.empty() && meetings.back().end == i && meetings.back().meet != nullptr) meet(stack, meetings);
        }
        return stack.back();
    }

    void meet(std::vector<Known>& stack, std::vector<Meeting>& meetings) {
        const Meeting m = meetings.back();
        meetings.pop_back();
        llvm::BasicBlock* from = b_.GetInsertBlock();
        b_.CreateBr(m.meet);
        b_.SetInsertPoint(m.meet);
        llvm::PHINode* both = b_.CreatePHI(i64_, 2);
        both->addIncoming(m.skipped.value, m.from);
        both->addIncoming(stack.back().value, from);
        stack.back() = {both, {std::min(m.skipped.range.low, stack.back().range.low), std::max(m.skipped.range.high, stack.back().range.high)}};
    }

    void skip(std::vector<Known>& stack, std::vector<Meeting>& meetings, std::size_t end, bool when_true, tideline::Value result) {
        llvm::Value* condition = truth(stack.back().value);
        stack.pop_back();
        llvm::BasicBlock* right = block("right");
        llvm::BasicBlock* together = block("meet");
        meetings.push_back({end, together, b_.GetInsertBlock(), {constant(result), {result, result}}});
        b_.CreateCondBr(condition, when_true ? together : right, when_true ? right : together);
        b_.SetInsertPoint(right);
    }

    void step(const Instruction& instruction, std::size_t at, std::vector<Known>& stack, std::vector<Meeting>& meetings) {
        const auto pop = [&] {
            const Known top = stack.back();
            stack.pop_back();
            return top;
        };
        switch (instruction.op) {
            case Op::constant: stack.push_back({constant(instruction.value), {instruction.value, instruction.value}}); break;
            case Op::load: stack.push_back(read_slot(read_from_, instruction.argument)); break;
            case Op::load_element: {
                const auto length = static_cast<std::uint32_t>(instruction.value);
                const Known index = checked_index(pop(), length);
                stack.push_back(read_element(read_from_, instruction.argument, length, index));
                break;
            }
            case Op::load_table: stack.push_back(read_table(instruction.argument, pop())); break;
            case Op::truth: stack.push_back(from_bit(truth(pop().value))); break;
            case Op::logical_not: stack.push_back(from_bit(b_.CreateNot(truth(pop().value)))); break;
            case Op::complement: {
                const Known a = pop();
                stack.push_back({b_.CreateNot(a.value), {~a.range.high, ~a.range.low}});
                break;
            }
            case Op::negate: {
                const Known a = pop();
                stack.push_back(binary(Op::subtract, {constant(0), {0, 0}}, a));
                break;
            }
            case Op::and_then: skip(stack, meetings, at + instruction.argument, false, 0); break;
            case Op::or_else: skip(stack, meetings, at + instruction.argument, true, 1); break;
            case Op::implies: skip(stack, meetings, at + instruction.argument, false, 1); break;
            case Op::jump_if_false: {
                llvm::BasicBlock* yes = block("yes");
                llvm::BasicBlock* no = block("no");
                b_.CreateCondBr(truth(pop().value), yes, no);
                b_.SetInsertPoint(yes);
                meetings.push_back({at + instruction.argument, nullptr, nullptr, {}, no});
                break;
            }
            case Op::jump: {
                Meeting& choice = meetings.back();
                choice.skipped = pop();
                choice.from = b_.GetInsertBlock();
                choice.meet = block("meet");
                choice.end = at + instruction.argument;
                b_.CreateBr(choice.meet);
                b_.SetInsertPoint(choice.other);
                break;
            }
            default: {
                const Known right = pop();
                const Known left = pop();
                stack.push_back(binary(instruction.op, left, right));
            }
        }
    }

    Known read_table(TableId id, Known index) {
        const std::vector<tideline::Value>& values = model_.tables[id].values;
        index = checked_index(index, static_cast<std::uint32_t>(values.size()));
        llvm::GlobalVariable*& global = constants_[id];
        if (global == nullptr) {
            std::vector<llvm::Constant*> entries;
            for (const tideline::Value v : values) entries.push_back(b_.getInt64(static_cast<std::uint64_t>(v)));
            global = constant_array(entries);
        }
        const auto [low, high] = std::minmax_element(values.begin(), values.end());
        return {b_.CreateLoad(i64_, b_.CreateGEP(i64_, global, index.value)), {*low, *high}};
    }

    Known arithmetic(Op op, Known a, Known b, Range range) {
        // A bound at the end of the 64 bits means that the result may leave them.
        const bool may_overflow = range.low == std::numeric_limits<tideline::Value>::min() || range.high == std::numeric_limits<tideline::Value>::max();
        if (!may_overflow) {
            llvm::Value* plain = op == Op::add ? b_.CreateNSWAdd(a.value, b.value) : op == Op::subtract ? b_.CreateNSWSub(a.value, b.value) : b_.CreateNSWMul(a.value, b.value);
            return {plain, range};
        }
        const llvm::Intrinsic::ID id = op == Op::add        ? llvm::Intrinsic::sadd_with_overflow
                                       : op == Op::subtract ? llvm::Intrinsic::ssub_with_overflow
                                                            : llvm::Intrinsic::smul_with_overflow;
        llvm::Value* both = b_.CreateBinaryIntrinsic(id, a.value, b.value);
        require_no_fault(b_.CreateNot(b_.CreateExtractValue(both, 1)), FaultKind::overflow);
        return {b_.CreateExtractValue(both, 0), range};
    }

    Known division(Op op, Known a, Known b, Range range) {
        if (b.range.holds(0)) require_no_fault(truth(b.value), FaultKind::division);
        if (!b.range.holds(-1))
            return {op == Op::divide ? b_.CreateSDiv(a.value, b.value) : b_.CreateSRem(a.value, b.value), range};
        // By -1 the machine's division could overflow: the quotient is then 0 - a, the remainder 0.
        llvm::Value* minus_one = b_.CreateICmpEQ(b.value, constant(-1));
        llvm::Value* divisor = b_.CreateSelect(minus_one, constant(1), b.value);
        if (op == Op::modulo) return {b_.CreateSelect(minus_one, constant(0), b_.CreateSRem(a.value, divisor)), range};
        if (a.range.low == std::numeric_limits<tideline::Value>::min())
            require_no_fault(b_.CreateNot(b_.CreateAnd(minus_one, b_.CreateICmpEQ(a.value, constant(std::numeric_limits<tideline::Value>::min())))), FaultKind::overflow);
        return {b_.CreateSelect(minus_one, b_.CreateNeg(a.value), b_.CreateSDiv(a.value, divisor)), range};
    }

    Known shift(Op op, Known a, Known b, Range range) {
        if (!inside(b.range, {0, 63})) require_no_fault(b_.CreateICmpULE(b.value, b_.getInt64(63)), FaultKind::shift);
        if (op == Op::shift_right) return {b_.CreateAShr(a.value, b.value), range};
        llvm::Value* moved = b_.CreateShl(a.value, b.value);
        const bool may_overflow = range.low == std::numeric_limits<tideline::Value>::min() || range.high == std::numeric_limits<tideline::Value>::max();
        if (may_overflow) require_no_fault(b_.CreateICmpEQ(b_.CreateAShr(moved, b.value), a.value), FaultKind::overflow);
        return {moved, range};
    }

    Known binary(Op op, Known a, Known b) {
        const Range range = binary_range(op, a.range, b.range);
        switch (op) {
            case Op::add:
            case Op::subtract:
            case Op::multiply: return arithmetic(op, a, b, range);
            case Op::divide:
            case Op::modulo: return division(op, a, b, range);
            case Op::shift_left:
            case Op::shift_right: return shift(op, a, b, range);
            case Op::less: return from_bit(b_.CreateICmpSLT(a.value, b.value));
            case Op::less_equal: return from_bit(b_.CreateICmpSLE(a.value, b.value));
            case Op::greater: return from_bit(b_.CreateICmpSGT(a.value, b.value));
            case Op::greater_equal: return from_bit(b_.CreateICmpSGE(a.value, b.value));
            case Op::equal: return from_bit(b_.CreateICmpEQ(a.value, b.value));
            case Op::not_equal: return from_bit(b_.CreateICmpNE(a.value, b.value));
            case Op::bit_and: return {b_.CreateAnd(a.value, b.value), range};
            case Op::bit_or: return {b_.CreateOr(a.value, b.value), range};
            default: return {b_.CreateXor(a.value, b.value), range};
        }
    }

    const Model& model_;
    const Layout& layout_;
    const KeyProgram& key_;
    std::vector<Model::SlotOwner> owners_;
    std::unique_ptr<llvm::LLVMContext> context_;
    std::unique_ptr<llvm::Module> module_;
    llvm::IRBuilder<> b_;
    llvm::Type* i1_;
    llvm::Type* i8_;
    llvm::Type* i32_;
    llvm::Type* i64_;
    llvm::Type* i128_;
    llvm::Type* pointer_;
    llvm::Function* function_ = nullptr;
    llvm::Value *state_ = nullptr, *states_ = nullptr, *transitions_ = nullptr, *faults_ = nullptr, *keys_ = nullptr, *status_ = nullptr;
    llvm::Value *size_ = nullptr, *committed_ = nullptr;
    llvm::Value* read_from_ = nullptr;  // the state in guards, the successor in effects
    llvm::BasicBlock *done_ = nullptr, *fault_ = nullptr;
    llvm::PHINode* fault_kind_ = nullptr;
    TransitionId current_ = 0;
    std::map<std::pair<SlotId, int>, llvm::GlobalVariable*> tables_;
    std::map<TableId, llvm::GlobalVariable*> constants_;
};

}  // namespace

bool can_compile(const Model& model) {
    const auto simple = [](const Effect& effect) {
        const auto* shift = std::get_if<Shift>(&effect);
        return shift == nullptr || shift->first.is_constant();
    };
    return model.composition == Composition::interleaving && !model.observer && !model.atomic && !model.has_priorities &&
           std::all_of(model.transitions.begin(), model.transitions.end(),
                       [&](const Transition& t) { return std::all_of(t.effects.begin(), t.effects.end(), simple); });
}

std::size_t most_successors(const Model& model) {
    std::size_t most = model.free_transitions.size();
    for (const Process& process : model.processes) {
        std::size_t widest = 0;
        for (const std::vector<TransitionId>& out : process.outgoing) widest = std::max(widest, out.size());
        most += widest;
    }
    return most;
}

GeneratedCode generate(const Model& model, const Layout& layout, const KeyProgram& key) {
    Compiler compiler(model, layout, key);
    compiler.build();
    assert(!llvm::verifyModule(compiler.module(), &llvm::errs()));
    std::unique_ptr<llvm::Module> module = compiler.take_module();
    return {compiler.take_context(), std::move(module)};
}

}  // namespace tideline
