#include "text/labelling.hpp"

#include <bit>
#include <cstdlib>
#include <utility>

#include "support/parallel.hpp"

namespace recte {

namespace {

std::uint32_t mixed(std::uint32_t x) {  // the finaliser of MurmurHash3
  x ^= x >> 16;
  x *= 0x85ebca6bU;
  x ^= x >> 13;
  x *= 0xc2b2ae35U;
  return x ^ (x >> 16);
}

// Weights lie scattered over megabytes: asked for early, they are there when they are needed.
void fetch_early([[maybe_unused]] const void* place) {
#if defined(__GNUC__) || defined(__clang__)
  __builtin_prefetch(place);
#endif
}

}  // namespace

int Template::size() const {
  int size = 0;
  while (size < most && cells[size].column >= 0) ++size;
  return size;
}

std::uint32_t seed_of(std::size_t number_of_template) {
  return mixed(static_cast<std::uint32_t>(number_of_template) + 1);
}

std::uint32_t feature_of(std::uint32_t seed, std::span<const std::uint32_t> values) {
  std::uint32_t feature = seed;
  for (const std::uint32_t value : values) feature = mixed(feature ^ (value + 0x9e3779b9U)) + feature * 31;
  return std::max(feature, std::uint32_t{1});  // 0 is no feature
}

std::vector<std::int64_t> allowed_below(std::size_t labels, std::int32_t margin,
                                        std::span<const std::int32_t> transitions) {
  std::vector<std::int64_t> allowed(labels * labels);
  for (std::size_t best = 0; best < labels; ++best)
    for (std::size_t label = 0; label < labels; ++label) {
      std::int64_t before = 0, after = 0;  // at an end of the sentence, no neighbour gives anything
      for (std::size_t other = 0; other < labels; ++other) {
        before = std::max(
            before, std::int64_t{transitions[other * labels + label]} - transitions[other * labels + best]);
        after = std::max(
            after, std::int64_t{transitions[label * labels + other]} - transitions[best * labels + other]);
      }
      allowed[best * labels + label] = std::min(before + after, std::int64_t{margin} - 1);
    }
  return allowed;
}

LabelSearch::LabelSearch(std::size_t labels, std::span<const std::int32_t> transitions,
                         std::span<const std::int64_t> allowed)
    : labels_(labels), transitions_(transitions), allowed_(allowed) {}

void LabelSearch::best(std::span<const std::int32_t> scores, std::span<std::int32_t> labels) {
  if (labels.empty()) return;
  candidates_.clear();
  std::size_t before = 0;
  for (std::size_t place = 0; place < labels.size(); ++place) {
    const std::span<const std::int32_t> row = scores.subspan(place * labels_, labels_);
    const std::size_t here = candidates_.size();
    std::int32_t most = row[0];
    for (const std::int32_t score : row) most = std::max(most, score);
    const auto best = static_cast<std::size_t>(std::ranges::find(row, most) - row.begin());
    const std::int64_t* allowed = allowed_.data() + best * labels_;
    for (std::size_t label = 0; label < labels_; ++label) {
      if (std::int64_t{most} - row[label] > allowed[label]) continue;
      Candidate candidate{static_cast<std::int32_t>(label), 0, 0};
      for (std::size_t index = before; index < here; ++index) {
        const Candidate& earlier = candidates_[index];
        const std::int64_t total =
            earlier.total + transitions_[static_cast<std::size_t>(earlier.label) * labels_ + label];
        if (index == before || total > candidate.total)
          candidate.from = static_cast<std::int32_t>(index), candidate.total = total;
      }
      candidate.total += row[label];
      candidates_.push_back(candidate);
    }
    before = here;
  }
  const auto better = [](const Candidate& a, const Candidate& b) { return a.total < b.total; };
  auto chosen = static_cast<std::size_t>(
      std::max_element(candidates_.begin() + static_cast<std::ptrdiff_t>(before), candidates_.end(), better) -
      candidates_.begin());
  for (std::size_t place = labels.size(); place-- > 0;) {
    labels[place] = candidates_[chosen].label;
    chosen = static_cast<std::size_t>(candidates_[chosen].from);
  }
}

RowMemory::RowMemory(std::size_t reach, std::size_t labels) : reach_(reach), labels_(labels) {}

void RowMemory::begin(Tokens sentence, Token beyond) {
  std::swap(before_, now_);
  shift_ = 0;
  now_.padded.assign(sentence.size() + 2 * reach_, beyond);
  std::ranges::copy(sentence, now_.padded.begin() + static_cast<std::ptrdiff_t>(reach_));
  now_.scores.assign(sentence.size() * labels_, 0);
}

bool RowMemory::same(std::size_t place, std::ptrdiff_t shift) const {
  const std::ptrdiff_t there = static_cast<std::ptrdiff_t>(place) + shift;
  const std::size_t width = 2 * reach_ + 1;
  if (there < 0 || static_cast<std::size_t>(there) + width > before_.padded.size()) return false;
  const auto mine = now_.padded.begin() + static_cast<std::ptrdiff_t>(place);
  return std::equal(mine, mine + static_cast<std::ptrdiff_t>(width), before_.padded.begin() + there);
}

bool RowMemory::contains(std::size_t place) {
  constexpr std::ptrdiff_t furthest = 3;  // words that an edit adds or takes away
  for (std::ptrdiff_t step = 0; step <= furthest; ++step)
    for (const std::ptrdiff_t shift : {shift_ + step, shift_ - step})
      if (same(place, shift)) {
        shift_ = shift;
        const std::size_t there = static_cast<std::size_t>(static_cast<std::ptrdiff_t>(place) + shift);
        std::copy_n(before_.scores.data() + there * labels_, labels_, row(place));
        return true;
      }
  return false;
}

Labeller::Labeller(std::vector<Template> templates, std::size_t labels, std::int32_t margin,
                   std::span<const std::uint32_t> features, std::span<const std::uint8_t> weights_per_feature,
                   std::span<const std::uint8_t> weight_labels, std::span<const std::int16_t> weights,
                   std::vector<std::int32_t> transitions)
    : labels_(labels),
      transitions_(std::move(transitions)),
      allowed_(allowed_below(labels, margin, transitions_)) {
  for (std::size_t number = 0; number < templates.size(); ++number) {
    const Template& one = templates[number];
    const int size = one.size();
    (size == 1 ? single_ : joint_).push_back({seed_of(number), size, one});
    for (int cell = 0; cell < size; ++cell) {
      columns_ = std::max(columns_, one.cells[cell].column + 1);
      reach_ = std::max(reach_, static_cast<std::size_t>(std::abs(one.cells[cell].distance)));
    }
    if (size == 1 && std::ranges::find(distances_, one.cells[0].distance) == distances_.end())
      distances_.push_back(one.cells[0].distance);
  }
  // Features come in their order, so slots and weights are both written from front to back.
  const int bits = std::bit_width(features.size() + features.size() / 3);
  shift_ = 32 - std::min(bits, 32);
  slots_.resize((std::size_t{1} << (32 - shift_)) + 1);
  const auto is_small = [](std::int16_t weight) { return std::in_range<std::int8_t>(weight); };
  std::size_t large_ones = 0;
  for (const std::int16_t weight : weights) large_ones += !is_small(weight);
  weights_.resize(1 + features.size() + weights.size() + large_ones);
  std::size_t next = 0, free = 0;
  Entry* end = weights_.data() + 1;
  for (std::size_t index = 0; index < features.size(); ++index) {
    const std::size_t slot = std::max(slot_of(features[index]), free);
    free = slot + 1;
    if (free == slots_.size()) slots_.emplace_back();  // an empty one ends the last run
    slots_[slot] = {features[index], static_cast<std::uint32_t>(end - weights_.data())};
    Entry& counts = *end++;
    const std::size_t last = next + weights_per_feature[index];
    for (std::size_t place = next; place < last; ++place)
      if (is_small(weights[place])) {
        *end++ = {weight_labels[place], static_cast<std::uint8_t>(weights[place])};
        ++counts[0];
      }
    counts[1] = static_cast<std::uint8_t>(last - next - counts[0]);
    for (std::size_t place = next; counts[1] && place < last; ++place)
      if (!is_small(weights[place])) {
        *end++ = {weight_labels[place], 0};
        *end++ = std::bit_cast<Entry>(weights[place]);
      }
    next = last;
  }
}

std::uint32_t Labeller::weights_of(std::uint32_t feature) const {
  const Slot* slot = &slots_[slot_of(feature)];
  while (slot->feature < feature) ++slot;
  return slot->feature == feature ? slot->weights : 0;
}

void Labeller::add(std::uint32_t begin, std::int32_t* scores) const {
  const Entry* entry = weights_.data() + begin;
  const auto [small, large] = *entry++;
  for (const Entry* last = entry + small; entry != last; ++entry)
    scores[(*entry)[0]] += static_cast<std::int8_t>((*entry)[1]);
  for (const Entry* last = entry + 2 * large; entry != last; entry += 2)
    scores[(*entry)[0]] += std::bit_cast<std::int16_t>(entry[1]);
}

void Labeller::label(const TokenTypes& types, const Sentences& sentences, int threads,
                     std::span<std::int32_t> found) const {
  // What a type alone says at each distance is summed once, however often the type occurs.
  const std::size_t views = distances_.size();
  std::vector<std::size_t> view_of(single_.size());
  for (std::size_t next = 0; next < single_.size(); ++next)
    view_of[next] = static_cast<std::size_t>(
        std::ranges::find(distances_, single_[next].one.cells[0].distance) - distances_.begin());
  std::vector<std::int32_t> alone(types.size() * views * labels_);
  parallel_for(types.size(), threads, [&] {
    return [&, features = std::vector<std::uint32_t>(single_.size())](std::size_t type) mutable {
      for (std::size_t next = 0; next < single_.size(); ++next) {
        const Numbered& single = single_[next];
        const std::uint32_t value = types.at(static_cast<Token>(type), single.one.cells[0].column);
        features[next] = feature_of(single.seed, {&value, 1});
        fetch_early(&slots_[slot_of(features[next])]);
      }
      for (std::uint32_t& feature : features) {
        feature = weights_of(feature);
        fetch_early(&weights_[feature]);
      }
      for (std::size_t next = 0; next < single_.size(); ++next)
        add(features[next], alone.data() + (type * views + view_of[next]) * labels_);
    };
  });
  parallel_for(sentences.size(), threads, [&] {
    return [&, rows = RowMemory(reach_, labels_), features = std::vector<std::uint32_t>(),
            fresh = std::vector<std::size_t>(),
            search = LabelSearch(labels_, transitions_, allowed_)](std::size_t index) mutable {
      const Tokens sentence = sentences[index];
      rows.begin(sentence, types.beyond());
      features.clear();
      fresh.clear();
      std::array<std::uint32_t, Template::most> values;
      for (std::size_t place = 0; place < sentence.size(); ++place) {
        poll();
        if (rows.contains(place)) continue;
        fresh.push_back(place);
        for (const auto& [seed, size, one] : joint_) {
          for (int cell = 0; cell < size; ++cell)
            values[cell] = types.at(rows.at(place, one.cells[cell].distance), one.cells[cell].column);
          features.push_back(feature_of(seed, {values.data(), static_cast<std::size_t>(size)}));
          fetch_early(&slots_[slot_of(features.back())]);
        }
        std::int32_t* row = rows.row(place);
        const auto alone_at = [&](std::size_t view) {
          const auto type = static_cast<std::size_t>(rows.at(place, distances_[view]));
          return alone.data() + (type * views + view) * labels_;
        };
        std::size_t view = 0;
        for (; view + 1 < views;
             view += 2) {  // two at a time, since the row is read and written again each time
          const std::int32_t *a = alone_at(view), *b = alone_at(view + 1);
          for (std::size_t label = 0; label < labels_; ++label) row[label] += a[label] + b[label];
        }
        if (view < views) {
          const std::int32_t* a = alone_at(view);
          for (std::size_t label = 0; label < labels_; ++label) row[label] += a[label];
        }
      }
      for (std::uint32_t& feature : features) {
        feature = weights_of(feature);
        fetch_early(&weights_[feature]);
      }
      for (std::size_t next = 0; next < features.size(); ++next)
        add(features[next], rows.row(fresh[next / joint_.size()]));
      search.best(rows.scores(), found.subspan(sentences.offsets[index], sentence.size()));
    };
  });
}

}  // namespace recte
