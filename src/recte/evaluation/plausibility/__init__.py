"""Whether input looks like what it should be, before a score is believed: pure functions on a corpus and systems."""
