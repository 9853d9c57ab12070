#include "text/labelling.hpp"

#include <bit>
#include <cstdlib>
#include <cstring>
#include <functional>
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

std::uint32_t with_value(std::uint32_t feature, std::uint32_t value) {
  return mixed(feature ^ (value + 0x9e3779b9U)) + feature * 31;
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
  for (const std::uint32_t value : values) feature = with_value(feature, value);
  return std::max(feature, std::uint32_t{1});  // 0 is no feature
}

TransitionGains::TransitionGains(std::size_t labels, std::int32_t margin,
                                 std::span<const std::int32_t> transitions)
    : from_before(labels * labels), from_behind(labels * labels), allowed(labels * labels) {
  for (std::size_t best = 0; best < labels; ++best)
    for (std::size_t label = 0; label < labels; ++label) {
      std::int64_t before = 0, behind = 0;
      for (std::size_t other = 0; other < labels; ++other) {
        before = std::max(
            before, std::int64_t{transitions[other * labels + label]} - transitions[other * labels + best]);
        behind = std::max(
            behind, std::int64_t{transitions[label * labels + other]} - transitions[best * labels + other]);
      }
      from_before[best * labels + label] = before;
      from_behind[best * labels + label] = behind;
      allowed[best * labels + label] =
          static_cast<std::uint32_t>(std::min(before + behind, std::int64_t{margin} - 1));
    }
}

LabelSearch::LabelSearch(std::size_t labels, std::span<const std::int32_t> transitions,
                         const TransitionGains& gains)
    : labels_(labels), transitions_(transitions), gains_(gains) {}

void LabelSearch::add_candidates(std::span<const std::int32_t> scores,
                                 std::vector<Candidate>& candidates) const {
  std::int32_t most = scores[0];
  for (const std::int32_t score : scores) most = std::max(most, score);
  const auto best = static_cast<std::size_t>(std::ranges::find(scores, most) - scores.begin());
  const std::uint32_t* allowed = &gains_.allowed[best * labels_];
  // Most labels lose, so eight are looked at together; a label is a byte.
  std::array<std::uint8_t, 256> may_win{};
  for (std::size_t label = 0; label < labels_; ++label)
    may_win[label] =
        static_cast<std::uint32_t>(most) - static_cast<std::uint32_t>(scores[label]) <= allowed[label];
  for (std::size_t first = 0; first < labels_; first += 8) {
    std::uint64_t eight;
    std::memcpy(&eight, &may_win[first], sizeof eight);
    for (std::size_t label = first; eight && label < std::min(first + 8, labels_); ++label)
      if (may_win[label]) candidates.push_back({static_cast<std::int32_t>(label), scores[label]});
  }
}

std::size_t LabelSearch::drop_losers(std::span<Candidate> candidates, std::span<const Candidate> before,
                                     std::span<const Candidate> behind) const {
  const Candidate best = *std::ranges::max_element(candidates, {}, &Candidate::score);
  const auto best_label = static_cast<std::size_t>(best.label);
  const auto may_win = [&](const Candidate& candidate) {
    const auto label = static_cast<std::size_t>(candidate.label);
    std::int64_t gain = gains_.from_before[best_label * labels_ + label];
    for (bool first = true; const Candidate& other : before) {
      const std::int32_t* row = &transitions_[static_cast<std::size_t>(other.label) * labels_];
      const std::int64_t more = std::int64_t{row[label]} - row[best_label];
      gain = first ? more : std::max(gain, more);
      first = false;
    }
    std::int64_t gain_behind = gains_.from_behind[best_label * labels_ + label];
    const std::int32_t *row = &transitions_[label * labels_],
                       *row_of_best = &transitions_[best_label * labels_];
    for (bool first = true; const Candidate& other : behind) {
      const std::int64_t more = std::int64_t{row[other.label]} - row_of_best[other.label];
      gain_behind = first ? more : std::max(gain_behind, more);
      first = false;
    }
    return label == best_label || std::int64_t{best.score} - candidate.score <= gain + gain_behind;
  };
  return candidates.size() - std::ranges::remove_if(candidates, std::not_fn(may_win)).size();
}

