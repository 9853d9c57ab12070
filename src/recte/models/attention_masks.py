"""Which pieces may look at which, as a model takes it.

Given a row of zeros and ones per text, models of transformers look whether all are ones and then compute another way.
A GPU has to be waited for to know, and the last bit of a text would hang on its neighbours. So models that take a mask
for each pair of pieces are given one. Which take it is found out by trying it.
"""

from __future__ import annotations

from typing import Any, Literal

__all__ = ["MaskForm", "mask_form", "shaped_mask"]

MaskForm = Literal["plain", "pairs", "added", "added-causal"]
_FORMS: dict[bool, tuple[MaskForm, ...]] = {False: ("added", "pairs"), True: ("added-causal",)}


def shaped_mask(mask: Any, form: MaskForm, dtype: Any) -> Any:
    """A mask of zeros and ones, one row per text, in the form that a model takes.

    `pairs` has zeros and ones for each pair of pieces; `added` has what is added to their similarity.
    """
    import torch

    length = mask.shape[1]
    if form == "plain":
        return mask
    if form == "pairs":
        return mask[:, None, :].expand(-1, length, -1)
    seen = mask.bool()[:, None, None, :].expand(-1, 1, length, -1)
    if form == "added-causal":
        seen = seen & torch.ones((length, length), dtype=torch.bool, device=mask.device).tril()
    return torch.zeros(seen.shape, dtype=dtype, device=mask.device).masked_fill(~seen, torch.finfo(dtype).min)


def mask_form(model: Any, causal: bool) -> MaskForm:
    """The form in which a model takes masks for pairs of pieces, or `plain` where it takes none.

    It is one that gives what the plain mask gives, bit by bit, where some texts are shorter than others.
    """
    import torch

    ids = torch.arange(1, 13, device=model.device).reshape(2, 6) % model.get_input_embeddings().weight.shape[0]
    mask = torch.ones_like(ids)
    mask[1, 4:] = 0
    with torch.inference_mode():
        wanted = _given(model, ids, mask, mask.bool())
        for form in _FORMS[causal]:
            try:
                found = _given(model, ids, shaped_mask(mask, form, model.dtype), mask.bool())
            except Exception:  # whatever a model says to a form that it does not know
                continue
            if found.shape == wanted.shape and torch.equal(found, wanted):
                return form
    return "plain"


def _given(model: Any, ids: Any, mask: Any, real: Any) -> Any:
    """What the model gives for real pieces, or for texts."""
    given = model(input_ids=ids, attention_mask=mask)[0]
    return given[real] if given.dim() == 3 else given
