// The steps of an audit, in order: open the ledger, find the model, read what else is in the files, walk through all states, decide
// membership, compare. What makes the rest pointless ends the audit with a finding (Objection); everything else is collected.
#include "audit/audit.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <utility>

#include <fmt/format.h>
#include <xxhash.h>

#include "audit/claims.hpp"
#include "audit/fingerprint.hpp"
#include "audit/ledger_file.hpp"
#include "audit/membership.hpp"
#include "audit/unpack.hpp"
#include "reference/load.hpp"
#include "support/file.hpp"
#include "support/quantity.hpp"

namespace tideline {
namespace auditor {
namespace {

struct Interrupted {};

std::string temporary_directory(const AuditSettings& settings) {
    if (!settings.temporary_directory.empty()) return settings.temporary_directory;
    const char* directory = std::getenv("TMPDIR");
    return directory != nullptr && *directory != '\0' ? directory : "/tmp";
}

std::string all_texts(const Diagnostics& diagnostics) {
    std::string result;
    for (const Diagnostic& diagnostic : diagnostics) result += to_text(diagnostic);
    return result;
}

// The parents of all states, one after the other.
class ParentColumn {
public:
    explicit ParentColumn(LedgerFile& ledger) : ledger_(ledger) {}

    std::uint64_t next() {
        while (place_ == records_.count) {
            ledger_.read(Stream::parents, frame_++, records_);
            place_ = 0;
        }
        return records_.parents[place_++];
    }

private:
    LedgerFile& ledger_;
    Records records_;
    std::size_t frame_ = 0;
    std::uint64_t place_ = 0;
};

struct Assertion {
    std::string place;  // process and location: P.s
    std::string condition;
    bool takes_part = true;

    // Goals have the whole text as their formula, or the condition alone, perhaps with the place in their name.
    [[nodiscard]] bool is_meant(const ClaimedGoal& goal) const {
        if (!takes_part) return false;
        if (goal.formula == place + ": " + condition) return true;
        return goal.formula == condition && (goal.name.empty() || goal.name == "assert " + place);
    }
};

class Auditor {
public:
    Auditor(const AuditSettings& settings, AuditReport& report) : settings_(settings), report_(report) {}

    void run(const std::string& directory) {
        LedgerFile ledger(directory);
        claims_ = read_claims(ledger);
        report_.states = ledger.records(Stream::states);
        if (!claims_.complete) throw Objection("the run is not complete: it does not claim to have visited all states");
        find_model();
        for (const ClaimedGoal& goal : claims_.goals) prepare(goal);
        read_other_streams(ledger);
        Membership membership(report_.states, settings_.memory, temporary_directory(settings_));
        visit_states(ledger, membership);
        report_.temporary_bytes = membership.temporary_bytes();
        report_membership(membership);
        compare_counts();
        compare_goals();
    }

private:
    template <class... Values>
    void find(fmt::format_string<Values...> text, Values&&... values) {
        report_.findings.push_back(fmt::format(text, std::forward<Values>(values)...));
    }

    void tick(AuditProgress::Phase phase, std::uint64_t done, std::uint64_t of) const {
        settings_.progress({phase, done, of});
        if (settings_.interrupted()) throw Interrupted();
    }

    void find_model() {
        const std::string path = settings_.model.value_or(claims_.model_path);
        Result<std::string> content = read_text_file(path);
        if (!content) throw AuditError(AuditFault::model, all_texts(content.diagnostics()));
        const std::string hash = fmt::format("{:016x}", XXH3_64bits(content->data(), content->size()));
        if (hash != claims_.model_hash)
            throw Objection(fmt::format("{} is not the model that was explored: its hash is {}, that of the model {}", path, hash,
                                        claims_.model_hash));
        // By its old name: the ending tells the language.
        Result<LoadedModel> loaded = load_model_text(claims_.model_path, *std::move(content), claims_.options);
        if (!loaded) throw AuditError(AuditFault::model, all_texts(loaded.diagnostics()));
        machine_ = reference::make_machine(*loaded, claims_.options);
        if (const auto* program = std::get_if<std::shared_ptr<const dve::Program>>(&loaded->syntax)) list_assertions(**program);
    }

