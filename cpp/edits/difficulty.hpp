// GoToScorer's chunks: a reference cut into edits, tokens and the slots between, and what systems make of
// each.
#pragma once

#include "edits/edit_table.hpp"

namespace recte {

/// One chunk of a version: its place, its edit by number (-1 where it is as in the source).
constexpr std::size_t version_chunk = 3;

/// All versions' chunks end to end, one version for each source; `offsets` gets where each version's begin.
std::vector<std::int32_t> cut_versions(const Sentences& sources, const EditTable& versions,
                                       std::span<std::int64_t> offsets);

/// `somewhere`: some chunk of the system has the same text, wherever it stands.
enum ChunkVerdict : std::uint8_t { chunk_modified = 1, chunk_correct = 2, chunk_somewhere = 4 };

/// For each pair of a hypothesis and the reference of its source: a verdict on every chunk of the reference.
/// `ported`: as a port of the program judges, which takes a place that nothing of the system meets for
/// correct, and at an equal place forgets what it met before.
std::vector<std::uint8_t> judge_versions(const Sentences& sources, std::span<const std::int64_t> source_of,
                                         const EditTable& hypotheses, const EditTable& references,
                                         bool ported, int threads);

}  // namespace recte
