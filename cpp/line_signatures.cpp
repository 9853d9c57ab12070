#include "line_signatures.hpp"

#include "parallel.hpp"

namespace recte {

void line_signatures(const TextSpans& texts, std::size_t prefix, int threads, std::span<std::uint64_t> bits) {
  parallel_for(texts.size(), threads, [&] {
    return [&](std::size_t t) {
      std::uint64_t* const signature = bits.data() + t * signature_words;
      std::uint32_t trigram = 0, seen = 0;
      for (const char c : texts[t].substr(0, prefix)) {
        const auto byte = static_cast<std::uint8_t>(c);
        if (byte <= 0x20) continue;
        trigram = (trigram << 8 | byte) & 0xffffff;
        if (++seen < 3) continue;
        const std::uint32_t bit = (trigram * 2654435761u) >> 23;  // Knuth's multiplier; 9 bits are left
        signature[bit >> 6] |= std::uint64_t{1} << (bit & 63);
      }
    };
  });
}

}  // namespace recte
