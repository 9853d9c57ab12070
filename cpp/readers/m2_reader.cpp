#include "readers/m2_reader.hpp"

#include <cstring>
#include <memory>

#include "readers/m2_block.hpp"
#include "support/parallel.hpp"
#include "text/utf8.hpp"

namespace recte {
namespace {

constexpr std::size_t smallest_group = 64;  // blocks that a thread parses at once

/// Nothing but line ends, spaces, tabs and byte-order marks: such a line parts blocks.
bool parts_blocks(std::string_view line) {
  for (std::size_t at = 0; at < line.size();) {
    const char c = line[at];
    if (c == '\r' || c == '\n' || c == '\t' || c == ' ')
      ++at;
    else if (line.substr(at).starts_with(byte_order_mark))
      at += byte_order_mark.size();
    else
      return false;
  }
  return true;
}

void append(std::vector<std::int64_t>& offsets, const std::vector<std::int64_t>& more) {
  const std::int64_t base = offsets.back();
  for (std::size_t k = 1; k < more.size(); ++k) offsets.push_back(base + more[k]);
}

template <class T>
void append_values(std::vector<T>& values, const std::vector<T>& more) {
  values.insert(values.end(), more.begin(), more.end());
}

void append(Spans& spans, const Spans& more) {
  append_values(spans.begins, more.begins);
  append_values(spans.ends, more.ends);
}

void append(M2Columns& all, const M2Columns& part) {
  append(all.texts, part.texts);
  append_values(all.dropped, part.dropped);
  append(all.annotation_offsets, part.annotation_offsets);
  append(all.annotators, part.annotators);
  append_values(all.implied, part.implied);
  append_values(all.not_annotatable, part.not_annotatable);
  append(all.edit_offsets, part.edit_offsets);
  append_values(all.starts, part.starts);
  append_values(all.ends, part.ends);
  append_values(all.required, part.required);
  append_values(all.lines, part.lines);
  append(all.types, part.types);
  append(all.comments, part.comments);
  append(all.correction_offsets, part.correction_offsets);
  append(all.corrections, part.corrections);
}

}  // namespace

void M2Stream::feed(std::string_view bytes) {
  if (failure_.fault != M2Fault::none) return;
  pending_.append(bytes);
  scan(false);
}

void M2Stream::finish() {
  if (failure_.fault != M2Fault::none) return;
  scan(true);
  if (failure_.fault != M2Fault::none) return;
  if (started_) close(static_cast<std::int64_t>(pending_.size()));
  if (!sentences_) failure_ = {M2Fault::no_sentence, std::max<std::int64_t>(line_, 1), 0, {}};
}

void M2Stream::close(std::int64_t end) {
  blocks_.push_back({block_begin_, end, block_line_});
  ++sentences_;
  block_begin_ = end;
  block_line_ = line_;
  started_ = ended_ = false;
}

void M2Stream::scan(bool last) {
  const auto size = static_cast<std::int64_t>(pending_.size());
  while (scanned_ < size) {
    const void* found =
        std::memchr(pending_.data() + scanned_, '\n', static_cast<std::size_t>(size - scanned_));
    if (!found && !last) return;
    const std::int64_t end = found ? static_cast<const char*>(found) - pending_.data() + 1 : size;
    const std::string_view line(pending_.data() + scanned_, static_cast<std::size_t>(end - scanned_));
    ++line_;
    if (valid_utf8_prefix(line) < line.size()) {
      failure_ = {M2Fault::not_utf8, line_, 0, std::string(line)};
      return;
    }
    const bool empty = parts_blocks(line);
    if (ended_ && !empty) close(scanned_);
    started_ = started_ || !empty;
    ended_ = started_ && empty;
    scanned_ = end;
    if (scanned_ - block_begin_ > longest_block) {
      failure_ = {M2Fault::too_long, block_line_, longest_block, {}};
      return;
    }
  }
}

M2Columns M2Stream::take(std::size_t most, int threads, M2Error& error) {
  const std::size_t size = std::min(most, blocks_.size());
  const std::size_t group = std::max(smallest_group, size / (4 * static_cast<std::size_t>(threads)) + 1);
  const std::size_t parts_count = (size + group - 1) / group;
  std::vector<M2Columns> parts(parts_count);
  std::vector<M2Error> errors(parts_count);
  parallel_for(parts_count, size > 1024 ? threads : 1, [&] {
    return [&](std::size_t p) {
      M2BlockParser parser(pending_, lenient_, parts[p], errors[p]);
      for (std::size_t b = p * group; b < std::min(size, (p + 1) * group); ++b)
        if (!parser.parse(blocks_[b].begin, blocks_[b].end, blocks_[b].first_line)) return;
    };
  });
  M2Columns all;
  std::size_t kept = 0;
  for (std::size_t p = 0; p < parts_count; ++p) {
    kept += parts[p].dropped.size();
    if (p == 0)
      all = std::move(parts[p]);
    else
      append(all, parts[p]);
    if (errors[p].fault != M2Fault::none) {
      error = errors[p];
      break;
    }
  }
  for (std::size_t b = 0; b < kept; ++b) all.blocks.push_back(blocks_[b].end);
  const std::int64_t end = all.blocks.back();
  all.bytes = pending_.substr(0, static_cast<std::size_t>(end));
  pending_.erase(0, static_cast<std::size_t>(end));
  blocks_.erase(blocks_.begin(), blocks_.begin() + static_cast<std::ptrdiff_t>(kept));
  for (Block& block : blocks_) block.begin -= end, block.end -= end;
  scanned_ -= end;
  block_begin_ -= end;
  return all;
}

}  // namespace recte
