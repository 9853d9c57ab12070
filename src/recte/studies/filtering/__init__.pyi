from recte.studies.filtering.filtered_pairs import filter_pairs as filter_pairs
from recte.studies.filtering.pair_conditions import PairConditions as PairConditions