void LabelSearch::choose(std::span<const std::span<const Candidate>> places, std::span<std::int32_t> labels) {
  if (places.empty()) return;
  paths_.clear();
  std::size_t before = 0;  // where the paths to the place before begin
  for (std::size_t place = 0; place < places.size(); ++place) {
    const std::size_t here = paths_.size();
    for (const Candidate& candidate : places[place]) {
      Path path{0, 0};
      for (std::size_t index = before; index < here; ++index) {
        const auto earlier = static_cast<std::size_t>(places[place - 1][index - before].label);
        const std::int64_t total =
            paths_[index].total + transitions_[earlier * labels_ + static_cast<std::size_t>(candidate.label)];
        if (index == before || total > path.total) path = {total, index - before};
      }
      path.total += candidate.score;
      paths_.push_back(path);
    }
    before = here;
  }
  const auto better = [](const Path& a, const Path& b) { return a.total < b.total; };
  const auto last = paths_.begin() + static_cast<std::ptrdiff_t>(before);
  auto chosen = static_cast<std::size_t>(std::max_element(last, paths_.end(), better) - last);
  std::size_t begin = paths_.size();
  for (std::size_t place = places.size(); place-- > 0;) {
    begin -= places[place].size();
    labels[place] = places[place][chosen].label;
    chosen = paths_[begin + chosen].from;
  }
}

void LabelSearch::best(std::span<const std::int32_t> scores, std::span<std::int32_t> labels) {
  std::vector<Candidate> candidates;
  std::vector<std::size_t> ends{0};
  for (std::size_t place = 0; place < labels.size(); ++place) {
    add_candidates(scores.subspan(place * labels_, labels_), candidates);
    ends.push_back(candidates.size());
  }
  std::vector<std::span<const Candidate>> places;
  for (std::size_t place = 0; place < labels.size(); ++place)
    places.emplace_back(candidates.data() + ends[place], ends[place + 1] - ends[place]);
  choose(places, labels);
}

WindowMemory::WindowMemory(std::size_t width, std::size_t tokens)
    : width_(width),
      mask_(width > Entry::widest ? 0 : std::bit_ceil(std::clamp<std::size_t>(tokens, 16, 1 << 13)) - 1),
      entries_(mask_ + 1),
      candidates_(16 * entries_.size()) {}

std::size_t WindowMemory::slot_of(const Token* window) const {
  std::uint64_t sum = 0;
  for (std::size_t index = 0; index < width_; ++index)
    sum = (sum + static_cast<std::uint32_t>(window[index])) * 0x9e3779b97f4a7c15U ^ sum >> 29;
  const std::size_t slot = static_cast<std::size_t>(sum >> 32) & mask_;
  fetch_early(&entries_[slot]);
  return slot;
}

std::span<const Candidate> WindowMemory::find(std::size_t slot, const Token* window) const {
  const Entry& entry = entries_[slot];
  const bool known = entry.size && std::equal(window, window + width_, entry.window.begin()) &&
                     kept_ - entry.begin <= ring_size();
  return {candidates_.data() + place_of(entry.begin), known ? entry.size : 0};
}

void WindowMemory::keep(std::size_t slot, const Token* window, std::span<const Candidate> candidates) {
  if (candidates.size() > ring_size() || width_ > Entry::widest) return;
  Entry& entry = entries_[slot];
  std::copy_n(window, width_, entry.window.begin());
  entry.begin = kept_;
  entry.size = static_cast<std::uint32_t>(candidates.size());
  std::ranges::copy(candidates, candidates_.begin() + static_cast<std::ptrdiff_t>(place_of(kept_)));
  kept_ += candidates.size();
}

