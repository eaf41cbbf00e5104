#include "cli/read_search_options.hpp"

#include <algorithm>
#include <charconv>
#include <string>
#include <tuple>
#include <utility>

#include "cli/read_values.hpp"
#include "cli/usage_error.hpp"

namespace tideline::cli {
namespace {

// One of the names that an enumeration has.
template <class Value>
std::optional<UsageError> read_name(const std::string& option, const std::string& what, const std::string& text,
                                    Value& value) {
    const std::optional<Value> found = run::named<Value>(text);
    if (!found)
        return usage_error(option + ": unknown " + what + ' ' + support::in_quotes(text),
                           "expected " + run::names_of<Value>());
    value = *found;
    return std::nullopt;
}

std::optional<UsageError> read_variants(const std::string& names, std::vector<run::EngineVariant>& variants) {
    for (std::size_t begin = 0; begin < names.size();) {
        const std::size_t end = std::min(names.find(',', begin), names.size());
        run::EngineVariant variant{};
        if (std::optional<UsageError> error =
                read_name("--variant", "variant", names.substr(begin, end - begin), variant))
            return error;
        variants.push_back(variant);
        begin = end + 1;
    }
    const auto has = [&](run::EngineVariant variant) { return std::ranges::find(variants, variant) != variants.end(); };
    if (has(run::EngineVariant::plain) && has(run::EngineVariant::early))
        return usage_error("--variant: plain and early exclude each other", "expected one of them");
    return std::nullopt;
}

std::optional<UsageError> read_engine(const GivenOptions& options, run::RunSpec& spec) {
    const OptionValues& values = options.values;
    if (std::optional<UsageError> error = read_name("--engine", "engine", values.engine, spec.engine)) return error;
    if (std::optional<UsageError> error = read_variants(values.variant, spec.variants)) return error;
    spec.progress = progress_choice(options);
    spec.compress = values.compress;
    if (options.has("--change-at")) spec.change_at = values.change_at;
    spec.are_threads_requested = values.threads > 0;
    spec.threads = threads_of(options);
    return read_name("--successors", "way", values.successors, spec.successors);
}

std::optional<UsageError> read_ledger(const GivenOptions& options, run::RunSpec& spec) {
    const std::string& text = options.values.ledger;
    if (text.empty())
        return usage_error("--ledger: the name of the directory is empty", "expected auto, none or a directory");
    using Ledger = run::LedgerChoice;
    spec.ledger = text == "auto"   ? Ledger{}
                  : text == "none" ? Ledger{Ledger::Kind::none, ""}
                                   : Ledger{Ledger::Kind::directory, text};
    if (std::optional<UsageError> error = read_name("--record", "contents", options.values.record, spec.record))
        return error;
    if (options.has("--record") && spec.ledger.kind == Ledger::Kind::none)
        return usage_error("--record: with --ledger none nothing is recorded", "expected --ledger DIR");
    return std::nullopt;
}

// What makes the search smaller.
std::optional<UsageError> read_reductions(const GivenOptions& options, run::RunSpec& spec) {
    const OptionValues& values = options.values;
    if (std::optional<UsageError> error = read_name("--sleep", "choice", values.sleep, spec.sleep)) return error;
    spec.cut_off = values.cut_off;
    if (values.symmetry != "none") spec.symmetry = values.symmetry;
    if (values.symmetry.empty())
        return usage_error("--symmetry: there is no process without a name", "expected none, auto or NAME,...");
    return read_name("--stubborn", "choice", values.stubborn, spec.stubborn);
}

std::optional<UsageError> read_language(const GivenOptions& options, run::RunSpec& spec) {
    const OptionValues& values = options.values;
    if (values.language.empty()) {
        if (options.has("--language")) return usage_error("--language: the name of the file is empty");
        for (const char* option : {"--final", "--hide", "--rename"})
            if (options.has(option))
                return usage_error(std::string(option) + " is for an automaton of labels",
                                   "give one with --language FILE");
        return std::nullopt;
    }
    run::LanguageSpec language;
    language.file = values.language;
    language.hide = values.hide;
    for (const std::string& pair : values.rename) {
        const std::size_t equals = pair.find('=');
        if (equals == std::string::npos || equals == 0)
            return usage_error("--rename: " + support::in_quotes(pair) + " has no name on the left of '='",
                               "expected FROM=TO");
        language.rename.emplace_back(pair.substr(0, equals), pair.substr(equals + 1));
    }
    for (std::size_t at = 0; at < values.final.size();) {
        std::size_t end = at;
        while (end < values.final.size() && values.final[end] >= '0' && values.final[end] <= '9') ++end;
        if (end == at || end - at > 18 || (end < values.final.size() && values.final[end] != ',') ||
            end + 1 == values.final.size())
            return usage_error("--final: " + support::in_quotes(values.final) + " is no list of states",
                               "expected N or N,N,...");
        language.final.push_back(std::stoull(values.final.substr(at, end - at)));
        at = end + 1;
    }
    if (!language.final.empty() && (values.deadlock || !values.end_states.empty()))
        return usage_error("--final says where runs may end", "check --deadlock and --end-states separately");
    spec.language = std::move(language);
    return std::nullopt;
}

std::optional<UsageError> read_deadlocks(const GivenOptions& options, run::RunSpec& spec) {
    const OptionValues& values = options.values;
    if (std::optional<UsageError> error = read_name("--deadlocks", "reading", values.deadlocks, spec.deadlocks))
        return error;
    spec.end_states = values.end_states;
    if (!values.formulas.non_progress) return std::nullopt;
    // Runs that end make no cycle, and other properties read them otherwise.
    if (values.formulas.acceptance || !values.formulas.ltl.empty() || !values.chosen.empty() ||
        !values.properties.empty() || values.deadlock || !values.invariants.empty() || !values.formulas.ctl.empty() ||
        !values.formulas.ctlstar.empty() || options.has("--deadlocks"))
        return usage_error("--non-progress is asked alone", "run the other checks separately");
    spec.deadlocks = run::DeadlockReading::ignore;
    if (spec.end_states.empty()) spec.end_states = "0 == 1";  // proper ends do not count either
    return std::nullopt;
}

// Options of checks of temporal formulas.
std::optional<UsageError> read_branching(const GivenOptions& options, SearchOptions& search) {
    const OptionValues& values = options.values;
    run::RunSpec& spec = search.spec;
    if (std::optional<UsageError> error = read_name("--order", "order", values.order, spec.branching.order))
        return error;
    const bool is_branching = !values.formulas.ctl.empty() || !values.formulas.ctlstar.empty() ||
                              !values.properties.empty() || !values.chosen.empty();
    for (const auto& [name, is_given] :
         {std::pair("--satisfying", values.satisfying), std::pair("--evidence", !values.evidence.empty()),
          std::pair("--evidence-dot", !values.dot.empty())})
        if (is_given && !is_branching)
            return usage_error(std::string(name) + " without a formula of branching time",
                               "give one with --ctl FORMULA or --ctlstar FORMULA");
    if (values.order != "numbers" && values.engine != "prod")
        return usage_error("--order is for the engine prod", "add --engine prod");
    spec.branching.satisfying = values.satisfying;
    spec.branching.list = values.list;
    if (values.list > 0 && !values.satisfying)
        return usage_error("--list without --satisfying", "it shows some of the states that --satisfying counts");
    if (!values.evidence.empty()) {
        std::uint64_t claims = 0;
        const char* const end = values.evidence.data() + values.evidence.size();
        const auto [stop, problem] = std::from_chars(values.evidence.data(), end, claims);
        if (values.evidence != "all" && (stop != end || problem != std::errc() || claims == 0))
            return usage_error("--evidence: unexpected value " + support::in_quotes(values.evidence),
                               "expected --evidence NUMBER>0 or --evidence all");
        spec.branching.evidence = claims;
    }
    if (!values.dot.empty()) search.output.dot = values.dot;
    return std::nullopt;
}

void read_output(const GivenOptions& options, OutputOptions& output) {
    const OptionValues& values = options.values;
    output.quiet = values.quiet;
    output.expect = values.expect;
    output.command = values.command;
    for (const auto& [name, text, path] :
         {std::tuple("--json", &values.json, &output.json),
          std::tuple("--stats", &values.statistics, &output.statistics),
          std::tuple("--junit", &values.junit, &output.junit), std::tuple("--sarif", &values.sarif, &output.sarif),
          std::tuple("--itf", &values.itf, &output.itf), std::tuple("--report", &values.html, &output.html),
          std::tuple("--msc", &values.msc, &output.msc)})
        if (options.has(name)) *path = *text;
}

}  // namespace

std::variant<SearchOptions, UsageError> read_search_options(const GivenOptions& options) {
    SearchOptions search;
    run::RunSpec& spec = search.spec;
    spec.model = model_spec(options);
    spec.chosen = options.values.chosen;
    read_output(options, search.output);
    std::optional<UsageError> error;
    if ((error = read_engine(options, spec)) || (error = read_trace_style(options, search.output.trace)) ||
        (error = read_limits(options, spec.limits)) || (error = read_ledger(options, spec)) ||
        (error = read_states(options, spec.states)) || (error = read_reductions(options, spec)) ||
        (error = read_language(options, spec)) || (error = read_deadlocks(options, spec)) ||
        (error = read_branching(options, search)) ||
        (error = read_name("--fair", "kind of fairness", options.values.fair, spec.fairness)))
        return *std::move(error);
    return search;
}

std::optional<UsageError> check_formulas(const GivenOptions& options, bool takes_several) {
    const FormulaOptions& formulas = options.values.formulas;
    if (formulas.ltl.size() + formulas.automata.size() > 1 && !takes_several)
        return usage_error("more than one --ltl or --automaton is given",
                           "only 'check' takes several; " + options.help_hint);
    if (!formulas.translator.empty() && formulas.ltl.empty() && options.values.properties.empty())
        return usage_error("--ltl-translator without a formula", "give one with --ltl FORMULA");
    return std::nullopt;
}

}  // namespace tideline::cli
