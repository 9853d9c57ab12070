// Words as numbers, and a hash of bytes that is the same on every machine.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "readers/bytes.hpp"
#include "text/tokens.hpp"

namespace recte {

/// The finaliser of SplitMix64 (Steele et al. 2014): every bit of the input changes half of the output's.
inline std::uint64_t scrambled(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

/// What fingerprints are made of.
std::uint64_t hash_bytes(std::string_view text);

/// A word as tables are asked for it: its first eight bytes as a number, and a hash of all, for tables alone.
struct HashedWord {
  std::string_view text;
  std::uint64_t beginning, hash;

  explicit HashedWord(std::string_view text) : HashedWord(text, text.size()) {}
  /// Where at least `readable` bytes from its start on may be read, be they of the word or not.
  HashedWord(std::string_view text, std::size_t readable) : text(text) {
    const char* at = text.data();
    const std::size_t size = text.size();
    // Short words have all lengths: no branch on them where eight bytes can be read at once.
    beginning = size >= 8       ? loaded<std::uint64_t>(at)
                : readable >= 8 ? loaded<std::uint64_t>(at) & ((std::uint64_t{1} << (8 * size)) - 1)
                                : little_endian(at, size);
    const std::uint64_t ending = size > 16  ? hash_bytes(text)
                                 : size > 8 ? loaded<std::uint64_t>(at + size - 8)
                                            : 0;
    hash = (beginning ^ (size * 0x9e3779b97f4a7c15ULL)) * 0xbf58476d1ce4e5b9ULL;
    hash = (hash ^ (hash >> 32) ^ ending) * 0x94d049bb133111ebULL;
    hash ^= hash >> 32;
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
  void place(Token id, const HashedWord& word);

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
