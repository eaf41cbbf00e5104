// The steps of an audit, in order: open the ledger, find the model, read what else is in the files, walk through all
// states, decide membership, compare. What makes the rest pointless ends the audit with a finding (Objection);
// everything else is collected.
#include "audit/audit.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <map>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "audit/audited_system.hpp"
#include "audit/certificate.hpp"
#include "audit/claims.hpp"
#include "audit/cycle_certificate.hpp"
#include "audit/fingerprint.hpp"
#include "audit/json.hpp"
#include "audit/ledger_file.hpp"
#include "audit/membership.hpp"
#include "audit/number_map.hpp"
#include "audit/step_atoms.hpp"
#include "audit/unpack.hpp"
#include "audit/unrooted.hpp"
#include "support/quantity.hpp"

namespace tideline::audit {
namespace {

struct Interrupted {};

// The records of a stream that has one for each state, one after the other.
class Column {
public:
    Column(LedgerFile& ledger, Stream stream) : ledger_(ledger), stream_(stream) {}

    // To the next record, which must exist; returns its index in records().
    std::uint64_t next() {
        while (place_ == records_.count) {
            ledger_.read(stream_, frame_++, records_);
            place_ = 0;
        }
        return place_++;
    }
    [[nodiscard]] const Records& records() const { return records_; }

private:
    LedgerFile& ledger_;
    Stream stream_;
    Records records_;
    std::size_t frame_ = 0;
    std::uint64_t place_ = 0;
};

// The recorded edges of the current state.
struct RecordedEdges {
    std::span<const std::uint64_t> targets;
    std::span<const std::uint64_t> transitions;
    std::span<const std::uint64_t> marks;  // empty where the ledger has none
};

class EdgeColumn {
public:
    explicit EdgeColumn(LedgerFile& ledger) : column_(ledger, Stream::edges) {}

    RecordedEdges next() {
        const std::uint64_t place = column_.next();
        const Records& records = column_.records();
        if (place == 0) begin_ = 0;
        const std::size_t degree = records.degrees[place];
        const std::size_t begin = std::exchange(begin_, begin_ + degree);
        RecordedEdges edges{std::span(records.targets).subspan(begin, degree),
                            std::span(records.transitions).subspan(begin, degree),
                            {}};
        if (!records.marks.empty()) edges.marks = std::span(records.marks).subspan(begin, degree);
        return edges;
    }

private:
    Column column_;
    std::size_t begin_ = 0;  // in the targets
};

// A state that is bytes, with the state of an automaton behind it where there is one.
void unpack_bytes(std::span<const std::uint8_t> bytes, std::size_t own, std::size_t automaton,
                  reference::State& state) {
    state.assign((own + 7) / 8, 0);
    std::memcpy(state.data(), bytes.data(), own);
    if (automaton == 0) return;
    state.push_back(0);
    std::memcpy(&state.back(), bytes.data() + bytes.size() - automaton, automaton);
}

class Auditor {
public:
    Auditor(const AuditSettings& settings, AuditReport& report) : settings_(settings), report_(report) {}

