// A loop over independent items on several threads, heavy ones anywhere among them.
#pragma once

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace recte {

/// Calls make() once a thread, then the result with each index once. An exception stops all and is thrown
/// here.
template <class Make>
void parallel_for(std::size_t size, int threads, Make make) {
  constexpr std::size_t chunk = 16;
  if (threads <= 1 || size <= chunk) {
    auto work = make();
    for (std::size_t index = 0; index < size; ++index) work(index);
    return;
  }
  std::atomic<std::size_t> next{0};
  std::exception_ptr failure;
  std::mutex failing;
  const auto run = [&] {
    try {
      auto work = make();
      for (std::size_t first; (first = next.fetch_add(chunk)) < size;)
        for (std::size_t index = first; index < std::min(first + chunk, size); ++index) work(index);
    } catch (...) {
      const std::lock_guard lock(failing);
      if (!failure) failure = std::current_exception();
      next = size;
    }
  };
  std::vector<std::thread> others;
  const std::size_t useful = std::min<std::size_t>(threads, (size + chunk - 1) / chunk);
  try {
    while (others.size() + 1 < useful) others.emplace_back(run);
  } catch (const std::system_error&) {  // no more threads to be had: those there are do the work
  }
  run();
  for (std::thread& other : others) other.join();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace recte
