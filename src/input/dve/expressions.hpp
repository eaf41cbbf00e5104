// DVE expressions to Model expressions, with the checks that need names and types.
#pragma once

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

    void error(SourceSpan span, std::string message, std::string hint = {});
    void warning(SourceSpan span, std::string message, std::string hint = {});
    [[nodiscard]] std::size_t error_count() const { return error_count_; }
    // The scope of the process that is named, or null (reported).
    const ProcessNames* process(const Name& name);

private:
    const Symbol* resolve(const Expr& expr, const Scope& scope);
    // Whether an array is given an index, and nothing else is; reported where not.
    bool index_fits(const Expr& expr, const Symbol& symbol);
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
};

}  // namespace tideline::dve
