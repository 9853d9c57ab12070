// Words as numbers, and a hash of bytes that is the same on every machine.
#pragma once

#include <cstdint>
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

std::uint64_t hash_bytes(std::string_view text);

/// Numbers for texts, given on first sight.
class Interner {
 public:
  std::size_t size() const { return hashes_.size(); }
  std::string_view text(Token id) const {
    return {bytes_.data() + offsets_[id], static_cast<std::size_t>(offsets_[id + 1] - offsets_[id])};
  }
  std::uint64_t hash(Token id) const { return hashes_[id]; }

  /// The text's number, or -1.
  Token find(std::string_view text, std::uint64_t hash) const;
  Token intern(std::string_view text, std::uint64_t hash);
  Token intern(std::string_view text) { return intern(text, hash_bytes(text)); }

 private:
  struct Slot {
    std::uint32_t tag = 0;
    Token id = -1;
  };
  void grow();

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
