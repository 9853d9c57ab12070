"""Language models that read texts: found on disk, loaded when needed, given batches of fixed shapes.

A result must not depend on which other texts are scored. The order of sums in a model depends on the shape of a
batch, so the shape follows from a text's own length: few padded lengths, and a fixed number of rows for each
(`batching`); the last batch of a length is filled with copies. The last layers, which see one row per text, compute
each row alone. A result is then a function of model, options, machine and text, and is cached under that key, which
is known without loading torch (`machine`); if torch, once loaded, says otherwise, everything is computed under the
right key. Cached values have checksums.

On a processor batches are small (96 pieces), on a GPU large; there, texts are cut into pieces in another thread and
results are fetched 16 batches at a time. A pass of a shape that came three times is recorded as a CUDA graph
(`cuda_graphs`) and used if it gives the same bits.
"""
