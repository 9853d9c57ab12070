// Objects with a state that Python holds.
#pragma once

#include <atomic>
#include <concepts>
#include <utility>

#include "support/checks.hpp"

namespace recte::binding {

/// A state that one thread changes, or several look at. Kernels work without the GIL, so two threads may meet
/// here. Whoever comes second is refused: if it waited, it would keep the GIL that the first one needs to
/// end.
template <class State>
class Held {
 public:
  template <class... Arguments>
    requires std::constructible_from<State, Arguments...>
  explicit Held(Arguments&&... arguments) : state_(std::forward<Arguments>(arguments)...) {}

  auto look(auto&& work) const {
    const Use use(users_, false);
    return work(state_);
  }
  auto change(auto&& work) {
    const Use use(users_, true);
    return work(state_);
  }

 private:
  class Use {
   public:
    Use(std::atomic<int>& users, bool alone) : users_(users), alone_(alone) {
      int now = users.load();
      do {
        if (now < 0 || (alone && now > 0))
          throw BadInput("expected one thread at a time, got another at work");
      } while (!users.compare_exchange_weak(now, alone ? -1 : now + 1));
    }
    ~Use() { alone_ ? users_.store(0) : void(users_.fetch_sub(1)); }
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;

   private:
    std::atomic<int>& users_;
    const bool alone_;
  };

  State state_;
  mutable std::atomic<int> users_{0};  // -1: one that changes it
};

}  // namespace recte::binding