    // By their places in the file, as the machine counts them.
    void list_assertions(const dve::Program& program) {
        for (const dve::Process& process : program.processes) {
            const bool absent = !claims_.options.with_property && program.property && process.name.text == program.property->text;
            for (const dve::Assertion& assertion : process.assertions)
                assertions_.push_back({process.name.text + "." + assertion.location.text,
                                       std::string(program.source.text(assertion.condition->span)), !absent});
        }
    }

    void prepare(const ClaimedGoal& goal) {
        report_.goals.push_back({to_string(goal.kind), goal.formula, goal.violated, 0, 0});
        if (goal.kind == ClaimedGoal::Kind::invariant) {
            const Result<reference::Answer> answer = machine_->evaluate(goal.formula, machine_->initial());
            if (!answer) throw Objection("the invariant cannot be understood: " + all_texts(answer.diagnostics()));
        }
        const bool known = std::any_of(assertions_.begin(), assertions_.end(), [&](const Assertion& a) { return a.is_meant(goal); });
        if (goal.kind == ClaimedGoal::Kind::assertion && !known) throw Objection("the model has no assertion " + in_quotes(goal.formula));
    }

    // States and parents are read later. The others are not part of what is confirmed, but they must be whole.
    void read_other_streams(LedgerFile& ledger) const {
        Records records;
        for (const Stream stream : {Stream::labels, Stream::edges, Stream::numbers, Stream::waiting}) {
            const std::vector<Frame>& frames = ledger.frames(stream);
            for (std::size_t i = 0; i < frames.size(); ++i) {
                tick(AuditProgress::Phase::files, i, frames.size());
                if (stream != Stream::waiting || !ledger.dropped(frames[i])) ledger.read(stream, i, records);
            }
        }
    }

    void visit_states(LedgerFile& ledger, Membership& membership) {
        std::vector<Unpacker> unpackers;
        for (std::size_t i = 0; i < ledger.packings().size(); ++i) unpackers.emplace_back(ledger.packings()[i], i, machine_->names());
        const bool has_parents = ledger.has(Stream::parents);
        if (!has_parents) find("the ledger has no parents: that its {} states can be reached cannot be confirmed", report_.states);
        ParentColumn parents(ledger);
        Records records;
        reference::State state;
        std::uint64_t number = 0;
        for (std::size_t i = 0; i < ledger.frames(Stream::states).size(); ++i) {
            ledger.read(Stream::states, i, records);
            Unpacker& unpacker = unpackers[ledger.frames(Stream::states)[i].packing];
            const std::size_t size = unpacker.state_bytes();
            for (std::uint64_t k = 0; k < records.count; ++k, ++number) {
                constexpr std::uint64_t kBetweenTicks = 256;
                if (number % kBetweenTicks == 0) tick(AuditProgress::Phase::states, number, report_.states);
                unpacker.unpack(std::span(records.bytes).subspan(k * size, size), state);
                visit_state(membership, state, number, has_parents ? std::optional(parents.next()) : std::nullopt);
            }
        }
        tick(AuditProgress::Phase::states, number, report_.states);
        if (number == 0) find("the initial state is not in the ledger: it has no states");
        if (disordered_.count > 0)
            find("{} states have a parent that does not come before them, the first of them is state {} with parent {}", disordered_.count,
                 disordered_.first, disordered_.other);
    }

    // `parent` is nothing where the ledger has no parents.
    void visit_state(Membership& membership, const reference::State& state, std::uint64_t number, std::optional<std::uint64_t> parent) {
        if (number == 0) {
            compare_initial(state);
            if (parent.value_or(0) != 0) find("state 0 is the initial one, but has the parent {}", *parent);
            parent.reset();
        } else if (parent && *parent >= number) {
            disordered_.add(number, *parent);
            parent.reset();
        }
        membership.add_state(key_(state), number, parent.value_or(Membership::kNoParent));

        const std::vector<reference::Step> steps = machine_->steps(state);
        for (const reference::Step& step : steps) {
            if (step.fault != FaultKind::none) {
                ++report_.faults;
                continue;
            }
            ++report_.transitions;
            membership.add_step(key_(step.next), number);
        }
        if (steps.empty()) ++report_.deadlocks;
        evaluate_goals(state, number, steps.empty());
    }

