// How alike two words are, letter by letter.
#pragma once

#include "edits/extraction_options.hpp"
#include "text/tokens.hpp"

namespace recte {

/// Letters inserted and deleted between two words, as a share of all their letters; 0 for two empty words.
double letter_distance(Tokens a, Tokens b);

/// How unlike two words are by the measure.
double letter_cost(Tokens a, Tokens b, LetterMeasure measure);

/// Twice the weighted Levenshtein distance as a share of all letters: a changed case costs 0.1, a changed
/// diacritic 0.2 or 0.3, i for y 0.3, any other letter 1, as in the Czech program.
double weighted_letter_cost(Tokens a, Tokens b);

}  // namespace recte
