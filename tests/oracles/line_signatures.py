"""The slow twin of the kernel that turns texts into sets of trigrams."""

from __future__ import annotations


def signature(text: bytes, prefix: int) -> set[int]:
    """The bits that are set for a text."""
    letters = bytes(byte for byte in text[:prefix] if byte > 0x20)
    trigrams = {int.from_bytes(letters[i : i + 3], "big") for i in range(len(letters) - 2)}
    return {place_of_flag((trigram * 2654435761) % 2**32 >> 23) for trigram in trigrams}


def place_of_flag(flag: int) -> int:
    """Flags are eight rows of 64 bytes, whose numbers are the bits of a byte of the signature."""
    row, byte = divmod(flag, 64)
    return 8 * byte + row


def bits_of(words: list[int]) -> set[int]:
    """The bits that are set in words of 64."""
    return {64 * w + bit for w, word in enumerate(words) for bit in range(64) if word >> bit & 1}
