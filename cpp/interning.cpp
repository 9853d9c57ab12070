#include "interning.hpp"

#include <bit>
#include <cstring>

#include "parallel.hpp"
#include "utf8.hpp"

namespace recte {
namespace {

std::uint64_t little_endian(const char* bytes, std::size_t size) {
  std::uint64_t word = 0;
  std::memcpy(&word, bytes, size);
  if constexpr (std::endian::native == std::endian::big) {
    std::uint64_t turned = 0;
    for (int k = 0; k < 8; ++k) turned |= ((word >> (8 * k)) & 0xFF) << (56 - 8 * k);
    return turned;
  }
  return word;
}

constexpr std::size_t group = 256;  // texts that a thread takes at once

}  // namespace

std::uint64_t hash_bytes(std::string_view text) {
  std::uint64_t hash = text.size() * 0x9e3779b97f4a7c15ULL;
  const char* at = text.data();
  std::size_t left = text.size();
  for (; left >= 8; at += 8, left -= 8) {
    hash = (hash ^ little_endian(at, 8)) * 0xbf58476d1ce4e5b9ULL;
    hash ^= hash >> 29;
  }
  if (left) hash = (hash ^ little_endian(at, left)) * 0xbf58476d1ce4e5b9ULL;
  return scrambled(hash);
}

Token Interner::find(std::string_view text, std::uint64_t hash) const {
  if (slots_.empty()) return -1;
  const std::size_t mask = slots_.size() - 1;
  const auto tag = static_cast<std::uint32_t>(hash >> 32);
  for (std::size_t slot = hash & mask; slots_[slot].id >= 0; slot = (slot + 1) & mask)
    if (slots_[slot].tag == tag && this->text(slots_[slot].id) == text) return slots_[slot].id;
  return -1;
}

Token Interner::intern(std::string_view text, std::uint64_t hash) {
  const Token known = find(text, hash);
  if (known >= 0) return known;
  if (2 * (size() + 1) > slots_.size()) grow();
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = hash & mask;
  while (slots_[slot].id >= 0) slot = (slot + 1) & mask;
  const auto id = static_cast<Token>(size());
  slots_[slot] = {static_cast<std::uint32_t>(hash >> 32), id};
  bytes_.insert(bytes_.end(), text.begin(), text.end());
  offsets_.push_back(static_cast<std::int64_t>(bytes_.size()));
  hashes_.push_back(hash);
  return id;
}

void Interner::grow() {
  slots_.assign(std::max<std::size_t>(64, slots_.size() * 2), {});
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t id = 0; id < size(); ++id) {
    std::size_t slot = hashes_[id] & mask;
    while (slots_[slot].id >= 0) slot = (slot + 1) & mask;
    slots_[slot] = {static_cast<std::uint32_t>(hashes_[id] >> 32), static_cast<Token>(id)};
  }
}

EncodedWords encode(const Interner& known, Interner* extend, std::size_t texts, int threads,
                    const std::function<std::string_view(std::size_t)>& text) {
  // Threads look words up; those that are new are numbered in order afterwards, so that order is the same.
  struct Part {
    std::vector<Token> ids;
    std::vector<std::int64_t> lengths;
    struct Unknown {
      std::size_t place;
      std::string_view word;
      std::uint64_t hash;
    };
    std::vector<Unknown> unknown;
  };
  std::vector<Part> parts((texts + group - 1) / group);
  const bool alone = threads <= 1 || parts.size() <= 16;
  parallel_for(parts.size(), alone ? 1 : threads, [&] {
    return [&](std::size_t p) {
      Part& part = parts[p];
      for (std::size_t t = p * group; t < std::min(texts, (p + 1) * group); ++t) {
        const std::size_t before = part.ids.size();
        for_each_word(text(t), [&](std::string_view word) {
          const std::uint64_t hash = hash_bytes(word);
          const Token id = alone && extend ? extend->intern(word, hash) : known.find(word, hash);
          if (id < 0) part.unknown.push_back({part.ids.size(), word, hash});
          part.ids.push_back(id);
        });
        part.lengths.push_back(static_cast<std::int64_t>(part.ids.size() - before));
      }
    };
  });
  EncodedWords encoded;
  std::size_t total = 0;
  for (const Part& part : parts) total += part.ids.size();
  encoded.ids.reserve(total);
  encoded.offsets.reserve(texts + 1);
  encoded.offsets.push_back(0);
  const auto first = static_cast<Token>(known.size());
  for (Part& part : parts) {
    for (const auto& [place, word, hash] : part.unknown)
      part.ids[place] = extend ? extend->intern(word, hash) : first + encoded.passing.intern(word, hash);
    encoded.ids.insert(encoded.ids.end(), part.ids.begin(), part.ids.end());
    for (const std::int64_t length : part.lengths) encoded.offsets.push_back(encoded.offsets.back() + length);
  }
  return encoded;
}

}  // namespace recte
