#include "text/affixes.hpp"

#include <vector>

namespace recte {

namespace {

std::uint32_t hash_of(std::span<const std::uint8_t> bytes) {
  std::uint32_t hash = 2166136261U;
  for (const std::uint8_t byte : bytes) hash = (hash ^ byte) * 16777619U;
  return hash;
}

}  // namespace

void hash_affixes(std::span<const std::uint8_t> bytes, std::span<const std::int64_t> offsets, int beginnings,
                  int ends, std::span<std::uint32_t> rows) {
  const std::size_t columns = 1 + static_cast<std::size_t>(beginnings) + static_cast<std::size_t>(ends);
  std::vector<std::size_t> starts;  // of code points, then the end
  for (std::size_t index = 0; index + 1 < offsets.size(); ++index) {
    const auto word = bytes.subspan(static_cast<std::size_t>(offsets[index]),
                                    static_cast<std::size_t>(offsets[index + 1] - offsets[index]));
    starts.clear();
    for (std::size_t place = 0; place < word.size(); ++place)
      if ((word[place] & 0xc0) != 0x80) starts.push_back(place);
    const std::size_t length = starts.size();
    starts.push_back(word.size());
    std::uint32_t* row = rows.data() + index * columns;
    *row++ = hash_of(word);
    for (std::size_t size = 1; size <= static_cast<std::size_t>(beginnings); ++size)
      *row++ = size <= length ? hash_of(word.first(starts[size])) : 0;
    for (std::size_t size = 1; size <= static_cast<std::size_t>(ends); ++size)
      *row++ = size <= length ? hash_of(word.subspan(starts[length - size])) : 0;
  }
}

}  // namespace recte
