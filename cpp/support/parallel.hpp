// A loop over independent items on several threads, heavy ones anywhere among them.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <functional>

#include "support/interrupt.hpp"

namespace recte {

/// Calls `run` on this thread and, once the work has proved long, on up to `crew` - 1 more. An exception
/// stops all of them and is thrown here.
void work_together(std::size_t crew, const std::function<void()>& run);

/// Calls make() once on each thread that takes part, then the result with each index once. Indices are given
/// out as threads ask for them, a few at a time where there are many.
template <class Make>
void parallel_for(std::size_t size, int threads, Make make) {
  const std::size_t crew = std::clamp<std::size_t>(size, 1, static_cast<std::size_t>(std::max(threads, 1)));
  const std::size_t chunk = std::clamp<std::size_t>(size / (8 * crew), 1, 16);
  std::atomic<std::size_t> next{0};
  work_together(crew, [&] {
    auto work = make();
    for (std::size_t first; (first = next.fetch_add(chunk)) < size;)
      for (std::size_t index = first; index < std::min(first + chunk, size); ++index) {
        work(index);
        poll();
      }
  });
}

}  // namespace recte