    void compare_initial(const reference::State& state) {
        const reference::State initial = machine_->initial();
        const auto [there, expected] = std::mismatch(state.begin(), state.end(), initial.begin(), initial.end());
        if (there == state.end()) return;
        const std::string& name = machine_->names()[static_cast<std::size_t>(there - state.begin())];
        find("state 0 is not the initial state: '{}' is {} and not {}", name, *there, *expected);
    }

    void evaluate_goals(const reference::State& state, std::uint64_t number, bool deadlock) {
        for (std::size_t i = 0; i < claims_.goals.size(); ++i) {
            if (!is_violated(claims_.goals[i], state, deadlock)) continue;
            AuditedGoal& goal = report_.goals[i];
            if (goal.violations++ == 0) goal.first = number;
        }
    }

    [[nodiscard]] bool is_violated(const ClaimedGoal& goal, const reference::State& state, bool deadlock) const {
        if (goal.kind == ClaimedGoal::Kind::deadlock) return deadlock;
        if (goal.kind == ClaimedGoal::Kind::assertion) {
            const std::vector<reference::Machine::FailedAssertion> failed = machine_->failed_assertions(state);
            return std::any_of(failed.begin(), failed.end(), [&](const auto& f) { return assertions_[f.index].is_meant(goal); });
        }
        const Result<reference::Answer> answer = machine_->evaluate(goal.formula, state);
        return !answer || answer->fault != FaultKind::none || answer->value == 0;
    }

    void report_membership(Membership& membership) {
        const MembershipResult result = membership.decide(
            [&](std::uint64_t done) { tick(AuditProgress::Phase::partitions, done, membership.partitions()); });
        report_.temporary_bytes = membership.temporary_bytes();
        if (result.repeated.count > 0)
            find("{} states are there more than once, the first of them is state {}, which is the same as state {}", result.repeated.count,
                 result.repeated.first, result.repeated.other);
        if (result.missing.count > 0)
            find("{} of {} steps lead to states that are not in the ledger, the first of them from state {}", result.missing.count,
                 report_.transitions, result.missing.first);
        if (result.wrong_parents.count > 0)
            find("{} states are no successors of their parents, the first of them is state {} with parent {}", result.wrong_parents.count,
                 result.wrong_parents.first, result.wrong_parents.other);
    }

    void compare_counts() {
        const auto compare = [this](const char* what, std::uint64_t counted, std::uint64_t claimed) {
            if (counted != claimed) find("the ledger has {} {}, the run claims {}", counted, what, claimed);
        };
        compare("states", report_.states, claims_.states);
        compare("transitions", report_.transitions, claims_.transitions);
        compare("deadlocks", report_.deadlocks, claims_.deadlocks);
        compare("faulty steps", report_.faults, claims_.faults);
    }

    void compare_goals() {
        for (std::size_t i = 0; i < claims_.goals.size(); ++i) {
            const ClaimedGoal& claimed = claims_.goals[i];
            const AuditedGoal& goal = report_.goals[i];
            const bool deadlock = claimed.kind == ClaimedGoal::Kind::deadlock;
            const std::string name = deadlock ? "freedom from deadlocks" : fmt::format("the {} {}", goal.kind, in_quotes(goal.formula));
            if (goal.violations > 0 && !claimed.violated)
                find("{} does not hold: it is violated in {} states, the first of them is state {}", name, goal.violations, goal.first);
            if (goal.violations == 0 && claimed.violated)
                find("{} is claimed to be violated, but holds in all {} states", name, report_.states);
        }
    }

    const AuditSettings& settings_;
    AuditReport& report_;
    Claims claims_;
    std::unique_ptr<reference::Machine> machine_;
    std::vector<Assertion> assertions_;
    FingerprintKey key_;
    Tally disordered_;
};

}  // namespace
}  // namespace auditor

AuditReport audit(const std::string& directory, const AuditSettings& settings) {
    const auto start = std::chrono::steady_clock::now();
    AuditReport report;
    try {
        auditor::Auditor(settings, report).run(directory);
    } catch (const auditor::Objection& objection) {
        report.findings.emplace_back(objection.what());
    } catch (const auditor::Interrupted&) {
        report.interrupted = true;
    }
    report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return report;
}

}  // namespace tideline
