"""Products of a model's states and weights: as fast as the processor can, and each text alone.

Two things change in a loaded model. On a processor, weights are laid out once as oneDNN wants them, which makes small
batches twice as fast as by laying them out at each product. And products whose order of sums would depend on a row's
place in its batch are computed so that it does not.
"""

from __future__ import annotations

from typing import Any

__all__ = ["has_packed_products", "with_own_layers"]

_ROUND = 64  # to which a GPU's products are padded


def with_own_layers(model: Any, device: str, dtype: str, *, language_model: bool = False) -> Any:
    """The model with layers of ours in place of its linear ones; they compute the same to the last digits."""
    import torch

    head: Any = model.get_output_embeddings() if language_model and device.startswith("cuda") else None
    packs = device == "cpu" and dtype == "fp32" and has_packed_products(torch)
    module: Any
    for module in list(model.modules()):
        if type(module).__name__ == "Conv1D" and hasattr(module, "nf") and packs:  # GPT-2's, with weights turned
            _pack(torch, module, module.weight.t().contiguous())
        elif type(module) is not torch.nn.Linear:
            continue
        elif module.out_features == 1:
            module.__class__ = _one_column(torch)
        elif packs:
            _pack(torch, module, module.weight)
        elif module is head and (module.out_features % _ROUND or dtype == "bf16"):
            _pad(torch, module)
        elif device == "cpu":
            module.__class__ = _row_by_row(torch)
    return model


def has_packed_products(torch: Any) -> bool:
    """Whether this torch, on this processor, has them and they give what plain products give."""
    if not torch.backends.mkldnn.enabled:
        return False
    states, weight = torch.eye(16)[None], torch.arange(256.0).reshape(16, 16)
    try:
        packed = torch.ops.mkldnn._reorder_linear_weight(weight)
        product = torch.ops.mkldnn._linear_pointwise(states, packed, None, "none", [], "")
    except (AttributeError, RuntimeError):  # a torch without oneDNN, or a processor that it does not serve
        return False
    return bool(torch.allclose(product[0], weight.t()))


def _one_column(torch: Any) -> Any:
    class OneColumn(torch.nn.Linear):  # type: ignore[misc]
        """A product with one column is summed in an order that depends on the row's place; this one is not."""

        def forward(self, states: Any) -> Any:
            summed = (states * self.weight[0]).sum(dim=-1, keepdim=True)
            return summed if self.bias is None else summed + self.bias

    return OneColumn


def _row_by_row(torch: Any) -> Any:
    class RowByRow(torch.nn.Linear):  # type: ignore[misc]
        """A head sees one row per text, and so few rows are summed in an order that depends on their number."""

        def forward(self, states: Any) -> Any:
            if states.dim() == 2:
                return torch.cat([super(RowByRow, self).forward(row) for row in states.split(1)])
            return super().forward(states)

    return RowByRow


def _pack(torch: Any, module: Any, weight: Any) -> None:
    """Keep the weights of a layer as oneDNN lays them out, and nothing else of them."""
    product = torch.ops.mkldnn._linear_pointwise

    class Packed(torch.nn.Module):  # type: ignore[misc]
        def forward(self, states: Any) -> Any:
            rows = states.split(1) if states.dim() == 2 else [states.contiguous()]
            products = [product(part, self.weight, self.bias, "none", [], "") for part in rows]
            return products[0] if len(products) == 1 else torch.cat(products)

    packed = torch.ops.mkldnn._reorder_linear_weight(weight.detach())
    del module.weight
    module.register_buffer("weight", packed, persistent=False)
    module.__class__ = Packed


def _pad(torch: Any, module: Any) -> None:
    """Round the number of a GPU's outputs up: rows of an odd length begin at odd addresses, where sums differ.

    From bf16 the head gives fp16, which has more digits and is as large as any logarithm needs; and from fp16 a GPU
    makes float32 while it reads, which saves a copy of the largest tensor of all.
    """
    count = module.out_features
    more = -count % _ROUND
    linear = torch.nn.functional.linear
    dtype = torch.float16 if module.weight.dtype == torch.bfloat16 else module.weight.dtype

    class PaddedHead(torch.nn.Linear):  # type: ignore[misc]
        def forward(self, states: Any) -> Any:
            scores = linear(states.to(dtype), self.padded, self.padded_bias)
            scores[..., count:] = -torch.inf
            return scores

    def pad_rows(part: Any, sides: tuple[int, ...]) -> Any:
        return None if part is None else torch.nn.functional.pad(part.detach(), sides).to(dtype)

    module.padded, module.padded_bias = pad_rows(module.weight, (0, 0, 0, more)), pad_rows(module.bias, (0, more))
    module.__class__ = PaddedHead
