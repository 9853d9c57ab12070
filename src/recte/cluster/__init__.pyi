from recte.cluster.cluster_counts import count as count
