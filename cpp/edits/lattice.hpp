// The edit lattice of Dahlmeier and Ng (2012), section 2.1: all minimum-cost ways from source to hypothesis.
#pragma once

#include <array>

#include "text/tokens.hpp"

namespace recte {

enum class Tables {
  unit,  // insertion, deletion and substitution cost 1, as printed
  both,  // the union with a second table in which a substitution costs 2, as published
};

enum Move { insertion = 0, deletion = 1, diagonal = 2 };

/// `source` and `hypothesis` tokens are consumed here. Edges leave in the order of their targets.
struct Vertex {
  std::int32_t source, hypothesis;
  std::array<std::int32_t, 3> to;      // by Move; -1 where there is no edge
  std::array<std::uint8_t, 3> copies;  // how many tables hold the edge
  bool unchanged;                      // the diagonal edge keeps its word
};

/// Vertices in lexicographic order, which is a topological order too.
class Lattice {
 public:
  /// False, and nothing usable, where the lattice would have more than `max_vertices`.
  bool build(Tokens source, Tokens hypothesis, Tables tables, std::int64_t max_vertices);

  int size() const { return static_cast<int>(vertices_.size()); }
  const Vertex& operator[](int index) const { return vertices_[index]; }
  int begin_of_row(int source) const { return rows_[source]; }
  int end_of_row(int source) const { return rows_[source + 1]; }
  /// The vertex at these positions, or -1.
  int find(int source, int hypothesis) const;
  /// All atomic edges, an edge of both tables twice.
  std::int64_t atomic_edges() const { return atomic_edges_; }

 private:
  void fill_tables(Tokens source, Tokens hypothesis, int slack);
  void mark_minimal_edges(Tokens source, Tokens hypothesis, Tables tables);
  bool collect_vertices(Tokens source, Tokens hypothesis, Tables tables, std::int64_t max_vertices);
  std::size_t cell(int source, int diagonal) const {
    return static_cast<std::size_t>(source) * stride_ + (diagonal - lowest_ + 1);
  }

  int before_ = 0, behind_ = 0;  // unchanged words at both ends that no minimal path treats otherwise
  // Of the words between them, cells of the diagonals lowest_..highest_ (hypothesis minus source position),
  // one sentinel each side.
  int lowest_ = 0, highest_ = 0, stride_ = 0;
  std::vector<std::uint16_t> unit_, split_;  // substitution costs 1, 2
  std::vector<std::uint8_t> marks_;
  std::vector<Vertex> vertices_;
  std::vector<std::int32_t> rows_;
  std::int64_t atomic_edges_ = 0;
};

}  // namespace recte
