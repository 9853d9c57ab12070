// Detection, recognition and correction of the HOO shared task, on token edits.
#pragma once

#include "edits/edits.hpp"

namespace recte {

enum class Criterion { detection = 0, recognition = 1, correction = 2 };

/// How an edit stands to a gold edit.
struct Alignment {
  bool lenient, strict, correct;

  bool meets(Criterion criterion) const {
    return criterion == Criterion::detection     ? lenient
           : criterion == Criterion::recognition ? strict
                                                 : correct;
  }
};

/// Offsets are the edit's own place (`source_begin`, `source_end`); a correction is right if equation 1 of
/// the MaxMatch paper holds.
Alignment align(const Edit& edit, Tokens hypothesis, const Annotation& gold, int g);

/// What one criterion sees: gold edits met, system edits that meet none, system edits, gold edits, and
/// optional gold edits that no system edit touches.
struct HooCounts {
  std::int32_t met, spurious, system, gold, missed_optional;
};

HooCounts count_hoo(std::span<const Edit> edits, Tokens hypothesis, const Annotation& gold,
                    Criterion criterion);

}  // namespace recte