Labeller::Labeller(std::vector<Template> templates, std::size_t labels, std::int32_t margin,
                   std::span<const std::uint32_t> features, std::span<const std::uint8_t> weights_per_feature,
                   std::span<const std::uint8_t> weight_labels, std::span<const std::int16_t> weights,
                   std::vector<std::int32_t> transitions)
    : labels_(labels), transitions_(std::move(transitions)), gains_(labels, margin, transitions_) {
  for (std::size_t number = 0; number < templates.size(); ++number) {
    const Template& one = templates[number];
    const int size = one.size();
    const bool alone =
        std::all_of(one.cells.begin(), one.cells.begin() + size,
                    [&](const Template::Cell& cell) { return cell.distance == one.cells[0].distance; });
    (alone ? single_ : joint_).push_back({seed_of(number), size, one});
    for (int cell = 0; cell < size; ++cell) {
      columns_ = std::max(columns_, one.cells[cell].column + 1);
      reach_ = std::max(reach_, static_cast<std::size_t>(std::abs(one.cells[cell].distance)));
    }
    if (alone && std::ranges::find(distances_, one.cells[0].distance) == distances_.end())
      distances_.push_back(one.cells[0].distance);
  }
  std::ranges::stable_sort(joint_, {}, &Numbered::size);
  const int filter_bits = std::min(static_cast<int>(std::bit_width(features.size())) + 2, 31);
  filter_shift_ = 32 - filter_bits;
  filter_.resize((std::size_t{1} << filter_bits) / 64 + 1);
  for (const std::uint32_t feature : features) {
    const std::uint32_t bit = feature >> filter_shift_;
    filter_[bit / 64] |= std::uint64_t{1} << (bit % 64);
  }
  // A sum waits for the one before in the same label, so what is left over has several labels.
  Block unused;
  for (std::size_t place = 0; place < Block::size; ++place)
    unused.labels[place] = static_cast<std::uint8_t>(place % labels);
  // Features come in their order, so buckets and blocks are both written from front to back.
  const int bits = static_cast<int>(std::bit_width(features.size() / 4));
  shift_ = 32 - std::min(bits, 32);
  const auto add_bucket = [&] {
    buckets_.emplace_back();
    buckets_.back().features.fill(empty);
    buckets_.back().blocks.fill(0);
  };
  while (buckets_.size() < (std::size_t{1} << (32 - shift_))) add_bucket();
  std::size_t next = 0, bucket = 0, taken = 0;
  for (std::size_t index = 0; index < features.size(); ++index) {
    const std::size_t wanted = bucket_of(features[index]);
    if (wanted > bucket) bucket = wanted, taken = 0;
    if (taken == Bucket::size) {
      ++bucket, taken = 0;
      if (bucket == buckets_.size()) add_bucket();
    }
    const std::size_t begin = blocks_.size();
    std::size_t in_block = Block::size;
    for (const std::size_t last = next + weights_per_feature[index]; next < last; ++next) {
      if (in_block == Block::size) blocks_.push_back(unused), in_block = 0;
      blocks_.back().labels[in_block] = weight_labels[next];
      blocks_.back().weights[in_block++] = weights[next];
    }
    buckets_[bucket].features[taken] = features[index];
    buckets_[bucket].blocks[taken++] =
        static_cast<std::uint32_t>(begin << count_bits | (blocks_.size() - begin));
  }
  add_bucket();  // an empty one ends the last run
}

std::uint32_t Labeller::blocks_of(std::uint32_t feature) const {
  const Bucket* bucket = &buckets_[bucket_of(feature)];
  while (bucket->features.back() < feature) ++bucket;
  std::uint32_t blocks = 0;
  for (std::size_t place = 0; place < Bucket::size; ++place)
    blocks |= bucket->blocks[place] & -std::uint32_t{bucket->features[place] == feature};
  return blocks;
}

