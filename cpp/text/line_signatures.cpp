#include "text/line_signatures.hpp"

#include "support/parallel.hpp"

namespace recte {

void line_signatures(const TextSpans& texts, std::size_t prefix, int threads, std::span<std::uint64_t> bits) {
  parallel_for(texts.size(), threads, [&] {
    return [&](std::size_t t) {
      std::uint64_t* const signature = bits.data() + t * signature_words;
      std::uint32_t trigram = 0, seen = 0;
      for (const char c : texts[t].substr(0, prefix)) {
        // White space gives the trigram before it once more: nobody can foresee where a word ends.
        const auto byte = static_cast<std::uint8_t>(c);
        const bool letter = byte > 0x20;
        trigram = letter ? (trigram << 8 | byte) & 0xffffff : trigram;
        seen += letter;
        if (seen < 3) continue;
        const std::uint32_t bit = (trigram * 2654435761u) >> 23;  // Knuth's multiplier; 9 bits are left
        signature[bit >> 6] |= std::uint64_t{1} << (bit & 63);
      }
    };
  });
}

}  // namespace recte
