// SPIN's control flow, rule by rule (Spin 6.5.2, observed by `pan -d` and by counting states; tests/promela/cases).
//
// The statements of a process become elements. An if has one more element behind it, where its options meet; a do has
// one before it, to which its options return, and one behind it, which break leads to; an unless has one behind it.
// None of these is a step where control passes through them, nor is goto: a step leads on to the first element that is
// something else. There is one exception, from which much follows: a step that continues an atomic sequence does not
// pass an element from which control leaves the sequence. It stops there, and leaving is a step of its own. That is
// invisible as long as the process goes on alone, but not when a rendezvous hands control to the receiver.
//
// A choice or block is a location. Its steps are those of its first statements, recursively, in the order of the text;
// else comes last in its own choice, but not behind the options of a choice around it: it is possible where none of the
// steps *before* it is. Labels on what is skipped that way (accept, end, progress) hold where the step leads.
//
// The escapes of unless are attached to every element inside; their steps are tried before the location's own ones, in
// reverse, those of the outermost unless first. Where one is possible only steps of the same escape are.
#include "input/promela/control.hpp"

#include <algorithm>
#include <deque>
#include <set>
#include <string_view>

namespace tideline::input::promela {
namespace {

struct Element;

struct Chain {
    Element* first = nullptr;
    Element* last = nullptr;
    Element* extent = nullptr;  // the last one that is written, without the element where the options meet
};

// A step of a location: the one of that element, and the escape that it belongs to.
struct Step {
    Element* of = nullptr;
    const Element* escape = nullptr;
};

struct Element {
    enum class Kind : std::uint8_t { basic, jump, choice, unless, block, d_step, meeting, after_loop, end };
    Kind kind = Kind::basic;
    const Statement* statement = nullptr;
    Element* next = nullptr;
    std::vector<Chain> parts;           // options, main part and escape, contents
    std::vector<const Chain*> escapes;  // the outermost first
    std::vector<Element*> escape_starts;
    const Element* d_step = nullptr;  // the outermost one around it
    std::string target;               // of goto
    Element* destination = nullptr;   // of break
    bool atomic = false;              // its step continues an atomic sequence
    bool ends_atomic = false;         // it is the last one of an atomic sequence
    bool is_done = false;
    bool is_end = false;
    bool is_accepting = false;
    bool is_progress = false;
    std::vector<std::string> labels;
    Element* to = nullptr;          // where its step leads
    std::vector<Element*> entries;  // of a choice or block: where its steps begin
    std::vector<Step> steps;        // of the location
    [[nodiscard]] bool is_choice() const { return kind == Kind::choice || kind == Kind::block; }
    [[nodiscard]] bool is_atomic() const { return atomic || ends_atomic; }
};

using Kind = Element::Kind;

class Builder {
public:
    explicit Builder(const Process& process) : process_(process) {}

    Control run() {
        Chain body;
        for (const StatementPtr& statement : process_.body) append(*statement, body);
        Element& end = make(Kind::end, nullptr);
        end.is_end = true;
        append(end, body);
        body.extent = body.last;
        tie_ends();
        tie(body);
        flatten();
        collect_steps();
        attach_escapes();
        pass_on_end_labels();
        return number(body.first, end);
    }

private:
    // ---- elements
    // -----------------------------------------------------------------------------------------------------

    Element& make(Kind kind, const Statement* statement) {
        Element& result = elements_.emplace_back();
        result.kind = kind;
        result.statement = statement;
        result.d_step = d_step_;
        return result;
    }
    static void append(Element& element, Chain& chain) {
        if (chain.first == nullptr) chain.first = &element;
        else chain.last->next = &element;
        chain.last = &element;
    }
    Chain chain(const Sequence& sequence) {
        Chain result;
        for (const StatementPtr& statement : sequence) append(*statement, result);
        result.extent = result.last;
        return result;
    }
    void give_labels(const Statement& statement, Element& element) {
        for (const std::string& label : statement.labels) {
            labels_[label] = &element;
            element.labels.push_back(label);
            const std::string_view name = label;
            if (name.substr(0, 3) == "end") element.is_end = true;
            if (name.substr(0, 6) == "accept") element.is_accepting = true;
            if (name.substr(0, 8) == "progress") element.is_progress = true;
        }
    }

