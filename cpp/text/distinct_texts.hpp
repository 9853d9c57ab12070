// Texts that stand for the same source more than once.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

namespace recte {

struct DistinctTexts {
  std::vector<std::uint8_t> bytes;    // the distinct texts end to end, in order of first sight
  std::vector<std::int64_t> offsets;  // where each begins, and where the last one ends
  std::vector<std::int64_t> first;    // for each distinct text its first place among all
  std::vector<std::int64_t> number;   // for each text of all, which of the distinct ones it is
};

/// Texts are the same where their bytes and their sources are.
DistinctTexts distinct_texts(std::span<const std::int64_t> source_of,
                             const std::function<std::string_view(std::size_t)>& text);

}  // namespace recte
