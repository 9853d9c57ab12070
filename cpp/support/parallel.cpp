#include "support/parallel.hpp"

#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <vector>

namespace recte {
namespace {

/// The threads other than the calling one.
class Helpers {
 public:
  Helpers(Watch& watch, std::size_t most, const std::function<void()>& run)
      : watch_(watch), most_(most), run_(run) {
    if (most_ > 0) watch_.when_long([this] { start(); });
  }
  ~Helpers() {
    watch_.forget_when_long();
    for (std::thread& thread : threads_) thread.join();
  }
  Helpers(const Helpers&) = delete;
  Helpers& operator=(const Helpers&) = delete;

  /// Run on this thread, wait for the others, and throw what any of them threw first.
  void work() {
    attempt(run_);
    watch_.forget_when_long();
    std::unique_lock lock(mutex_);
    while (busy_ > 0) {
      idle_.wait_for(lock, std::chrono::milliseconds(50));
      lock.unlock();
      attempt([this] { watch_.look(); });
      lock.lock();
    }
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  void start() {
    threads_.reserve(most_);
    try {
      while (threads_.size() < most_) {
        const std::lock_guard lock(mutex_);
        threads_.emplace_back([this] {
          working = {&watch_, false, 1};
          attempt(run_);
          const std::lock_guard done(mutex_);
          --busy_;
          idle_.notify_one();
        });
        ++busy_;
      }
    } catch (const std::system_error&) {  // no more threads to be had: those there are do the work
    }
  }

  template <class Run>
  void attempt(const Run& run) {
    try {
      run();
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!failure_) failure_ = std::current_exception();
      watch_.stop();
    }
  }

  Watch& watch_;
  std::size_t most_;
  const std::function<void()>& run_;
  std::mutex mutex_;
  std::condition_variable idle_;
  std::size_t busy_ = 0;
  std::exception_ptr failure_;
  std::vector<std::thread> threads_;
};

}  // namespace

void work_together(std::size_t crew, const std::function<void()>& run) {
  std::optional<Watch> own;
  if (working.watch == nullptr) own.emplace();  // nobody watches: only an exception stops the others
  Helpers(*working.watch, crew - 1, run).work();
}

}  // namespace recte
