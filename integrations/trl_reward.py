"""A reward for GRPOTrainer and RLOOTrainer of TRL; the data set has the columns prompt, source and references."""

import recte


def last_line(completion):
    """The correction, where a model thinks aloud before it writes it."""
    return completion.strip().rpartition("\n")[2]


correction_reward = recte.reward("m2", beta=0.5, answer=last_line)
