from recte.evaluation.cluster.cluster_counts import count as count
from recte.evaluation.cluster.cluster_counts import score as score
