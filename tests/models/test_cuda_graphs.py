"""Recordings of passes, with a stand-in for the GPU's: when one is made, what it gives, and what goes without."""

from __future__ import annotations

import pytest

from recte.models import encoder as cuda_graphs
from recte.models.encoder import _Recording, record_pass

torch = pytest.importorskip("torch", reason="needs recte[neural]")


class Replayed:
    """What a recording does: the pass again, from its own place into its own place."""

    def __init__(self, forward, given, result):
        self.forward, self.given, self.result = forward, given, result

    def replay(self):
        self.result.copy_(self.forward(*self.given))


@pytest.fixture
def made(monkeypatch):
    shapes = []

    def recording(of, forward, tensors, wanted):
        shapes.append(tuple(wanted.shape))
        if len(shapes) > 1:
            return None  # as where it gives other bits, or cannot be made
        given = tuple(None if tensor is None else tensor.clone() for tensor in tensors)
        result = torch.empty_like(wanted)
        return _Recording(Replayed(forward, given, result), given, result)

    monkeypatch.setattr(cuda_graphs, "_recording", recording)
    return shapes


def test_a_shape_is_recorded_when_it_has_come_often(made):
    model, calls = torch.nn.Linear(2, 2), []

    def forward(a, b):
        calls.append(a.shape)
        return a * 2 if b is None else a + b

    run = record_pass(model, "sum", forward)
    results = []
    for number in range(8):
        given = torch.full((2, 3), float(number))
        results.append(run(given, given))
        torch.testing.assert_close(run(torch.full((4,), 1.0), None), torch.full((4,), 2.0))
    for number, result in enumerate(results):  # each its own, though recordings have one place
        torch.testing.assert_close(result, torch.full((2, 3), 2.0 * number))
    assert made == [(2, 3), (4,)]  # and one that could not be recorded is not tried again
    assert calls.count(torch.Size([4])) == 8


def test_passes_of_another_name_and_model_stand_apart(made):
    model, other = torch.nn.Linear(2, 2), torch.nn.Linear(2, 2)
    passes = [record_pass(model, "one", lambda a: a + 1), record_pass(model, "two", lambda a: a + 2)]
    passes.append(record_pass(other, "one", lambda a: a + 3))
    for _ in range(6):
        assert [int(run(torch.zeros(1))) for run in passes] == [1, 2, 3]