    void append(const Statement& statement, Chain& out) {
        switch (statement.kind) {
            case Statement::Kind::selection:
            case Statement::Kind::repetition: append_choice(statement, out); return;
            case Statement::Kind::block: append_block(statement, out); return;
            case Statement::Kind::unless: append_unless(statement, out); return;
            case Statement::Kind::jump:
            case Statement::Kind::leave: {
                Element& jump = make(Kind::jump, &statement);
                if (statement.kind == Statement::Kind::jump) jump.target = statement.text;
                else breaks_.back().push_back(&jump);
                give_labels(statement, jump);
                append(jump, out);
                return;
            }
            default: break;
        }
        Element& basic = make(Kind::basic, &statement);
        give_labels(statement, basic);
        append(basic, out);
    }

    static bool begins_with_else(const Chain& option) {
        return option.first->kind == Kind::basic && option.first->statement->kind == Statement::Kind::otherwise;
    }

    void append_choice(const Statement& statement, Chain& out) {
        const bool loop = statement.kind == Statement::Kind::repetition;
        if (loop) breaks_.emplace_back();
        std::vector<Chain> options;
        for (const Sequence& option : statement.options) options.push_back(chain(option));
        std::stable_partition(options.begin(), options.end(), [](const Chain& o) { return !begins_with_else(o); });
        Element& choice = make(Kind::choice, &statement);
        Element& meeting = make(Kind::meeting, &statement);
        for (Chain& option : options) append(meeting, option);
        choice.parts = std::move(options);
        give_labels(statement, choice);
        if (!loop) {
            append(choice, out);
            append(meeting, out);
            return;
        }
        append(meeting, out);
        Element& after = make(Kind::after_loop, &statement);
        for (Element* jump : breaks_.back()) jump->destination = &after;
        breaks_.pop_back();
        append(choice, out);
        append(after, out);
    }

    void append_block(const Statement& statement, Chain& out) {
        using Atomicity = Statement::Atomicity;
        const bool outer = d_step_ == nullptr && statement.atomicity == Atomicity::d_step;
        if (!outer) {
            Chain inner = chain(statement.options[0]);
            if (statement.atomicity != Atomicity::none) make_atomic(inner);
            Element& block = make(Kind::block, &statement);
            block.parts.push_back(inner);
            give_labels(statement, block);
            append(block, out);
            return;
        }
        Element& block = make(Kind::d_step, &statement);
        d_step_ = &block;
        Chain inner = chain(statement.options[0]);
        d_step_ = nullptr;
        make_atomic(inner);
        block.parts.push_back(inner);
        give_labels(statement, block);
        append(block, out);
    }

    // A block without a name is itself the main part or the escape. With a label, it is a block around the whole.
    void append_unless(const Statement& statement, Chain& out) {
        const auto part = [&](const Sequence& sequence, bool open) {
            const bool plain = sequence.size() == 1 && sequence[0]->kind == Statement::Kind::block &&
                               sequence[0]->labels.empty() &&
                               (open || sequence[0]->atomicity == Statement::Atomicity::none);
            return chain(plain ? sequence[0]->options[0] : sequence);
        };
        const Sequence& main = statement.options[0];
        const bool lifted = !statement.labels.empty() && main.size() == 1 && main[0]->kind == Statement::Kind::block;
        Chain first = part(main, lifted);
        if (lifted && main[0]->atomicity != Statement::Atomicity::none) make_atomic(first);
        Chain escape = part(statement.options[1], false);
        Element& unless = make(Kind::unless, &statement);
        Element& meeting = make(Kind::meeting, &statement);
        append(meeting, first);
        append(meeting, escape);
        unless.parts.push_back(first);
        unless.parts.push_back(escape);
        attach(unless.parts[0], unless.parts[1]);
        if (!lifted) {
            give_labels(statement, unless);
            append(unless, out);
            append(meeting, out);
            return;
        }
        Chain whole;
        append(unless, whole);
        append(meeting, whole);
        whole.extent = whole.last;
        Element& block = make(Kind::block, &statement);
        block.parts.push_back(whole);
        give_labels(statement, block);
        append(block, out);
    }

