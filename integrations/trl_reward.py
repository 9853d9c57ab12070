"""A reward for GRPOTrainer and RLOOTrainer of TRL; the data set has the columns prompt, source and references."""

import recte


def last_line(completion):
    """The correction, where a model thinks aloud before it writes it."""
    return completion.strip().rpartition("\n")[2]


# Not M2: it pays .158 for an empty output where copying the source gives 0, so a model would learn to write nothing.
correction_reward = recte.reward("errant", beta=0.5, answer=last_line)
