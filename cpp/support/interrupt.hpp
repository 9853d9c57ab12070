// How long work stays polite: it polls, and ends where it is told to.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>

namespace recte {

/// Thrown out of a kernel that was told to stop.
struct Interrupted {};

/// What the threads of one call have in common: whether to stop, and who is asked about it.
class Watch {
 public:
  /// `ask` says whether to stop. It is called now and then, by the thread that made the watch alone.
  explicit Watch(std::function<bool()> ask = {});
  ~Watch();
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  void stop() { stopped_.store(true, std::memory_order_relaxed); }
  bool stopped() const { return stopped_.load(std::memory_order_relaxed); }
  /// Have `call` called once, by the thread that made the watch, when the work has proved long.
  void when_long(std::function<void()> call);
  void forget_when_long() { when_long_ = {}; }
  /// Look at the clock and do what is due; the number of polls until the next look.
  int look();

 private:
  using Clock = std::chrono::steady_clock;

  std::atomic<bool> stopped_{false};
  std::function<bool()> ask_;
  std::function<void()> when_long_;
  Clock::time_point begun_, asked_, looked_;
  Watch* outer_;
  bool outer_mine_;
};

/// What a thread knows of the call it works for. Nothing is shared between calls.
struct Working {
  Watch* watch = nullptr;
  bool mine = false;  // this thread made the watch, and looks after it
  int polls_left = 1;
};

inline constinit thread_local Working working;

/// Kernels call this between sentences and in every loop that can last, at least some twenty times a second.
inline void poll() {
  Working& here = working;
  if (here.watch == nullptr) return;
  if (here.watch->stopped()) throw Interrupted{};
  if (here.mine && --here.polls_left <= 0) here.polls_left = here.watch->look();
}

/// The same for loops whose rounds are a matter of nanoseconds.
inline void poll_every(std::size_t round) {
  if ((round & 0x3fff) == 0x3fff) poll();
}

}  // namespace recte
