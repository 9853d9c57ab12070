// How ERRANT's method aligns and merges. Aligner, merger and the binding read this one struct.
#pragma once

namespace recte {

enum class WordCosts { linguistic, levenshtein };
enum class Merging { steps, rules, split, merge, equal };

/// How unlike two words are. `indel`: the distance as a share; `indel_from_one`: one less the likeness, as
/// releases before 3.0 compute it (the last bit differs); `matching_blocks`: Ratcliff and Obershelp.
enum class LetterMeasure { indel, indel_from_one, matching_blocks };

/// Which words may change places: the same ones, or, in Czech, ones that nearly look the same.
enum class Transpositions { same_words, similar_words };

/// The published rules of merging, where versions differ.
struct MergeRules {
  bool possessives = true;             // an ending tagged POS stands alone
  bool short_source_anywhere = false;  // one corrected word for a capitalised source begins an edit anywhere,
                                       // and the steps before it are lost
  bool verbal_of_any_size = false;     // {PART, VERB} joins equal sizes, too, and AUX is none of them
  bool aux_is_content = true;
  bool weighted_letters = false;  // similarity by weighted letters, as in Czech
};

struct ExtractionRules {
  LetterMeasure letters = LetterMeasure::indel;
  Transpositions transpositions = Transpositions::same_words;
  MergeRules merging;
};

/// By version: 3.0, 2.3, 2.2, and the Czech program.
inline constexpr ExtractionRules extraction_rules[] = {
    {},
    {LetterMeasure::indel_from_one, Transpositions::same_words, {}},
    {LetterMeasure::indel_from_one,
     Transpositions::same_words,
     {.possessives = false, .short_source_anywhere = true}},
    {LetterMeasure::matching_blocks,
     Transpositions::similar_words,
     {.possessives = false, .verbal_of_any_size = true, .aux_is_content = false, .weighted_letters = true}},
};

struct ExtractionOptions {
  WordCosts costs = WordCosts::linguistic;
  Merging merging = Merging::rules;
  ExtractionRules rules;
};

}  // namespace recte
