// What an M2 file holds, before it is read: how many sentences, and who annotated them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace recte {

/// Looks at the first letter and the last field of each line alone. Right if nothing is wrong in the file.
class M2Survey {
 public:
  /// More bytes of the file.
  void feed(std::string_view bytes);
  /// There are no more.
  void finish();

  std::int64_t sentences() const { return sentences_; }
  /// In the order they are met; empty where a sentence names nobody.
  const std::vector<std::string>& annotators() const { return annotators_; }

 private:
  void look(std::string_view line);
  void meet(std::string_view annotator);
  void close();

  std::string pending_;  // the line that is not whole yet
  std::int64_t lines_ = 0, sentences_ = 0;
  bool annotated_ = true;  // the sentence names somebody
  std::vector<std::string> annotators_;
};

}  // namespace recte