    // ---- atomic sequences
    // ---------------------------------------------------------------------------------------------

    static void mark_atomic(const Chain& chain) {
        for (Element* e = chain.first;; e = e->next) {
            e->atomic = true;
            if (e->kind != Kind::d_step)
                for (const Chain& part : e->parts) mark_atomic(part);
            if (e == chain.last) return;
        }
    }
    static void make_atomic(const Chain& chain) {
        mark_atomic(chain);
        Element* last = chain.last;
        if (last->kind == Kind::block || last->kind == Kind::unless) {
            make_atomic(last->parts[0]);
            return;
        }
        last->atomic = false;
        last->ends_atomic = true;
    }

    // ---- escapes
    // ------------------------------------------------------------------------------------------------------

    static void attach(const Chain& chain, const Chain& escape) {
        for (Element* e = chain.first; e != nullptr; e = e->next) {
            attach(*e, escape);
            if (e == chain.extent) return;
        }
    }
    static void attach(Element& element, const Chain& escape) {
        if (std::find(element.escapes.begin(), element.escapes.end(), &escape) != element.escapes.end()) return;
        for (const Chain* inner : element.escapes) attach(*inner, escape);
        element.escapes.insert(element.escapes.begin(), &escape);
        switch (element.kind) {
            case Kind::unless: attach(element.parts[0], escape); break;
            case Kind::choice:
            case Kind::block:
                for (const Chain& part : element.parts) attach(part, escape);
                break;
            default: break;
        }
    }

    // ---- where steps lead
    // ---------------------------------------------------------------------------------------------

    Element* destination(const Element& jump) const {
        return jump.target.empty() ? jump.destination : labels_.at(jump.target);
    }

    // Where control comes to rest.
    Element* rest(Element* from, bool atomic) const {
        Element* at = from;
        for (std::size_t hops = 0; hops <= elements_.size(); ++hops) {  // goto in a circle: it stays where it is
            Element* further = nullptr;
            switch (at->kind) {
                case Kind::jump: further = destination(*at); break;
                case Kind::meeting:
                case Kind::after_loop: further = at->next; break;
                case Kind::unless: at = rest(at->parts[0].first, atomic); continue;
                default: break;
            }
            if (further == nullptr || (atomic && !further->atomic)) return at;
            at = further;
        }
        return at;
    }
    // Where a choice or block begins.
    static Element* beginning(Element* first) {
        for (;;) {
            if (first->kind == Kind::meeting && first->next != nullptr) first = first->next;
            else if (first->kind == Kind::unless) first = first->parts[0].first;
            else return first;
        }
    }

    // What follows the last element of a block, as jumps see it that come before the block.
    void tie_ends() {
        for (auto e = elements_.rbegin(); e != elements_.rend(); ++e) {
            if ((e->kind != Kind::block && e->kind != Kind::d_step) || e->next == nullptr) continue;
            Element* behind = e->next;
            while (behind != nullptr && behind->kind == Kind::meeting) behind = behind->next;
            if (e->parts[0].last->next == nullptr) e->parts[0].last->next = behind;
        }
    }

    void tie(const Chain& chain) {
        for (Element* e = chain.first; e != nullptr; e = e->next) {
            if (!e->is_done) {
                e->is_done = true;
                tie(*e);
            }
            if (e == chain.last) return;
        }
    }
    void tie(Element& e) {
        switch (e.kind) {
            case Kind::unless: tie(e.parts[0]); return;
            case Kind::choice:
                for (const Chain& part : e.parts) e.entries.push_back(beginning(part.first));
                for (const Chain& part : e.parts) tie(part);
                return;
            case Kind::block:
                patch_jumps(e.parts[0]);
                e.entries.push_back(beginning(e.parts[0].first));
                e.parts[0].last->next = e.next;
                tie(e.parts[0]);
                return;
            case Kind::d_step:
                patch_jumps(e.parts[0]);
                e.parts[0].last->next = e.next;
                e.to = rest(e.next, e.atomic);
                tie_inside(e.parts[0], e);
                break;
            case Kind::jump: e.to = rest(destination(e), e.atomic); break;
            case Kind::end: break;
            default: e.to = rest(e.next, e.atomic); break;
        }
        if (e.kind == Kind::meeting) return;
        for (const Chain* escape : e.escapes) e.escape_starts.push_back(rest(escape->first, e.atomic));
        for (const Chain* escape : e.escapes) tie(*escape);
    }

