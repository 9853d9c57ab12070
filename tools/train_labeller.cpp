// Trains the weights of a Labeller: averaged structured perceptrons (Collins 2002), each with sentences in
// another order, and the mean of their weights. Features are dropped at random while training, so that no
// word relies on one.
//
//   train_labeller IN OUT ROUNDS MARGIN LEAST_COUNT MODELS PERCENT_DROPPED
//
// IN and OUT are files of 32-bit integers, written and read by train_tagger.py.
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <unordered_map>

#include "text/labelling.hpp"

namespace {

using namespace recte;

struct Input {
  std::vector<std::int32_t> numbers;
  std::size_t next = 0;

  explicit Input(const char* path) {
    std::ifstream file(path, std::ios::binary | std::ios::ate);
    numbers.resize(static_cast<std::size_t>(file.tellg()) / 4);
    file.seekg(0);
    file.read(reinterpret_cast<char*>(numbers.data()), static_cast<std::streamsize>(numbers.size() * 4));
  }
  std::vector<std::int32_t> take() {  // a length, then as many numbers
    const auto size = static_cast<std::size_t>(numbers[next++]);
    next += size;
    return {numbers.begin() + (next - size), numbers.begin() + next};
  }
};

// A weight and what averaging needs: the sum of its changes, each times the step it was made in.
struct Averaged {
  std::int32_t weight = 0;
  std::int64_t weighted = 0;
  void change(std::int32_t by, std::int64_t step) { weight += by, weighted += by * step; }
  double average(std::int64_t steps) const {
    return weight - static_cast<double>(weighted) / static_cast<double>(steps);
  }
};

}  // namespace