void Labeller::add(std::uint32_t blocks, std::int32_t* scores) const {
  const Block* block = blocks_.data() + (blocks >> count_bits);
  for (std::uint32_t left = blocks & ((1U << count_bits) - 1); left; --left, ++block)
    for (std::size_t place = 0; place < Block::size; ++place)
      scores[block->labels[place]] += block->weights[place];
}

std::vector<std::int32_t> Labeller::score_alone(const TokenTypes& types, int threads) const {
  const std::size_t views = distances_.size();
  std::vector<std::size_t> view_of(single_.size());
  for (std::size_t next = 0; next < single_.size(); ++next)
    view_of[next] = static_cast<std::size_t>(
        std::ranges::find(distances_, single_[next].one.cells[0].distance) - distances_.begin());
  std::vector<std::int32_t> alone(types.size() * views * labels_);
  parallel_for(types.size(), threads, [&] {
    return [&, features = std::vector<std::uint32_t>(single_.size())](std::size_t type) mutable {
      std::array<std::uint32_t, Template::most> values;
      for (std::size_t next = 0; next < single_.size(); ++next) {
        const auto& [seed, size, one] = single_[next];
        for (int cell = 0; cell < size; ++cell)
          values[cell] = types.at(static_cast<Token>(type), one.cells[cell].column);
        features[next] = feature_of(seed, {values.data(), static_cast<std::size_t>(size)});
        fetch_early(&buckets_[bucket_of(features[next])]);
      }
      for (std::uint32_t& feature : features) {
        feature = blocks_of(feature);
        fetch_early(blocks_.data() + (feature >> count_bits));
      }
      for (std::size_t next = 0; next < single_.size(); ++next)
        add(features[next], alone.data() + (type * views + view_of[next]) * labels_);
    };
  });
  return alone;
}

class Labeller::SentenceLabels {
 public:
  SentenceLabels(const Labeller& model, const TokenTypes& types, std::span<const std::int32_t> alone,
                 std::size_t tokens)
      : model_(model),
        types_(types),
        alone_(alone),
        memory_(2 * model.reach_ + 1, tokens),
        rows_(2 * model.reach_ + 1),
        search_(model.labels_, model.transitions_, model.gains_),
        scores_(model.labels_) {
    const auto reach = static_cast<std::int32_t>(model.reach_);
    for (const Numbered& joint : model.joint_) {
      seeds_.push_back(joint.seed);
      for (int cell = 0; cell < joint.size; ++cell)
        cells_[cell].push_back({static_cast<std::size_t>(joint.one.cells[cell].distance + reach),
                                static_cast<std::size_t>(joint.one.cells[cell].column)});
    }
    joint_.resize(seeds_.size());
    values_.resize(seeds_.size());
  }

  /// Without `wanted`, all labels.
  void label(Tokens sentence, const std::uint8_t* wanted, std::span<std::int32_t> found) {
    const std::size_t size = sentence.size();
    std::ranges::fill(found, -1);
    if (wanted && std::all_of(wanted, wanted + size, [](std::uint8_t mark) { return mark == 0; })) return;
    padded_.assign(size + 2 * model_.reach_, types_.beyond());
    std::ranges::copy(sentence, padded_.begin() + static_cast<std::ptrdiff_t>(model_.reach_));
    places_.assign(size, {});
    candidates_.clear();
    needed_.assign(size, 1);
    if (wanted) std::copy_n(wanted, size, needed_.begin());
    find_todo();
    while (!todo_.empty()) {
      look_at(todo_);
      if (!wanted) break;
      std::size_t near = 0;
      for (const std::size_t place : todo_)
        for (near = std::max(near, place ? place - 1 : 0); near < std::min(place + 2, size); ++near)
          drop_losers(near);
      // Where several labels are left, neighbours decide.
      std::copy_n(wanted, size, needed_.begin());
      for (std::size_t place = 1; place < size; ++place)
        needed_[place] |= needed_[place - 1] && places_[place - 1].size > 1;
      for (std::size_t place = size; --place > 0;)
        needed_[place - 1] |= needed_[place] && places_[place].size > 1;
      find_todo();
    }
    const auto is_decided = [&](std::size_t place) {
      return places_[place].size == 1 || (places_[place].size && needed_[place]);
    };
    for (std::size_t begin = 0, end; begin < size; begin = end + 1) {
      decided_.clear();
      for (end = begin; end < size && is_decided(end); ++end) decided_.push_back(candidates_of(end));
      search_.choose(decided_, found.subspan(begin, end - begin));
    }
  }

