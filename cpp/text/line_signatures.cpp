#include "text/line_signatures.hpp"

#include <array>
#include <vector>

#include "support/parallel.hpp"
#include "text/utf8.hpp"

namespace recte {

namespace {

/// A byte for each bit, 0 or 1: to set one waits for no other.
using Flags = std::array<char, 64 * signature_words>;

}  // namespace

void line_signatures(const TextSpans& texts, std::size_t prefix, int threads, std::span<std::uint64_t> bits) {
  parallel_for(texts.size(), threads, [&] {
    return [&, letters = std::vector<std::uint8_t>()](std::size_t t) mutable {
      const std::string_view text = texts[t].substr(0, prefix);
      letters.resize(text.size());
      std::size_t count = 0;
      for (const char c : text) {  // no branch, since the ends of words are hard to predict
        letters[count] = static_cast<std::uint8_t>(c);
        count += letters[count] > 0x20;
      }
      Flags flags{};
      for (std::size_t k = 2; k < count; ++k) {
        const std::uint32_t trigram = static_cast<std::uint32_t>(letters[k - 2]) << 16 |
                                      static_cast<std::uint32_t>(letters[k - 1]) << 8 | letters[k];
        flags[(trigram * 2654435761u) >> 23] = 1;  // Knuth's multiplier; 9 bits are left
      }
      for (std::size_t word = 0; word < signature_words; ++word) {
        std::uint64_t& signature = bits[t * signature_words + word];
        for (std::size_t k = 0; k < 8; ++k)  // which bit of the signature a flag becomes does not matter
          signature |= loaded<std::uint64_t>(flags.data() + 8 * (signature_words * k + word)) << k;
      }
    };
  });
}

}  // namespace recte