    // A jump out of an atomic sequence ends it; one from its end into an atomic sequence goes on.
    void patch_jumps(const Chain& chain) const {
        for (Element* e = chain.first; e != nullptr; e = e->next) {
            if (e->kind == Kind::jump) {
                const bool into_atomic = destination(*e)->is_atomic();
                if (e->is_atomic() && !into_atomic) {
                    e->atomic = false;
                    e->ends_atomic = true;
                }
                if (e->ends_atomic && into_atomic) {
                    e->ends_atomic = false;
                    e->atomic = true;
                }
            } else if (e->kind == Kind::choice || e->kind == Kind::unless) {
                for (const Chain& part : e->parts) patch_jumps(part);
            }
            if (e == chain.extent) return;
        }
    }

    // Inside a d_step control passes through everything that is no statement.
    void tie_inside(const Chain& chain, Element& d_step) {
        for (Element* e = chain.first; e != nullptr; e = e->next) {
            if (!e->is_done) {
                e->is_done = true;
                for (const Chain& part : e->parts) {
                    if (e->is_choice()) e->entries.push_back(beginning(part.first));
                    if (e->kind == Kind::block) part.last->next = e->next;
                    tie_inside(part, d_step);
                }
                if (e->kind == Kind::jump) e->to = rest_inside(destination(*e), d_step);
                else if (!e->is_choice() && e->kind != Kind::unless) e->to = rest_inside(e->next, d_step);
            }
            if (e == chain.last) return;
        }
    }
    Element* rest_inside(Element* from, const Element& d_step) const {
        Element* at = from;
        for (std::size_t hops = 0; at->d_step == &d_step && hops <= elements_.size(); ++hops) {
            Element* further = nullptr;
            if (at->kind == Kind::jump) further = destination(*at);
            else if (at->kind == Kind::meeting || at->kind == Kind::after_loop) further = at->next;
            else if (at->kind == Kind::unless) further = at->parts[0].first;
            if (further == nullptr) return at;
            at = further;
        }
        return at->d_step == &d_step ? at : d_step.to;
    }

    // ---- steps of locations
    // -------------------------------------------------------------------------------------------

    static void pass_on_labels(const Element& from, Element* to) {
        if (to == nullptr) return;
        to->is_end |= from.is_end;
        to->is_accepting |= from.is_accepting;
        to->is_progress |= from.is_progress;
    }

    // A choice that begins an option belongs to the choice around it.
    void flatten() {
        bool changed = true;
        while (changed) {
            changed = false;
            for (Element& e : elements_) {
                if (std::none_of(e.entries.begin(), e.entries.end(), [](const Element* x) { return x->is_choice(); }))
                    continue;
                std::vector<Element*> entries;
                for (Element* entry : e.entries) {
                    if (!entry->is_choice()) {
                        entries.push_back(entry);
                        continue;
                    }
                    for (Element* inner : entry->entries) {
                        entries.push_back(inner);
                        pass_on_labels(*entry, inner);
                    }
                }
                e.entries = std::move(entries);
                changed = true;
            }
        }
    }

    void collect_steps() {
        for (Element& e : elements_) {
            if (e.is_choice()) {
                for (Element* entry : e.entries) {
                    e.steps.push_back({entry, nullptr});
                    pass_on_labels(*entry, entry->to);
                }
            } else if (e.kind != Kind::unless) {
                e.steps.push_back({&e, nullptr});
            }
        }
    }

