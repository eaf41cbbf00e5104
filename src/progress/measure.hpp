// Progress measures as users give them: expressions over a model's names, compared lexicographically; or vectors of
// them under the product order, the compositional measures of K. Jensen, L. M. Kristensen, T. Mailund, The sweep-line
// state space exploration method (2012), section 3.2.
//
// A vector is swept in a linear order that extends the product order. That is never worse than the product order
// itself: see docs/algorithms/composition.md.
#pragma once

#include <string>
#include <vector>

#include "model/model.hpp"
#include "successor/key.hpp"
#include "support/diagnostic.hpp"

namespace tideline::progress {

struct Measure {
    successor::KeyProgram program;
    std::vector<std::string> components;  // as text, most significant first
    std::vector<model::Table> tables;     // that the program reads; their numbers follow those of the model
};

// As --progress takes it.
std::string measure_text(const Measure& measure);

// The model with the tables that a measure reads.
model::Model with_tables(const model::Model& model, const Measure& measure);

// An expression as a component of a key.
successor::KeyComponent key_component(const model::Model& model, model::Expression expression);

// "n, k+1" and the like: expressions separated by commas, the most significant first. "product(n, k)" instead of an
// expression: a vector.
support::Result<Measure> parse_measure(const model::Model& model, const std::string& text);

// The measure that comes with the model; one without components where there is none.
support::Result<Measure> own_measure(const model::Model& model);

}  // namespace tideline::progress
