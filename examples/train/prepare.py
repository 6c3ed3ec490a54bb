"""The fixed half of the example: the text, its split, the training budget and the evaluation. Runs leave it alone."""

import math
import os

CONTEXT_BYTES = 16       # how many of the preceding bytes the evaluation shows to the model
TRAIN_BYTES = 96 * 1024  # the training budget: how many bytes the loader hands out, the same on every machine
TIME_BUDGET = 60         # seconds after which training ends early; a safety net that only a very slow machine meets
VAL_BYTES = 6 * 1024     # the end of the text, which is never trained on

TEXT_FILE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "data", "pride-and-prejudice.txt")


def load_split(split):
    """The bytes of "train" (the beginning of the text) or of "val" (its end)."""
    with open(TEXT_FILE, "rb") as file:
        text = file.read()
    return text[-VAL_BYTES:] if split == "val" else text[:-VAL_BYTES]


def make_dataloader(rng, segment_bytes):
    """Yields random pieces of the training text until TRAIN_BYTES have been handed out."""
    if segment_bytes < 1:
        raise ValueError("a piece of training text has at least one byte")
    text = load_split("train")
    left = TRAIN_BYTES
    while left > 0:
        size = min(segment_bytes, left, len(text))
        start = rng.randrange(len(text) - size + 1)
        yield text[start:start + size]
        left -= size


def evaluate_bpb(model):
    """Bits per byte on the validation text; lower is better.

    `model.predict(context)` gets the preceding bytes and returns 256 probabilities. They are checked, so that a model
    can't win by promising more than there is to share out.
    """
    text = load_split("val")
    bits = 0.0
    for position in range(CONTEXT_BYTES, len(text)):
        shares = model.predict(text[position - CONTEXT_BYTES:position])
        if len(shares) != 256 or min(shares) < 0 or not abs(sum(shares) - 1) < 1e-6:
            raise ValueError("predict() must return 256 probabilities that sum to 1")
        bits -= math.log2(max(shares[text[position]], 1e-12))
    return bits / (len(text) - CONTEXT_BYTES)