    void attach_escapes() {
        for (Element& e : elements_) {
            const std::vector<Step> own = e.steps;
            for (const Step& step : own)
                for (auto start = step.of->escape_starts.rbegin(); start != step.of->escape_starts.rend(); ++start) {
                    const std::vector<Step> escape = (*start)->steps;
                    for (const Step& further : escape)
                        if (std::none_of(e.steps.begin(), e.steps.end(),
                                         [&](const Step& s) { return s.of == further.of; }))
                            e.steps.insert(e.steps.begin(), Step{further.of, *start});
                }
        }
    }

    void pass_on_end_labels() {
        for (Element& e : elements_)
            if (e.kind == Kind::meeting && e.is_end && e.steps.size() == 1 && e.to != nullptr) e.to->is_end = true;
    }

    // ---- the result
    // ---------------------------------------------------------------------------------------------------

    Control number(Element* first, Element& end) {
        result_.end = location(&end);
        result_.start = location(rest(first, first->atomic));
        while (!waiting_.empty()) {
            Element* e = waiting_.front();
            waiting_.pop_front();
            add_edges(*e);
        }
        for (const auto& [label, element] : labels_)
            if (const auto found = numbers_.find(element); found != numbers_.end())
                result_.labels[label] = found->second;
        return std::move(result_);
    }

    std::uint32_t location(Element* element) {
        const auto [found, is_new] = numbers_.emplace(element, static_cast<std::uint32_t>(result_.locations.size()));
        if (!is_new) return found->second;
        Location made;
        made.statement = statement_of(*element);
        made.labels = element->labels;
        if (element->d_step != nullptr) made.d_step = element->d_step->statement;
        made.is_end = element->is_end;
        made.is_accepting = element->is_accepting;
        made.is_progress = element->is_progress;
        result_.locations.push_back(std::move(made));
        waiting_.push_back(element);
        return found->second;
    }

    // The step of an element that is no statement does nothing.
    const Statement* statement_of(const Element& element) {
        if (element.kind != Kind::meeting && element.kind != Kind::after_loop) return element.statement;
        const Statement*& known = ends_[&element];
        if (known == nullptr) {
            auto made = std::make_unique<Statement>();
            made->kind = Statement::Kind::leave;
            made->place = element.statement->place;
            known = made.get();
            result_.ends_of_blocks.push_back(std::move(made));
        }
        return known;
    }

    void add_edges(Element& element) {
        const std::uint32_t from = numbers_.at(&element);
        std::vector<std::uint32_t> found;
        for (std::size_t i = 0; i < element.steps.size(); ++i) {
            const Step& step = element.steps[i];
            Element& of = *step.of;
            Edge edge;
            edge.from = from;
            edge.statement = of.kind == Kind::end ? nullptr : statement_of(of);
            edge.to = of.kind == Kind::end ? from : location(of.to);
            edge.continues = of.atomic && element.d_step == nullptr;
            for (std::size_t k = 0; k < i; ++k)
                if (element.steps[k].escape != nullptr && element.steps[k].escape != step.escape)
                    edge.prevented_by.push_back(found[k]);
            if (edge.statement != nullptr && edge.statement->kind == Statement::Kind::otherwise) edge.preceding = found;
            if (of.kind == Kind::d_step) edge.inside = location(beginning(of.parts[0].first));
            found.push_back(static_cast<std::uint32_t>(result_.edges.size()));
            result_.edges.push_back(std::move(edge));
        }
        result_.locations[from].edges = std::move(found);
    }

    const Process& process_;
    Control result_;
    std::deque<Element> elements_;  // in the order in which they are made
    const Element* d_step_ = nullptr;
    std::vector<std::vector<Element*>> breaks_;  // of the loops around, the outermost first
    std::map<std::string, Element*> labels_;
    std::map<const Element*, std::uint32_t> numbers_;
    std::map<const Element*, const Statement*> ends_;
    std::deque<Element*> waiting_;
};

}  // namespace

Control control_flow(const Process& process) { return Builder(process).run(); }

}  // namespace tideline::input::promela