 private:
  struct Place {
    std::size_t begin = 0, size = 0;  // its candidates
    std::size_t slot = 0;             // where the memory has those of its window
  };
  struct CellOfRow {
    std::size_t row, column;
  };

  std::span<Candidate> candidates_of(std::size_t place) {
    return {candidates_.data() + places_[place].begin, places_[place].size};
  }

  /// Needed places that were not looked at.
  void find_todo() {
    todo_.clear();
    for (std::size_t place = 0; place < needed_.size(); ++place)
      if (needed_[place] && !places_[place].size) todo_.push_back(place);
  }

  void drop_losers(std::size_t place) {
    if (places_[place].size < 2) return;
    const auto before = place ? candidates_of(place - 1) : std::span<Candidate>(),
               behind = place + 1 < places_.size() ? candidates_of(place + 1) : std::span<Candidate>();
    if (!before.empty() || !behind.empty())
      places_[place].size = search_.drop_losers(candidates_of(place), before, behind);
  }

  /// Finds the candidates of these places.
  void look_at(std::span<const std::size_t> places) {
    fresh_.clear();
    features_.clear();
    ends_.clear();
    for (const std::size_t place : places) places_[place].slot = memory_.slot_of(&padded_[place]);
    for (const std::size_t place : places) {
      const std::span<const Candidate> known = memory_.find(places_[place].slot, &padded_[place]);
      if (known.empty()) {
        fresh_.push_back(place);
        add_features(place);
        continue;
      }
      places_[place].begin = candidates_.size(), places_[place].size = known.size();
      candidates_.insert(candidates_.end(), known.begin(), known.end());
    }
    for (std::uint32_t& feature : features_) {
      feature = model_.blocks_of(feature);
      const Block* block = model_.blocks_.data() + (feature >> count_bits);
      fetch_early(block);
      fetch_early(block + (feature & ((1U << count_bits) - 1)));
    }
    std::size_t begin = 0;
    for (std::size_t index = 0; index < fresh_.size(); ++index) {
      poll();
      sum_scores(fresh_[index], {features_.data() + begin, ends_[index] - begin});
      keep_candidates(fresh_[index]);
      begin = ends_[index];
    }
  }

  /// Adds the features at a place that may have weights.
  void add_features(std::size_t place) {
    for (std::size_t row = 0; row < rows_.size(); ++row)
      rows_[row] = types_.attributes.data() + static_cast<std::size_t>(padded_[place + row]) * types_.columns;
    for (std::size_t view = 0; view < model_.distances_.size(); ++view)
      for (std::size_t label = 0; label < model_.labels_; label += 16)
        fetch_early(alone_at(place, view) + label);
    // All features together, a cell at a time: the compiler computes several at once.
    std::ranges::copy(seeds_, joint_.begin());
    for (const std::vector<CellOfRow>& cells : cells_) {
      const std::size_t unread = joint_.size() - cells.size();  // those of fewer cells come first
      for (std::size_t index = 0; index < cells.size(); ++index)
        values_[index] = rows_[cells[index].row][cells[index].column];
      for (std::size_t index = 0; index < cells.size(); ++index)
        joint_[unread + index] = with_value(joint_[unread + index], values_[index]);
    }
    std::size_t size = features_.size();
    features_.resize(size + joint_.size());
    for (const std::uint32_t joint : joint_) {
      const std::uint32_t feature = std::max(joint, std::uint32_t{1});
      features_[size] = feature;
      size += model_.may_have_weights(feature);
    }
    for (std::size_t index = ends_.empty() ? 0 : ends_.back(); index < size; ++index)
      fetch_early(&model_.buckets_[model_.bucket_of(features_[index])]);
    features_.resize(size);
    ends_.push_back(size);
  }

