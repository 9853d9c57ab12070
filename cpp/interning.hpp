// Words as numbers, and a hash of bytes that is the same on every machine.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string_view>
#include <vector>

#include "tokens.hpp"

namespace recte {

/// The finaliser of SplitMix64 (Steele et al. 2014): every bit of the input changes half of the output's.
inline std::uint64_t scrambled(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

/// Up to eight bytes as one word, the first in its lowest bits. A copy of a length known only here would be a
/// call, which takes longer than all the rest.
template <class Word>
std::uint64_t loaded(const char* bytes) {
  Word word;
  std::memcpy(&word, bytes, sizeof word);
  if constexpr (std::endian::native == std::endian::big) {
    Word turned = 0;
    for (std::size_t k = 0; k < sizeof word; ++k)
      turned |= static_cast<Word>(static_cast<Word>((word >> (8 * k)) & 0xFF) << (8 * (sizeof word - 1 - k)));
    return turned;
  }
  return word;
}

inline std::uint64_t little_endian(const char* bytes, std::size_t size) {
  if (size == 8) return loaded<std::uint64_t>(bytes);
  std::uint64_t word = 0;
  std::size_t at = 0;
  if (size & 4) word = loaded<std::uint32_t>(bytes), at = 4;
  if (size & 2) word |= loaded<std::uint16_t>(bytes + at) << (8 * at), at += 2;
  if (size & 1) word |= loaded<std::uint8_t>(bytes + at) << (8 * at);
  return word;
}

std::uint64_t hash_bytes(std::string_view text);

/// A word as tables are asked for it: its first eight bytes as a number, and the hash of all.
struct HashedWord {
  std::string_view text;
  std::uint64_t beginning, hash;

  explicit HashedWord(std::string_view text) : HashedWord(text, text.size()) {}
  /// Where at least `readable` bytes from its start on may be read, be they of the word or not.
  HashedWord(std::string_view text, std::size_t readable) : text(text) {
    const char* at = text.data();
    std::size_t left = text.size();
    // Short words have all lengths: no branch on them where eight bytes can be read at once.
    beginning = left >= 8       ? loaded<std::uint64_t>(at)
                : readable >= 8 ? loaded<std::uint64_t>(at) & ((std::uint64_t{1} << (8 * left)) - 1)
                                : little_endian(at, left);
    hash = left * 0x9e3779b97f4a7c15ULL;
    if (left >= 8) {
      for (; left >= 8; at += 8, left -= 8) {
        hash = (hash ^ loaded<std::uint64_t>(at)) * 0xbf58476d1ce4e5b9ULL;
        hash ^= hash >> 29;
      }
      if (left) hash = (hash ^ little_endian(at, left)) * 0xbf58476d1ce4e5b9ULL;
    } else if (left) {
      hash = (hash ^ beginning) * 0xbf58476d1ce4e5b9ULL;
    }
    hash = scrambled(hash);
  }
};

/// Numbers for texts, given on first sight.
class Interner {
 public:
  std::size_t size() const { return hashes_.size(); }
  std::string_view text(Token id) const {
    return {bytes_.data() + offsets_[id], static_cast<std::size_t>(offsets_[id + 1] - offsets_[id])};
  }
  std::uint64_t hash(Token id) const { return hashes_[id]; }

  /// The word's number, or -1.
  Token find(const HashedWord& word) const {
    if (slots_.empty()) return -1;
    const std::size_t mask = slots_.size() - 1;
    const auto size = static_cast<std::uint32_t>(word.text.size());
    for (std::size_t at = word.hash & mask; slots_[at].id >= 0; at = (at + 1) & mask) {
      const Slot& slot = slots_[at];
      if (slot.beginning == word.beginning && slot.size == size && (size <= 8 || text(slot.id) == word.text))
        return slot.id;
    }
    return -1;
  }
  Token intern(const HashedWord& word);
  Token intern(std::string_view text) { return intern(HashedWord(text)); }

 private:
  /// A text's first bytes as a number, its length and its id: most words are known by these alone.
  struct Slot {
    std::uint64_t beginning = 0;
    std::uint32_t size = 0;
    Token id = -1;
  };
  void grow();
  void place(Token id);

  std::vector<char> bytes_;
  std::vector<std::int64_t> offsets_{0};
  std::vector<std::uint64_t> hashes_;
  std::vector<Slot> slots_;
};

/// Texts in a buffer, by where each begins and ends.
struct TextSpans {
  std::string_view buffer;
  std::span<const std::int64_t> begins, ends;

  std::size_t size() const { return begins.size(); }
  std::string_view operator[](std::size_t index) const {
    return buffer.substr(begins[index], ends[index] - begins[index]);
  }
};

struct EncodedWords {
  std::vector<Token> ids;
  std::vector<std::int64_t> offsets;
  Interner passing;  // words that got numbers behind the vocabulary's, for this call alone
};

/// The words of each text as numbers. Words that the vocabulary lacks are added to it in their order, or get
/// passing numbers where `extend` is null. Threads change nothing.
EncodedWords encode(const Interner& known, Interner* extend, std::size_t texts, int threads,
                    const std::function<std::string_view(std::size_t)>& text);

}  // namespace recte