    void run(const std::string& directory) {
        LedgerFile ledger(directory);
        claims_ = read_claims(ledger);
        report_.states = ledger.records(Stream::states);
        if (!claims_.complete) throw Objection("the run is not complete: it does not claim to have visited all states");
        if (claims_.is_of_labels)
            throw Objection(
                "an automaton of labels is beside the model (--language), which an audit does not make again");
        if (claims_.is_reduced)
            throw Objection("the run left steps out by stubborn sets: it does not claim to have visited all states");
        require_known_runs();
        find_system();
        for (const ClaimedProperty& property : claims_.properties) prepare(property);
        look_at_streams(ledger);
        for (reference::State& state : system_->initial_states()) {
            const Fingerprint key = key_(state);
            initial_.push_back({std::move(state), false});
            initial_by_key_.emplace(key, initial_.size() - 1);
        }
        faulty_labels_.assign(labels_, false);
        report_.labels = has_labels_;
        report_.edges = has_edges_;
        // Where there are edges, half of the memory is for their temporary ids.
        std::uint64_t memory = has_edges_ ? settings_.memory / 2 : settings_.memory;
        if (ledger.has(Stream::parents) && parse_json(ledger.engine()).contains("changed_over")) {
            // A quarter for the states whose parents are not known, if that is enough; steps may need some of it.
            const std::uint64_t share = std::max(memory / 4, std::min(memory / 2, Unrooted::bytes(report_.states)));
            unrooted_.emplace(report_.states, share, settings_.temporary_directory);
            memory -= share;
        }
        std::optional<NumberMap> numbers;
        if (has_edges_) numbers.emplace(ledger.records(Stream::numbers), memory, settings_.temporary_directory);
        read_other_streams(ledger, numbers ? &*numbers : nullptr);
        Membership membership(report_.states, memory, settings_.temporary_directory, has_edges_);
        std::optional<CertificateCheck> certificate;
        if (!claims_.branching.empty()) {
            certificate.emplace(claims_, step_atom_texts_, ledger, settings_.memory / 2, settings_.temporary_directory);
            certificate_ = &*certificate;
        }
        visit_states(ledger, membership);
        report_.temporary_bytes = membership.temporary_bytes();
        report_membership(membership, numbers ? &*numbers : nullptr, certificate ? &*certificate : nullptr);
        compare_counts();
        compare_properties();
        if (certificate) check_certificate(*certificate);
        check_runs(ledger, directory);
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

    void find_system() {
        system_ = settings_.program ? audited_program(claims_, *settings_.program)
                                    : audited_model(claims_, settings_.model.value_or(claims_.model_path));
        if (!claims_.automaton.empty())
            system_ = audited_product(
                std::move(system_), claims_.automaton,
                {claims_.ends != "ignore", claims_.end_states, claims_.is_run_sweep() && claims_.fairness == "weak"});
    }

    // Some marks and steps that a run has explored are not made again here.
    void require_known_runs() const {
        if (!claims_.is_run_sweep()) return;
        if (claims_.fairness == "strong") throw Objection("what holds of strongly fair runs has no certificate");
        if (claims_.is_of_process && (claims_.fairness != "none" || claims_.ends == "ignore"))
            throw Objection(
                "which runs count for a property process, by fairness or by how those that end are read, "
                "cannot be confirmed");
    }

    void prepare(const ClaimedProperty& property) {
        report_.properties.push_back({to_string(property.kind), property.formula, property.violated, 0, 0});
        if (property.kind == ClaimedProperty::Kind::deadlock) {
            if (claims_.end_states.empty()) return;
            system_->prepare(claims_.end_states);
            has_end_label_ = true;
            return;
        }
        step_atoms_.emplace_back();
        ++labels_;
        if (property.kind == ClaimedProperty::Kind::atom && look_for_step_atom(property)) return;
        system_->prepare(property);
    }

    // Whether the atom speaks of steps. Names of the model come first.
    bool look_for_step_atom(const ClaimedProperty& property) {
        bool is_expression = true;
        try {
            system_->prepare(property);
        } catch (const Objection&) {
            is_expression = false;
        }
        std::optional<StepAtom> atom = StepAtom::parse(property.formula, is_expression);
        if (!atom) return false;
        if (atom->names_a_process() && !system_->has_processes())
            throw Objection("the system has no processes that " + support::in_quotes(property.formula) +
                            " could be compared with");
        step_atoms_.back() = std::move(atom);
        step_atom_texts_.push_back(property.formula);
        return true;
    }

    // Streams beside states and parents; what cannot be compared is left out.
    void look_at_streams(const LedgerFile& ledger) {
        has_labels_ = ledger.has(Stream::labels);
        const std::size_t count = labels_ + (has_end_label_ ? 1 : 0);
        if (has_labels_ && ledger.label_bytes() != (count + 7) / 8) {
            find("the ledger has {} bytes of labels a state, but there are {} labels", ledger.label_bytes(), count);
            has_labels_ = false;
        }
        has_edges_ = ledger.has(Stream::edges);
        if (has_edges_ && ledger.records(Stream::edges) != report_.states) {
            find("the ledger has the edges of {} states, but {} states", ledger.records(Stream::edges), report_.states);
            has_edges_ = false;
        }
        if (!has_edges_) return;
        has_marks_ = ledger.marks();
        if (has_marks_ == (system_->acceptance_sets() > 0)) return;
        find("the edges of the ledger have {}, but there are {} acceptance sets", has_marks_ ? "marks" : "no marks",
             system_->acceptance_sets());
        has_marks_ = false;
    }

    // The others are read later, unless there is nothing to compare them with. Open states are not confirmed, but their
    // frames must be valid.
    void read_other_streams(LedgerFile& ledger, NumberMap* numbers) const {
        Records records;
        for (const Stream stream : {Stream::labels, Stream::edges, Stream::numbers, Stream::waiting}) {
            if ((stream == Stream::labels && has_labels_) || (stream == Stream::edges && has_edges_)) continue;
            const std::vector<Frame>& frames = ledger.frames(stream);
            for (std::size_t i = 0; i < frames.size(); ++i) {
                tick(AuditProgress::Phase::files, i, frames.size());
                if (stream == Stream::waiting && ledger.dropped(frames[i])) continue;
                ledger.read(stream, i, records);
                if (stream != Stream::numbers || numbers == nullptr) continue;
                for (const auto& [temporary, number] : records.numbers) numbers->add_pair(temporary, number);
            }
        }
    }

    void visit_states(LedgerFile& ledger, Membership& membership) {
        const bool is_bytes = system_->names().empty();
        std::vector<Unpacker> unpackers;
        for (std::size_t i = 0; i < ledger.packings().size(); ++i) {
            const std::size_t bytes = ledger.packings()[i].state_bytes;
            const std::size_t expected = system_->state_bytes() + system_->automaton_bytes();
            if (is_bytes && (bytes < expected || bytes >= expected + 8))
                throw Objection(fmt::format("states have {} bytes and not {}", bytes, expected));
            if (!is_bytes) unpackers.emplace_back(ledger.packings()[i], i, system_->names());
        }
        const bool has_parents = ledger.has(Stream::parents);
        if (!has_parents)
            find("the ledger has no parents: that its {} states can be reached cannot be confirmed", report_.states);
        Column parents(ledger, Stream::parents);
        Column labels(ledger, Stream::labels);
        EdgeColumn edges(ledger);
        Records records;
        reference::State state;
        std::uint64_t number = 0;
        for (std::size_t i = 0; i < ledger.frames(Stream::states).size(); ++i) {
            ledger.read(Stream::states, i, records);
            const std::size_t packing = ledger.frames(Stream::states)[i].packing;
            const std::size_t size = ledger.packings()[packing].state_bytes;
            for (std::uint64_t k = 0; k < records.count; ++k, ++number) {
                constexpr std::uint64_t kBetweenTicks = 256;
                if (number % kBetweenTicks == 0) tick(AuditProgress::Phase::states, number, report_.states);
                const std::span<const std::uint8_t> bytes = std::span(records.bytes).subspan(k * size, size);
                if (is_bytes) unpack_bytes(bytes, system_->state_bytes(), system_->automaton_bytes(), state);
                else unpackers[packing].unpack(bytes, state);
                std::optional<std::uint64_t> parent;
                bool is_unrooted = false;
                if (has_parents) {
                    const std::uint64_t place = parents.next();
                    parent = parents.records().parents[place];
                    // What was discovered before the search changed to a sweep has none.
                    if (unrooted_ && *parent == kUnknownParent) {
                        is_unrooted = true;
                        unrooted_->add_state(number);
                        ++unknown_parents_;
                        parent.reset();
                    }
                }
                std::span<const std::uint8_t> state_labels;
                if (has_labels_) {
                    const std::uint64_t place = labels.next();
                    state_labels =
                        std::span(labels.records().bytes).subspan(place * ledger.label_bytes(), ledger.label_bytes());
                }
                visit_state(membership, state, number, parent, is_unrooted, state_labels,
                            has_edges_ ? std::optional(edges.next()) : std::nullopt);
            }
        }
        tick(AuditProgress::Phase::states, number, report_.states);
        report_initial(ledger, has_parents);
        if (disordered_.count > 0)
            find("{} states have a parent that does not come before them, the first of them is state {} with parent {}",
                 disordered_.count, disordered_.first, disordered_.other);
        if (unknown_processes_.count > 0)
            find(
                "{} states create a process that the run did not know, the first of them is state {}: what lies "
                "behind them was not visited",
                unknown_processes_.count, unknown_processes_.first);
        if (wrong_labels_.count > 0)
            find("{} states have other labels than the ledger says, the first of them is state {}", wrong_labels_.count,
                 wrong_labels_.first);
        if (wrong_degrees_.count > 0)
            find(
                "{} states have more or fewer steps than edges in the ledger, the first of them is state {} with {} edges",
                wrong_degrees_.count, wrong_degrees_.first, wrong_degrees_.other);
        if (wrong_transitions_.count > 0)
            find(
                "{} edges have the transition of another step, the first of them is one of state {} with transition {}",
                wrong_transitions_.count, wrong_transitions_.first, wrong_transitions_.other);
        if (wrong_marks_.count > 0)
            find("{} edges have the marks of another step, the first of them is one of state {} with the marks {:#x}",
                 wrong_marks_.count, wrong_marks_.first, wrong_marks_.other);
    }

    // `parent` is nothing where the ledger has no parents, or not that of this state (`is_unrooted`); `edges` where it
    // has none.
    void visit_state(Membership& membership, const reference::State& state, std::uint64_t number,
                     std::optional<std::uint64_t> parent, bool is_unrooted, std::span<const std::uint8_t> labels,
                     const std::optional<RecordedEdges>& edges) {
        const Fingerprint key = key_(state);
        look_at_initial(state, key, number, parent);
        if (parent && *parent >= number) {
            if (*parent > number && number > 0) disordered_.add(number, *parent);
            parent.reset();
        }
        membership.add_state(key, number,
                             is_unrooted ? Membership::kUnknownParent : parent.value_or(Membership::kNoParent));

        const std::vector<AuditedSystem::Step> steps = system_->steps(state);
        const auto is_faulty = [](const AuditedSystem::Step& step) { return step.fault != model::FaultKind::none; };
        const auto faults = std::count_if(steps.begin(), steps.end(), is_faulty);
        const std::size_t sound = steps.size() - static_cast<std::size_t>(faults);
        report_.faults += static_cast<std::uint64_t>(faults);
        if (std::ranges::any_of(steps, [](const auto& step) { return step.fault == model::FaultKind::instance; }))
            unknown_processes_.add(number);
        report_.transitions += sound;
        const bool are_all = edges && edges->targets.size() == sound;
        if (edges && !are_all) wrong_degrees_.add(number, edges->targets.size());
        std::size_t place = 0;
        for (const AuditedSystem::Step& step : steps) {
            if (is_faulty(step)) continue;
            if (!are_all) {
                membership.add_step(key_(step.next), number);
                continue;
            }
            membership.add_step(key_(step.next), number, edges->targets[place]);
            if (!is_transition_of(step, edges->transitions[place]))
                wrong_transitions_.add(number, edges->transitions[place]);
            if (has_marks_ && edges->marks[place] != step.marks) wrong_marks_.add(number, edges->marks[place]);
            ++place;
        }
        if (steps.empty()) ++report_.deadlocks;
        evaluate_properties(state, number, steps, labels);
    }

    // A transition always has the same actor, if it has not a number that is known.
    bool is_transition_of(const AuditedSystem::Step& step, std::uint64_t transition) {
        if (step.transition) return transition == *step.transition;
        const auto [actor, is_new] = actors_.emplace(transition, step.actor);
        constexpr std::size_t kMost = std::size_t{1} << 24U;
        if (is_new && actors_.size() > kMost) throw Objection("edges have more than 16 million different transitions");
        return actor->second == step.actor;
    }

    // A state that is its own parent is said to be an initial one; state 0 cannot be anything else. Without parents,
    // nothing is said.
    void look_at_initial(const reference::State& state, const Fingerprint& key, std::uint64_t number,
                         std::optional<std::uint64_t> parent) {
        const auto found = initial_by_key_.find(key);
        const bool is_initial = found != initial_by_key_.end();
        if (is_initial) initial_[found->second].is_there = true;
        if (is_initial && unrooted_) unrooted_->add_initial(number);
        const bool is_own_parent = parent == number;
        if (is_own_parent) own_parents_.push_back(number);
        if (number == 0 && parent.value_or(0) != 0) find("state 0 is an initial one, but has the parent {}", *parent);
        if (is_initial && parent && !is_own_parent && number > 0) hidden_initial_.add(number, *parent);
        const bool must_be_initial = number == 0 && unknown_parents_ == 0;
        if (!is_initial && (must_be_initial || is_own_parent)) report_not_initial(state, number);
    }

    void report_not_initial(const reference::State& state, std::uint64_t number) {
        if (number > 0 || initial_.size() > 1) {
            wrong_initial_.add(number);
            return;
        }
        const reference::State& initial = initial_.front().state;
        const auto [there, expected] = std::mismatch(state.begin(), state.end(), initial.begin(), initial.end());
        const auto place = static_cast<std::size_t>(there - state.begin());
        if (system_->names().empty()) {
            find("state 0 is not the initial state");
        } else {
            find("state 0 is not the initial state: '{}' is {} and not {}", system_->names()[place], *there, *expected);
        }
    }

    // Whether the ledger's initial states are those of the system, and are all that it says are.
    void report_initial(const LedgerFile& ledger, bool has_parents) {
        if (wrong_initial_.count > 0)
            find("{} states are their own parents, but no initial states, the first of them is state {}",
                 wrong_initial_.count, wrong_initial_.first);
        if (hidden_initial_.count > 0)
            find("{} initial states have a parent, the first of them is state {} with parent {}", hidden_initial_.count,
                 hidden_initial_.first, hidden_initial_.other);
        const auto missing =
            std::count_if(initial_.begin(), initial_.end(), [](const InitialState& state) { return !state.is_there; });
        if (report_.states == 0) {
            find("the initial state is not in the ledger: it has no states");
        } else if (missing > 0 && (initial_.size() > 1 || unknown_parents_ > 0)) {
            find("{} of the {} initial states are not in the ledger", missing, initial_.size());
        }
        if (has_parents && own_parents_ != ledger.initial())
            find("the journal lists {} initial states, but not those {} that are their own parents",
                 ledger.initial().size(), own_parents_.size());
    }

    // Of a property other than deadlock, with this label.
    bool is_true(const ClaimedProperty& property, std::size_t label, const reference::State& state) {
        if (property.kind != ClaimedProperty::Kind::atom) return system_->holds(property, state);
        const reference::Answer answer = system_->evaluate(property.formula, state);
        if (answer.fault != model::FaultKind::none) faulty_labels_[label] = true;
        return answer.fault == model::FaultKind::none && answer.value != 0;
    }

    // Where the condition cannot be evaluated, it is none.
    [[nodiscard]] bool is_proper_end(const reference::State& state) const {
        const reference::Answer answer = system_->evaluate(claims_.end_states, state);
        return answer.fault == model::FaultKind::none && answer.value != 0;
    }

    // Bit i of the labels is what the i-th property is that is none of deadlocks; that of an atom that speaks of steps
    // is 0. Then comes whether the state would be a proper end, where deadlocks are looked for and some are proper
    // ends. The bits behind the last are 0.
    void evaluate_properties(const reference::State& state, std::uint64_t number,
                             const std::vector<AuditedSystem::Step>& steps, std::span<const std::uint8_t> labels) {
        std::vector<std::uint8_t> expected(labels.size());
        std::size_t label = 0;
        const auto set = [&] {
            expected[label / 8] = static_cast<std::uint8_t>(expected[label / 8] | 1U << (label % 8));
        };
        const bool is_end = has_end_label_ && (steps.empty() || !labels.empty()) && is_proper_end(state);
        for (std::size_t i = 0; i < claims_.properties.size(); ++i) {
            const bool of_deadlocks = claims_.properties[i].kind == ClaimedProperty::Kind::deadlock;
            const bool of_steps = !of_deadlocks && step_atoms_[label].has_value();
            const bool violated = of_deadlocks ? steps.empty() && !is_end
                                  : of_steps   ? !step_atoms_[label]->is_true(steps)
                                               : !is_true(claims_.properties[i], label, state);
            if (of_steps && certificate_ != nullptr) certificate_->add_step_value(!violated);
            if (!of_deadlocks) {
                if (!labels.empty() && !violated && !of_steps) set();
                ++label;
            }
            if (!violated) continue;
            AuditedProperty& property = report_.properties[i];
            if (property.violations++ == 0) property.first = number;
        }
        if (is_end && !labels.empty()) set();
        if (!std::equal(labels.begin(), labels.end(), expected.begin())) wrong_labels_.add(number);
    }

    void report_membership(Membership& membership, NumberMap* numbers, CertificateCheck* certificate) {
        const std::uint64_t partitions = membership.partitions() + (numbers == nullptr ? 0 : numbers->partitions());
        const MembershipResult result = membership.decide(
            [&](std::uint64_t done) { tick(AuditProgress::Phase::partitions, done, partitions); },
            [&](std::uint64_t temporary, std::uint64_t number, std::uint64_t source) {
                numbers->add_edge(temporary, number, source);
            },
            [&](std::uint64_t source, std::uint64_t target) { unrooted_->add_step(source, target); },
            certificate == nullptr
                ? Membership::OnEdge()
                : [&](std::uint64_t source, std::uint64_t target) { certificate->add_edge(source, target); });
        report_.temporary_bytes = membership.temporary_bytes();
        if (result.repeated.count > 0)
            find("{} states are there more than once, the first of them is state {}, which is the same as state {}",
                 result.repeated.count, result.repeated.first, result.repeated.other);
        if (result.missing.count > 0)
            find("{} of {} steps lead to states that are not in the ledger, the first of them from state {}",
                 result.missing.count, report_.transitions, result.missing.first);
        if (result.wrong_parents.count > 0)
            find("{} states are no successors of their parents, the first of them is state {} with parent {}",
                 result.wrong_parents.count, result.wrong_parents.first, result.wrong_parents.other);
        if (result.wrong_targets.count > 0)
            find("{} edges do not lead to where the steps lead, the first of them from state {} to state {}",
                 result.wrong_targets.count, result.wrong_targets.first, result.wrong_targets.other);
        if (unrooted_) report_unrooted(membership.partitions(), partitions);
        if (numbers != nullptr) report_numbers(*numbers, membership.partitions(), partitions);
    }

    void report_unrooted(std::uint64_t done, std::uint64_t partitions) {
        const Tally unreached = unrooted_->decide([&] { tick(AuditProgress::Phase::partitions, done, partitions); });
        report_.temporary_bytes += unrooted_->temporary_bytes();
        if (unreached.count > 0)
            find(
                "{} of {} states that were discovered before the search changed to the sweep cannot be reached, the first of them is state {}",
                unreached.count, unknown_parents_, unreached.first);
    }

    void report_numbers(NumberMap& numbers, std::uint64_t done_before, std::uint64_t partitions) {
        const NumberMapResult result = numbers.decide(
            [&](std::uint64_t done) { tick(AuditProgress::Phase::partitions, done_before + done, partitions); });
        report_.temporary_bytes += numbers.temporary_bytes();
        if (result.contradictory.count > 0)
            find("{} temporary ids stand for several states, the first of them is {}", result.contradictory.count,
                 result.contradictory.first);
        if (result.unresolved.count > 0)
            find("{} edges have temporary ids that stand for no state, the first of them is {}, from state {}",
                 result.unresolved.count, result.unresolved.other, result.unresolved.first);
        if (result.wrong.count > 0)
            find(
                "{} edges have temporary ids that stand for other states than the steps lead to, "
                "the first of them from state {} to state {}",
                result.wrong.count, result.wrong.first, result.wrong.other);
    }

    // Only where everything that it rests on was confirmed.
    void check_certificate(CertificateCheck& certificate) {
        for (const BranchingClaim& claim : claims_.branching)
            report_.formulas.push_back({claim.name, claim.formula, "unknown", false});
        if (!report_.findings.empty()) return;
        if (labels_ > 0 && !has_labels_)
            return find("the ledger has no labels: what formulas of CTL say cannot be confirmed");
        const CertificateResult result = certificate.decide(faulty_labels_, report_.faults > 0,
                                                            [&] { tick(AuditProgress::Phase::certificate, 0, 1); });
        report_.temporary_bytes += certificate.temporary_bytes();
        report_.findings.insert(report_.findings.end(), result.findings.begin(), result.findings.end());
        for (std::size_t i = 0; i < report_.formulas.size(); ++i) {
            if (!result.answers[i].empty()) report_.formulas[i].answer = result.answers[i];
            report_.formulas[i].is_confirmed = result.confirmed[i];
        }
    }

    // That a linear-time property holds, where there is a certificate and everything that it rests on was confirmed.
    void check_runs(LedgerFile& ledger, const std::string& directory) {
        if (claims_.of_runs.size() != 1 || !claims_.properties.empty() || !report_.findings.empty()) return;
        const bool has_automaton = !claims_.automaton.empty();
        std::uint64_t required =
            system_->acceptance_sets() >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << system_->acceptance_sets()) - 1;
        // A property process without accepting locations accepts nothing: a mark that no edge has.
        if (!has_automaton && required == 0) required = 1;
        const CycleCheck check = has_edges_ ? check_cycles(ledger, directory, required, report_.states,
                                                           [&] { tick(AuditProgress::Phase::partitions, 0, 1); })
                                            : CycleCheck();
        if (!check.has_certificate) return;
        report_.findings.insert(report_.findings.end(), check.findings.begin(), check.findings.end());
        if (report_.faults > 0) find("behind faulty steps nothing is known of runs");
        if (has_automaton && !settings_.automaton) find("the automaton could not be made again from the property");
        if (has_automaton && settings_.automaton && *settings_.automaton != claims_.automaton)
            find("the automaton of the ledger is not that of the property");
        if (report_.findings.empty()) report_.of_runs = claims_.of_runs;
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

    void compare_properties() {
        for (std::size_t i = 0; i < claims_.properties.size(); ++i) {
            const ClaimedProperty& claimed = claims_.properties[i];
            if (claimed.kind == ClaimedProperty::Kind::atom) continue;
            const AuditedProperty& property = report_.properties[i];
            const bool deadlock = claimed.kind == ClaimedProperty::Kind::deadlock;
            const std::string name =
                deadlock ? "freedom from deadlocks"
                         : fmt::format("the {} {}", property.kind, support::in_quotes(property.formula));
            if (property.violations > 0 && !claimed.violated)
                find("{} does not hold: it is violated in {} states, the first of them is state {}", name,
                     property.violations, property.first);
            if (property.violations == 0 && claimed.violated)
                find("{} is claimed to be violated, but holds in all {} states", name, report_.states);
        }
    }

    const AuditSettings& settings_;
    AuditReport& report_;
    Claims claims_;
    std::unique_ptr<AuditedSystem> system_;
    std::size_t labels_ = 0;
    bool has_end_label_ = false;                       // behind those
    std::vector<std::optional<StepAtom>> step_atoms_;  // by label
    std::vector<std::string> step_atom_texts_;
    CertificateCheck* certificate_ = nullptr;
    std::vector<bool> faulty_labels_;  // in some state
    bool has_labels_ = false;
    bool has_edges_ = false;
    bool has_marks_ = false;
    std::map<std::uint64_t, std::uint64_t> actors_;  // of transitions
    FingerprintKey key_;
    struct InitialState {
        reference::State state;
        bool is_there = false;  // in the ledger
    };
    std::vector<InitialState> initial_;  // of the system
    std::map<Fingerprint, std::size_t> initial_by_key_;
    std::vector<std::uint64_t> own_parents_;  // states of the ledger
    Tally wrong_initial_;
    Tally hidden_initial_;
    std::uint64_t unknown_parents_ = 0;  // states
    std::optional<Unrooted> unrooted_;   // these, where the run may have some
    Tally disordered_;
    Tally wrong_labels_;
    Tally unknown_processes_;
    Tally wrong_degrees_;
    Tally wrong_transitions_;
    Tally wrong_marks_;
};

}  // namespace

AuditReport audit(const std::string& directory, const AuditSettings& settings) {
    const auto start = std::chrono::steady_clock::now();
    AuditReport report;
    try {
        Auditor(settings, report).run(directory);
    } catch (const audit::Objection& objection) {
        report.findings.emplace_back(objection.what());
    } catch (const Interrupted&) {
        report.interrupted = true;
    }
    report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return report;
}

}  // namespace tideline::audit
