#include "text/sign_groups.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "support/parallel.hpp"

namespace recte {

namespace {

constexpr std::uint32_t after_unicode = 0x110000;

struct Lead {
  int length = 1;
  bool matters = false;  // whether some sign that begins with this byte is in a group
};

/// The groups of single bytes, and what the first bytes of longer signs can lead to.
struct Tables {
  std::array<std::uint64_t, 128> ascii{};
  std::array<Lead, 256> leads{};
};

Tables tables_of(std::span<const std::uint32_t> begins, std::span<const std::uint64_t> groups) {
  Tables tables;
  const auto any_between = [&](std::uint32_t first, std::uint32_t end) {
    for (std::size_t i = 0; i < begins.size(); ++i) {
      const std::uint32_t next = i + 1 < begins.size() ? begins[i + 1] : after_unicode;
      if (groups[i] && begins[i] < end && next > first) return true;
    }
    return false;
  };
  for (std::size_t i = 0; i < begins.size(); ++i) {
    const std::uint32_t next = i + 1 < begins.size() ? begins[i + 1] : after_unicode;
    for (std::uint32_t c = begins[i]; c < std::min<std::uint32_t>(next, 128); ++c)
      tables.ascii[c] = groups[i];
  }
  for (std::uint32_t lead = 0xC2; lead < 0xF5; ++lead) {
    const int length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    const std::uint32_t bits = lead & (0xFFu >> (length + 1)),
                        shift = 6u * static_cast<std::uint32_t>(length - 1);
    tables.leads[lead] = {length, any_between(bits << shift, (bits + 1) << shift)};
  }
  return tables;
}

}  // namespace

void sign_groups(const TextSpans& texts, std::span<const std::uint32_t> begins,
                 std::span<const std::uint64_t> groups, int threads, std::span<std::uint64_t> found) {
  const Tables tables = tables_of(begins, groups);
  parallel_for(texts.size(), threads, [&] {
    return [&](std::size_t t) {
      std::uint64_t all = 0;
      const auto text = texts[t];
      const auto* at = reinterpret_cast<const unsigned char*>(text.data());
      const auto* const end = at + text.size();
      while (at < end) {
        if (*at < 0x80) {
          all |= tables.ascii[*at++];
          continue;
        }
        const Lead lead = tables.leads[*at];
        if (end - at < lead.length) break;
        if (lead.matters) {
          std::uint32_t code = *at & (0xFFu >> (lead.length + 1));
          for (int k = 1; k < lead.length; ++k) code = code << 6 | (at[k] & 0x3Fu);
          const auto after = std::upper_bound(begins.begin(), begins.end(), code);
          all |= groups[static_cast<std::size_t>(after - begins.begin()) - 1];
        }
        at += lead.length;
      }
      found[t] = all;
    };
  });
}

void edge_differences(const TextSpans& sources, const TextSpans& outputs, std::size_t width,
                      std::size_t farthest, int threads, std::span<std::uint8_t> found) {
  parallel_for(sources.size(), threads, [&] {
    return [&](std::size_t t) {
      const std::string_view source = sources[t], output = outputs[t];
      if (source.size() < width || output.size() < width) {
        found[t] = other_begin | other_end;
        return;
      }
      int bits = 0;
      const auto begin = source.substr(0, width), end = source.substr(source.size() - width);
      if (output.substr(0, width) != begin) {
        bits |= other_begin;
        if (output.substr(0, farthest).find(begin) != std::string_view::npos) bits |= more_before;
      }
      if (output.substr(output.size() - width) != end) {
        bits |= other_end;
        const auto last = output.substr(output.size() - std::min(farthest, output.size()));
        if (last.rfind(end) != std::string_view::npos) bits |= more_behind;
      }
      found[t] = static_cast<std::uint8_t>(bits);
    };
  });
}

}  // namespace recte
