// DVE expressions to Model expressions, with the checks that need names and types.
#pragma once

#include <set>

#include "input/dve/scope.hpp"
#include "support/diagnostic.hpp"

namespace tideline::dve {

// The processes' own names, for P.s and P->x.
struct ProcessNames {
    Scope scope;
    std::map<std::string, Value> locations;
    std::vector<std::string> location_names;
};

class ExpressionTranslator {
public:
    ExpressionTranslator(const SourceText& source, Model& model, const Scope& globals,
                         const std::vector<ProcessNames>& processes, Diagnostics& diagnostics)
        : source_(source), model_(model), globals_(globals), processes_(processes), diagnostics_(diagnostics) {}

    // An error is reported and 0 returned where the expression is wrong.
    Expression translate(const Expr& expr, const Scope& scope);
    // The value of an expression that must be constant; nothing where it is not (reported).
    std::optional<Value> constant(const Expr& expr, const Scope& scope, const std::string& purpose);
    // The target of an assignment or of a receive.
    std::optional<Target> target(const Expr& expr, const Scope& scope);

    // The process that the file has but the model has not.
    void leave_out(std::string process) { left_out_ = std::move(process); }

    void error(SourceSpan span, std::string message, std::string hint = {});
    void warning(SourceSpan span, std::string message, std::string hint = {});
    [[nodiscard]] std::size_t error_count() const { return error_count_; }
    // The scope of the process that is named, or null (reported).
    const ProcessNames* process(const Name& name);

private:
    const Symbol* resolve(const Expr& expr, const Scope& scope);
    // Whether only an array is given an index; reported where not. An array without one is its first element.
    bool index_fits(const Expr& expr, const Symbol& symbol, std::optional<Expression>& index);
    Expression variable(const Expr& expr, const Scope& scope);
    Expression location(const Expr& expr);
    Expression chain(const Expr& expr, const Scope& scope);
    void warn_of_precedence(const Expr& chain);

    const SourceText& source_;
    Model& model_;
    const Scope& globals_;
    const std::vector<ProcessNames>& processes_;
    Diagnostics& diagnostics_;
    std::size_t error_count_ = 0;
    std::string left_out_;
    std::set<std::uint32_t> warned_arrays_;  // by their places in the file: once for each
};

}  // namespace tideline::dve
