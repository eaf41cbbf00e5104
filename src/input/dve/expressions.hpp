// DVE expressions to Model expressions, with the checks that need names and types.
#pragma once

#include <set>

#include "input/dve/scope.hpp"
#include "support/diagnostic.hpp"

namespace tideline::input::dve {

// The processes' own names, for P.s and P->x.
struct ProcessNames {
    Scope scope;
    std::map<std::string, model::Value> locations;
    std::vector<std::string> location_names;
};

class ExpressionTranslator {
public:
    ExpressionTranslator(const support::SourceText& source, model::Model& model, const Scope& globals,
                         const std::vector<ProcessNames>& processes, support::Diagnostics& diagnostics)
        : source_(source), model_(model), globals_(globals), processes_(processes), diagnostics_(diagnostics) {}

    // An error is reported and 0 returned where the expression is wrong.
    model::Expression translate(const Expr& expr, const Scope& scope);
    // The value of an expression that must be constant; nothing where it is not (reported).
    std::optional<model::Value> constant(const Expr& expr, const Scope& scope, const std::string& purpose);
    // The target of an assignment or of a receive.
    std::optional<model::Target> target(const Expr& expr, const Scope& scope);

    // The process that the file has but the model has not.
    void leave_out(std::string process) { left_out_ = std::move(process); }

    void error(support::SourceSpan span, std::string message, std::string hint = {});
    void warning(support::SourceSpan span, std::string message, std::string hint = {});
    [[nodiscard]] std::size_t error_count() const { return error_count_; }
    // The scope of the process that is named, or null (reported).
    const ProcessNames* process(const Name& name);

private:
    const Symbol* resolve(const Expr& expr, const Scope& scope);
    // Whether only an array is given an index; reported where not. An array without one is its first element.
    bool index_fits(const Expr& expr, const Symbol& symbol, std::optional<model::Expression>& index);
    model::Expression variable(const Expr& expr, const Scope& scope);
    model::Expression location(const Expr& expr);
    model::Expression chain(const Expr& expr, const Scope& scope);
    void warn_of_precedence(const Expr& chain);
    [[nodiscard]] std::string unknown_name_hint(const std::string& name, const Scope& where, bool foreign) const;

    const support::SourceText& source_;
    model::Model& model_;
    const Scope& globals_;
    const std::vector<ProcessNames>& processes_;
    support::Diagnostics& diagnostics_;
    std::size_t error_count_ = 0;
    std::string left_out_;
    std::set<std::uint32_t> warned_arrays_;  // by their positions in the file: once per position
};

}  // namespace tideline::input::dve
