"""Language models that read texts: found on disk, loaded late, fed in batches of fixed shapes, their results kept."""
