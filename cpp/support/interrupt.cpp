#include "support/interrupt.hpp"

#include <utility>

namespace recte {
namespace {

using namespace std::chrono_literals;

constexpr auto between_questions = 100ms;
constexpr auto long_work = 1ms;  // what starting threads is worth
constexpr int polls_between_looks = 8;

}  // namespace

Watch::Watch(std::function<bool()> ask)
    : ask_(std::move(ask)),
      begun_(Clock::now()),
      asked_(begun_),
      looked_(begun_),
      outer_(working.watch),
      outer_mine_(working.mine) {
  working = {this, true, 1};
}

Watch::~Watch() { working = {outer_, outer_mine_, 1}; }

void Watch::when_long(std::function<void()> call) {
  when_long_ = std::move(call);
  begun_ = Clock::now();
  working.polls_left = 1;
}

int Watch::look() {
  const Clock::time_point now = Clock::now();
  if (when_long_ && now - begun_ > long_work) std::exchange(when_long_, {})();
  if (ask_ && now - asked_ > between_questions) {
    if (ask_()) {
      stop();
      throw Interrupted{};
    }
    asked_ = Clock::now();
  }
  const bool seldom = now - looked_ > long_work;
  looked_ = now;
  return when_long_ || seldom ? 1 : polls_between_looks;
}

}  // namespace recte
