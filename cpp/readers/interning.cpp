#include "readers/interning.hpp"

#include "support/parallel.hpp"
#include "text/utf8.hpp"

namespace recte {
namespace {

constexpr std::size_t group = 256;  // texts that a thread takes at once

}  // namespace

std::uint64_t hash_bytes(std::string_view text) {
  const char* at = text.data();
  std::size_t left = text.size();
  std::uint64_t hash = left * 0x9e3779b97f4a7c15ULL;
  for (; left >= 8; at += 8, left -= 8) {
    hash = (hash ^ loaded<std::uint64_t>(at)) * 0xbf58476d1ce4e5b9ULL;
    hash ^= hash >> 29;
  }
  if (left) hash = (hash ^ little_endian(at, left)) * 0xbf58476d1ce4e5b9ULL;
  return scrambled(hash);
}

Token Interner::intern(const HashedWord& word) {
  const Token known = find(word);
  if (known >= 0) return known;
  const auto id = static_cast<Token>(size());
  bytes_.insert(bytes_.end(), word.text.begin(), word.text.end());
  offsets_.push_back(static_cast<std::int64_t>(bytes_.size()));
  hashes_.push_back(hash_bytes(word.text));
  if (2 * size() > slots_.size())
    grow();
  else
    place(id, word);
  return id;
}

void Interner::place(Token id, const HashedWord& word) {
  const std::size_t mask = slots_.size() - 1;
  std::size_t at = word.hash & mask;
  while (slots_[at].id >= 0) at = (at + 1) & mask;
  slots_[at] = {word.beginning, static_cast<std::uint32_t>(word.text.size()), id};
}

void Interner::grow() {
  slots_.assign(std::max<std::size_t>(64, slots_.size() * 2), {});
  for (std::size_t id = 0; id < size(); ++id)
    place(static_cast<Token>(id), HashedWord(text(static_cast<Token>(id))));
}

EncodedWords encode(const Interner& known, Interner* extend, std::size_t texts, int threads,
                    const std::function<std::string_view(std::size_t)>& text) {
  // Threads look words up; those that are new are numbered in order afterwards, so that order is the same.
  struct Part {
    std::vector<Token> ids;
    std::vector<std::int64_t> lengths;
    struct Unknown {
      std::size_t place;
      HashedWord word;
    };
    std::vector<Unknown> unknown;
  };
  const bool alone = threads <= 1 || texts <= 16 * group;
  const std::size_t together = alone ? texts : group;
  std::vector<Part> parts(alone ? 1 : (texts + group - 1) / group);
  parallel_for(parts.size(), alone ? 1 : threads, [&] {
    return [&](std::size_t p) {
      Part& part = parts[p];
      for (std::size_t t = p * together; t < std::min(texts, (p + 1) * together); ++t) {
        poll_every(t);
        const std::size_t before = part.ids.size();
        const std::string_view words = text(t);
        const char* const end = words.data() + words.size();
        for_each_word(words, [&](std::string_view one) {
          const HashedWord word(one, static_cast<std::size_t>(end - one.data()));
          const Token id = alone && extend ? extend->intern(word) : known.find(word);
          if (id < 0) part.unknown.push_back({part.ids.size(), word});
          part.ids.push_back(id);
        });
        part.lengths.push_back(static_cast<std::int64_t>(part.ids.size() - before));
      }
    };
  });
  EncodedWords encoded;
  std::size_t total = 0;
  for (const Part& part : parts) total += part.ids.size();
  encoded.offsets.reserve(texts + 1);
  encoded.offsets.push_back(0);
  const auto first = static_cast<Token>(known.size());
  for (Part& part : parts) {
    for (const auto& [place, word] : part.unknown)
      part.ids[place] = extend ? extend->intern(word) : first + encoded.passing.intern(word);
    for (const std::int64_t length : part.lengths) encoded.offsets.push_back(encoded.offsets.back() + length);
    if (alone) {
      encoded.ids = std::move(part.ids);
    } else {
      encoded.ids.reserve(total);
      encoded.ids.insert(encoded.ids.end(), part.ids.begin(), part.ids.end());
    }
  }
  return encoded;
}

}  // namespace recte
