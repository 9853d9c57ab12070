from recte.cluster.cluster_counts import count as count
from recte.cluster.cluster_counts import score as score