int main(int, char** arguments) {
  Input input(arguments[1]);
  const int rounds = std::atoi(arguments[3]);
  const std::int32_t margin = std::atoi(arguments[4]);
  const int least = std::atoi(arguments[5]);
  const int models = std::atoi(arguments[6]);
  const int dropped = std::atoi(arguments[7]);

  const std::vector<std::int32_t> sizes = input.take();  // columns, labels
  const auto columns = static_cast<std::size_t>(sizes[0]), labels = static_cast<std::size_t>(sizes[1]);
  const std::vector<std::int32_t> cells = input.take(), attributes = input.take(), tokens = input.take(),
                                  lengths = input.take(), gold = input.take();
  std::vector<Template> templates(cells.size() / 6);
  for (std::size_t index = 0; index < templates.size(); ++index)
    for (std::size_t cell = 0; cell < 3; ++cell)
      templates[index].cells[cell] = {cells[index * 6 + 2 * cell], cells[index * 6 + 2 * cell + 1]};
  const std::vector<std::uint32_t> unsigned_attributes(attributes.begin(), attributes.end());
  const TokenTypes types{unsigned_attributes, columns};
  std::vector<std::int64_t> offsets{0};
  for (const std::int32_t length : lengths) offsets.push_back(offsets.back() + length);
  const Sentences sentences{tokens, offsets};

  // Features by number, those that occur too seldom left out.
  std::vector<std::uint32_t> all(tokens.size() * templates.size());
  for (std::size_t index = 0; index < sentences.size(); ++index)
    for (std::size_t place = 0; place < sentences[index].size(); ++place)
      for (std::size_t number = 0; number < templates.size(); ++number) {
        std::array<std::uint32_t, Template::most> values;
        const int size = templates[number].size();
        for (int cell = 0; cell < size; ++cell) {
          const auto [column, distance] = templates[number].cells[cell];
          values[cell] =
              types.at(type_at(sentences[index], static_cast<std::int64_t>(place) + distance, types), column);
        }
        all[(offsets[index] + place) * templates.size() + number] =
            feature_of(seed_of(number), {values.data(), static_cast<std::size_t>(size)});
      }
  std::unordered_map<std::uint32_t, std::int32_t> counts, ids;
  for (const std::uint32_t feature : all) ++counts[feature];
  std::vector<std::uint32_t> features;
  for (const auto& [feature, count] : counts)
    if (count >= least) features.push_back(feature);
  std::ranges::sort(features);
  for (std::size_t id = 0; id < features.size(); ++id) ids[features[id]] = static_cast<std::int32_t>(id);
  std::vector<std::int32_t> of(all.size());
  for (std::size_t index = 0; index < all.size(); ++index) {
    const auto found = ids.find(all[index]);
    of[index] = found == ids.end() ? -1 : found->second;
  }
  std::printf("%zu types, %zu features (%zu seen)\n", types.size(), features.size(), counts.size());

  const std::vector<std::int64_t> allowed(labels * labels, margin - 1);
  std::vector<double> sums(features.size() * labels), transition_sums(labels * labels);
  std::vector<std::size_t> order(sentences.size());
  std::uint64_t random = 88172645463325252ULL;
  const auto draw = [&] { return random ^= random << 13, random ^= random >> 7, random ^= random << 17; };
  for (int model = 0; model < models; ++model) {
    std::vector<Averaged> weights(features.size() * labels), transitions(labels * labels);
    std::vector<std::int32_t> between(labels * labels), scores, found, ids_of;
    for (std::size_t index = 0; index < order.size(); ++index) order[index] = index;
    std::int64_t step = 0;
    for (int round = 0; round < rounds; ++round) {
      for (std::size_t left = order.size(); left > 1; --left)
        std::swap(order[left - 1], order[draw() % left]);
      std::int64_t wrong = 0;
      for (const std::size_t index : order) {
        ++step;
        const std::size_t begin = static_cast<std::size_t>(offsets[index]), size = sentences[index].size();
        scores.assign(size * labels, 0);
        found.assign(size, 0);
        const auto first = of.begin() + static_cast<std::ptrdiff_t>(begin * templates.size());
        ids_of.assign(first, first + static_cast<std::ptrdiff_t>(size * templates.size()));
        for (std::int32_t& id : ids_of)
          if (static_cast<int>(draw() % 100) < dropped) id = -1;
        for (std::size_t place = 0; place < size; ++place)
          for (std::size_t number = 0; number < templates.size(); ++number)
            if (const std::int32_t id = ids_of[place * templates.size() + number]; id >= 0)
              for (std::size_t label = 0; label < labels; ++label)
                scores[place * labels + label] +=
                    weights[static_cast<std::size_t>(id) * labels + label].weight;
        LabelSearch(labels, between, allowed).best(scores, found);
        for (std::size_t place = 0; place < size; ++place) {
          const auto right = static_cast<std::size_t>(gold[begin + place]),
                     guess = static_cast<std::size_t>(found[place]);
          wrong += right != guess;
          if (right != guess)
            for (std::size_t number = 0; number < templates.size(); ++number)
              if (const std::int32_t id = ids_of[place * templates.size() + number]; id >= 0) {
                weights[static_cast<std::size_t>(id) * labels + right].change(1, step);
                weights[static_cast<std::size_t>(id) * labels + guess].change(-1, step);
              }
          if (place > 0) {
            const std::size_t a = static_cast<std::size_t>(gold[begin + place - 1]) * labels + right,
                              b = static_cast<std::size_t>(found[place - 1]) * labels + guess;
            if (a != b) {
              transitions[a].change(1, step), transitions[b].change(-1, step);
              ++between[a], --between[b];
            }
          }
        }
      }
      std::printf("model %d, round %d: %lld of %zu wrong\n", model + 1, round + 1,
                  static_cast<long long>(wrong), tokens.size());
      std::fflush(stdout);
    }
    for (std::size_t index = 0; index < sums.size(); ++index)
      sums[index] += weights[index].average(step) / models;
    for (std::size_t index = 0; index < transition_sums.size(); ++index)
      transition_sums[index] += transitions[index].average(step) / models;
  }

  // Features, then their weights for all labels and the transitions, in thousandths.
  std::ofstream out(arguments[2], std::ios::binary);
  const auto write = [&](std::int32_t number) { out.write(reinterpret_cast<const char*>(&number), 4); };
  write(static_cast<std::int32_t>(features.size()));
  for (const std::uint32_t feature : features) write(static_cast<std::int32_t>(feature));
  for (const double sum : sums) write(static_cast<std::int32_t>(1000 * sum));
  for (const double sum : transition_sums) write(static_cast<std::int32_t>(1000 * sum));
}
