"""UCCA measures as the definitions read: sets of words, one comparison after another."""

from __future__ import annotations

WEAK = {"S": "P", "C": "H", "L": "N", "R": "F"}


def same(categories, others, labels):
    def plain(all_):
        return {WEAK.get(c, c) for c in all_} if labels == "weak" else set(all_)

    return bool(plain(categories) & plain(others))


def words_below(passage, unit, *, punctuation=True):
    found = {t for t in passage.units[unit].terminals if punctuation or not passage.terminals[t].punctuation}
    for edge in passage.edges:
        if edge.parent == unit and not edge.remote:
            found |= words_below(passage, edge.child, punctuation=punctuation)
    return frozenset(found)


def dag_counts(first, second, labels):
    """Matched units, units of the first, units of the second; primary and remote together."""

    def units(passage):
        table = {}
        for edge in passage.edges:
            below = words_below(passage, edge.child, punctuation=False)
            categories = set(edge.categories) - {"U"}
            if below and categories and not {"LA", "LR"} & set(edge.categories):
                table.setdefault((edge.remote, below), set()).update(categories)
        return table

    ours, theirs = units(first), units(second)
    matched = sum(key in theirs and same(ours[key], theirs[key], labels) for key in ours)
    return matched, len(ours), len(theirs)


def edge_counts(first, second, labels):
    """The definition of section 4.3 as printed: matched and all edges of the first and of the second graph."""

    def edges(passage):
        return [
            (words_below(passage, e.child), e.categories, e.remote)
            for e in passage.edges
            if words_below(passage, e.child) and not {"LA", "LR"} & set(e.categories)
        ]

    def matched(ours, theirs):
        return sum(any(a == b and r == q and same(c, d, labels) for b, d, q in theirs) for a, c, r in ours)

    ours, theirs = edges(first), edges(second)
    return matched(ours, theirs), len(ours), matched(theirs, ours), len(theirs)


def roles(passage, unit):
    return {c for e in passage.edges if e.child == unit and not {"LA", "LR"} & set(e.categories) for c in e.categories}


def kept_units(one, other, pairs, labels, least):
    """As released: units of `one` whose most similar unit has a label of theirs, and all units compared."""

    def compared(passage):
        return [
            u
            for u in range(1, len(passage.units))
            if not passage.units[u].linkage and roles(passage, u) != {"U"} and len(words_below(passage, u)) >= least
        ]

    matched = 0
    for v in compared(one):
        best, agrees = 0.0, False
        for u in compared(other):
            mine, theirs = words_below(one, v), words_below(other, u)
            dice = 2 * sum(i in mine and j in theirs for i, j in pairs) / (len(mine) + len(theirs))
            if dice > best:
                best, agrees = dice, False
            if dice == best > 0:
                agrees = agrees or same(roles(one, v), roles(other, u), labels)
        matched += agrees
    return matched, len(compared(one))


def equation_9(one, other, pairs, labels):
    """Matched and all edges of both graphs, units of `one` aligned by equation 9."""

    def edges(passage):
        return [
            (e.child, set(e.categories) - {"U"})
            for e in passage.edges
            if words_below(passage, e.child, punctuation=False)
            and set(e.categories) != {"U"}
            and not {"LA", "LR"} & set(e.categories)
        ]

    aligned = {}
    for v in range(len(one.units)):
        mine = words_below(one, v, punctuation=False)
        ranked = []
        for u in range(len(other.units)):
            theirs = words_below(other, u, punctuation=False)
            common = sum(i in mine and j in theirs for i, j in pairs)
            if common:
                ranked.append((common / len(theirs), common, u))
        aligned[v] = {u for *rank, u in ranked if rank == list(max(ranked)[:2])}
    ours, theirs = edges(one), edges(other)

    def match(edge, found):
        return found[0] in aligned[edge[0]] and same(edge[1], found[1], labels)

    kept = sum(any(match(e, f) for f in theirs) for e in ours)
    backed = sum(any(match(e, f) for e in ours) for f in theirs)
    return (kept, len(ours)), (backed, len(theirs))
