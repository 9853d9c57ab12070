#include "text/distinct_texts.hpp"

#include <bit>

#include "readers/interning.hpp"
#include "support/interrupt.hpp"

namespace recte {
namespace {

/// Two streams of sixteen bytes a round, since each multiplication waits for the one before it.
std::uint64_t hash_of(std::string_view text, std::int64_t source) {
  constexpr std::uint64_t odd = 0xbf58476d1ce4e5b9ULL;
  std::uint64_t a = static_cast<std::uint64_t>(source) * odd, b = text.size() * 0x9e3779b97f4a7c15ULL;
  const char* at = text.data();
  std::size_t left = text.size();
  for (; left >= 16; at += 16, left -= 16) {
    a = (std::rotl(a, 23) ^ loaded<std::uint64_t>(at)) * odd;
    b = (std::rotl(b, 29) ^ loaded<std::uint64_t>(at + 8)) * odd;
  }
  if (left >= 8) a = (std::rotl(a, 23) ^ loaded<std::uint64_t>(at)) * odd, at += 8, left -= 8;
  if (left) b = (std::rotl(b, 29) ^ little_endian(at, left)) * odd;
  return scrambled(a ^ scrambled(b));
}

}  // namespace

DistinctTexts distinct_texts(std::span<const std::int64_t> source_of,
                             const std::function<std::string_view(std::size_t)>& text) {
  struct Slot {
    std::uint64_t hash = 0;
    std::int64_t number = -1;
  };
  const std::size_t texts = source_of.size(), mask = std::bit_ceil(2 * texts + 1) - 1;
  std::vector<Slot> slots(mask + 1);
  DistinctTexts found;
  found.offsets.push_back(0);
  found.number.reserve(texts);
  for (std::size_t t = 0; t < texts; ++t) {
    const std::string_view one = text(t);
    const std::uint64_t hash = hash_of(one, source_of[t]);
    const auto is_this = [&](const Slot& slot) {
      return slot.hash == hash && source_of[found.first[slot.number]] == source_of[t] &&
             text(found.first[slot.number]) == one;
    };
    std::size_t at = hash & mask;
    while (slots[at].number >= 0 && !is_this(slots[at])) at = (at + 1) & mask;
    if (slots[at].number < 0) {
      slots[at] = {hash, static_cast<std::int64_t>(found.first.size())};
      found.first.push_back(static_cast<std::int64_t>(t));
      found.bytes.insert(found.bytes.end(), one.begin(), one.end());
      found.offsets.push_back(static_cast<std::int64_t>(found.bytes.size()));
    }
    found.number.push_back(slots[at].number);
    poll();
  }
  return found;
}

}  // namespace recte
