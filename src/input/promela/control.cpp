#include "input/promela/control.hpp"

#include <algorithm>
#include <deque>
#include <set>
#include <string_view>

namespace tideline::input::promela {
namespace {

// Where control goes: to a statement, or (null) to the end of the process.
struct Target {
    const Statement* statement = nullptr;
};

struct Around {
    Target next;
    const Statement* loop = nullptr;       // the repetition that a break leaves
    bool atomic = false;                   // inside an atomic block
    const Statement* d_step = nullptr;     // the outermost one around it
    std::vector<const Statement*> unless;  // statements whose main part it is in, the outermost first
};

class Builder {
public:
    explicit Builder(const Process& process) : process_(process) {}

    Control run() {
        walk(process_.body, {}, {});
        result_.end = location({});
        result_.start = process_.body.empty() ? result_.end : location(resolve(first(process_.body.front().get())));
        while (!waiting_.empty()) {
            const std::uint32_t next = waiting_.front();
            waiting_.pop_front();
            expand(next);
        }
        for (const auto& [label, statement] : labels_) {
            const auto found = numbers_.find(first(statement).statement);
            if (found != numbers_.end()) result_.labels[label] = found->second;
        }
        return std::move(result_);
    }

private:
    void walk(const Sequence& sequence, Target after, const Around& outer) {
        for (std::size_t i = 0; i < sequence.size(); ++i) {
            const Statement& statement = *sequence[i];
            Around around = outer;
            around.next = i + 1 < sequence.size() ? Target{sequence[i + 1].get()} : after;
            around_[&statement] = around;
            for (const std::string& label : statement.labels) labels_[label] = &statement;
            Around inner = around;
            switch (statement.kind) {
                case Statement::Kind::selection:
                    for (const Sequence& option : statement.options) walk(option, around.next, inner);
                    break;
                case Statement::Kind::repetition:
                    inner.loop = &statement;
                    for (const Sequence& option : statement.options) walk(option, {&statement}, inner);
                    break;
                case Statement::Kind::block:
                    if (statement.atomicity == Statement::Atomicity::atomic) inner.atomic = true;
                    if (statement.atomicity == Statement::Atomicity::d_step && inner.d_step == nullptr)
                        inner.d_step = &statement;
                    walk(statement.options[0], around.next, inner);
                    break;
                case Statement::Kind::unless:
                    inner.unless.push_back(&statement);
                    walk(statement.options[0], around.next, inner);
                    walk(statement.options[1], around.next, around);
                    break;
                default: break;
            }
        }
    }

    // The statement that stands first there.
    static Target first(const Statement* statement) {
        while (statement->kind == Statement::Kind::unless) statement = statement->options[0].front().get();
        return {statement};
    }

    // Where a step to here ends: past goto and break.
    Target resolve(Target target) const {
        std::set<const Statement*> seen;
        while (target.statement != nullptr) {
            const Statement& statement = *target.statement;
            if (statement.kind == Statement::Kind::unless) {
                target = first(&statement);
                continue;
            }
            if (statement.kind != Statement::Kind::jump && statement.kind != Statement::Kind::leave) break;
            if (!seen.insert(&statement).second) break;  // goto in a circle: it stays where it is
            target = destination(statement);
        }
        return target;
    }

    Target destination(const Statement& statement) const {
        if (statement.kind == Statement::Kind::jump) return {labels_.at(statement.text)};
        return around_.at(around_.at(&statement).loop).next;
    }

    std::uint32_t location(Target target) {
        const auto [found, is_new] =
            numbers_.emplace(target.statement, static_cast<std::uint32_t>(result_.locations.size()));
        if (!is_new) return found->second;
        Location made;
        made.statement = target.statement;
        if (target.statement == nullptr) {
            made.is_end = true;
        } else {
            made.d_step = around_.at(target.statement).d_step;
            add_labels(*target.statement, made);
        }
        result_.locations.push_back(std::move(made));
        waiting_.push_back(found->second);
        return found->second;
    }