  /// What the type at a view's distance from a place scores alone.
  const std::int32_t* alone_at(std::size_t place, std::size_t view) const {
    const auto at = static_cast<std::ptrdiff_t>(place + model_.reach_) + model_.distances_[view];
    const auto type = static_cast<std::size_t>(padded_[static_cast<std::size_t>(at)]);
    return alone_.data() + (type * model_.distances_.size() + view) * model_.labels_;
  }

  void sum_scores(std::size_t place, std::span<const std::uint32_t> features) {
    const std::size_t labels = model_.labels_, views = model_.distances_.size();
    std::ranges::fill(scores_, 0);
    std::int32_t* row = scores_.data();
    std::size_t view = 0;
    for (; view + 1 < views; view += 2) {  // two at a time, since the row is read and written each time
      const std::int32_t *a = alone_at(place, view), *b = alone_at(place, view + 1);
      for (std::size_t label = 0; label < labels; ++label) row[label] += a[label] + b[label];
    }
    if (view < views) {
      const std::int32_t* a = alone_at(place, view);
      for (std::size_t label = 0; label < labels; ++label) row[label] += a[label];
    }
    for (const std::uint32_t feature : features) model_.add(feature, row);
  }

  void keep_candidates(std::size_t place) {
    const std::size_t begin = candidates_.size();
    search_.add_candidates(scores_, candidates_);
    places_[place].begin = begin, places_[place].size = candidates_.size() - begin;
    memory_.keep(places_[place].slot, &padded_[place], std::span(candidates_).subspan(begin));
  }

  const Labeller& model_;
  const TokenTypes& types_;
  std::span<const std::int32_t> alone_;
  WindowMemory memory_;
  std::vector<std::uint32_t> seeds_, joint_, values_;  // by joint template
  std::array<std::vector<CellOfRow>, Template::most>
      cells_;                               // the first of all joint templates, the second, …
  std::vector<const std::uint32_t*> rows_;  // attributes of the types around a place
  LabelSearch search_;
  std::vector<std::int32_t> scores_;  // of the labels of one place
  std::vector<Token> padded_;         // as many types beyond each end as templates reach
  std::vector<Place> places_;         // of the sentence; without candidates where nothing was asked
  std::vector<Candidate> candidates_;
  std::vector<std::span<const Candidate>> decided_;  // of places whose neighbours are all decided
  std::vector<std::uint8_t> needed_;  // by place, whether its label is asked for or decides such a one
  std::vector<std::size_t> todo_, fresh_, ends_;
  std::vector<std::uint32_t> features_;
};

void Labeller::label(const TokenTypes& types, const Sentences& sentences,
                     std::span<const std::uint8_t> wanted, int threads, std::span<std::int32_t> found) const {
  // What a type alone says at each distance is summed once, however often the type occurs.
  const std::vector<std::int32_t> alone = score_alone(types, threads);
  // Neighbours of wanted tokens are looked at, too.
  const std::size_t tokens =
      wanted.empty() ? sentences.tokens.size()
                     : 2 * (wanted.size() - static_cast<std::size_t>(std::ranges::count(wanted, 0)));
  parallel_for(sentences.size(), threads, [&] {
    return [&, labels = SentenceLabels(*this, types, alone, tokens)](std::size_t index) mutable {
      const auto begin = static_cast<std::size_t>(sentences.offsets[index]);
      const Tokens sentence = sentences[index];
      labels.label(sentence, wanted.empty() ? nullptr : wanted.data() + begin,
                   found.subspan(begin, sentence.size()));
    };
  });
}

}  // namespace recte