    void add_labels(const Statement& statement, Location& made) {
        made.labels.insert(made.labels.end(), statement.labels.begin(), statement.labels.end());
        // The label of an unless statement is that of its first statement.
        for (const Statement* outer : around_.at(&statement).unless)
            if (first(outer).statement == &statement)
                made.labels.insert(made.labels.end(), outer->labels.begin(), outer->labels.end());
        for (const std::string_view label : made.labels) {
            if (label.substr(0, 3) == "end") made.is_end = true;
            if (label.substr(0, 6) == "accept") made.is_accepting = true;
            if (label.substr(0, 8) == "progress") made.is_progress = true;
        }
    }

    void expand(std::uint32_t from) {
        const Statement* statement = result_.locations[from].statement;
        if (statement == nullptr) {
            add_edge(from, nullptr, from, false, {});
            return;
        }
        escapes_.clear();
        std::vector<std::uint32_t> found;
        steps(from, *statement, found);
        // else is tried last.
        std::stable_partition(found.begin(), found.end(), [&](std::uint32_t e) {
            return result_.edges[e].statement == nullptr ||
                   result_.edges[e].statement->kind != Statement::Kind::otherwise;
        });
        result_.locations[from].edges = std::move(found);
    }

    std::uint32_t add_edge(std::uint32_t from, const Statement* statement, std::uint32_t to, bool continues,
                           std::vector<std::uint32_t> prevented_by) {
        Edge edge;
        edge.statement = statement;
        edge.from = from;
        edge.to = to;
        edge.continues = continues;
        edge.prevented_by = std::move(prevented_by);
        const auto number = static_cast<std::uint32_t>(result_.edges.size());
        result_.edges.push_back(std::move(edge));
        if (statement == nullptr) result_.locations[from].edges.push_back(number);
        return number;
    }

    // The steps of a statement that are steps of the location.
    void steps(std::uint32_t from, const Statement& statement, std::vector<std::uint32_t>& out) {
        switch (statement.kind) {
            case Statement::Kind::selection:
            case Statement::Kind::repetition:
                for (const Sequence& option : statement.options) steps(from, *option.front(), out);
                return;
            case Statement::Kind::unless: steps(from, *statement.options[0].front(), out); return;
            case Statement::Kind::block:
                if (statement.atomicity != Statement::Atomicity::d_step || around_.at(&statement).d_step != nullptr) {
                    steps(from, *statement.options[0].front(), out);
                    return;
                }
                break;
            default: break;
        }
        const Around& around = around_.at(&statement);
        std::vector<std::uint32_t> prevented_by;
        for (const Statement* outer : around.unless) {
            const auto [found, is_new] = escapes_.try_emplace(outer);
            if (is_new) {
                std::vector<std::uint32_t> escape;
                steps(from, *outer->options[1].front(), escape);
                escapes_[outer] = escape;
                out.insert(out.end(), escape.begin(), escape.end());
            }
            const std::vector<std::uint32_t>& escape = escapes_[outer];
            prevented_by.insert(prevented_by.end(), escape.begin(), escape.end());
        }
        const bool moves = statement.kind == Statement::Kind::jump || statement.kind == Statement::Kind::leave;
        const Target target = resolve(moves ? destination(statement) : around.next);
        const std::uint32_t to = location(target);
        const bool continues = around.atomic && target.statement != nullptr && around_.at(target.statement).atomic;
        const std::uint32_t edge = add_edge(from, &statement, to, continues, std::move(prevented_by));
        if (statement.kind == Statement::Kind::block) {
            const std::uint32_t inside = location(first(statement.options[0].front().get()));
            result_.edges[edge].inside = inside;
        }
        out.push_back(edge);
    }

    const Process& process_;
    Control result_;
    std::map<const Statement*, Around> around_;
    std::map<std::string, const Statement*> labels_;
    std::map<const Statement*, std::uint32_t> numbers_;
    std::map<const Statement*, std::vector<std::uint32_t>> escapes_;
    std::deque<std::uint32_t> waiting_;
};

}  // namespace

Control control_flow(const Process& process) { return Builder(process).run(); }

}  // namespace tideline::input::promela
