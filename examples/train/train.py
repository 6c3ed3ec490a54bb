"""Trains a byte-level language model in a second or two, in plain Python, and prints how well it predicts unseen text.

The model counts which byte followed each context of 0, 1, 2, ... bytes, and mixes what the contexts say with weights
that it learns by gradient descent. This is the one file that changes; prepare.py holds the text and the evaluation.
"""

import math
import random
import time
from binascii import crc32

from prepare import CONTEXT_BYTES, TIME_BUDGET, TRAIN_BYTES, evaluate_bpb, make_dataloader

# ---------------------------------------------------------------------------
# Hyperparameters (edit these directly)
# ---------------------------------------------------------------------------

MAX_ORDER = 3            # longest context, in bytes
HASH_BITS = 12           # each context length has 2**HASH_BITS slots; contexts that share one are confused
COUNT_LIMIT = 32         # a slot that has seen more bytes than this forgets half of them
SMOOTHING = 1.0          # imagined counts, spread evenly over all bytes

SEGMENT_BYTES = 128      # length of one piece of training text
LEARNING_RATE = 0.005    # step of the mixing weights at the beginning
FINAL_LR_FRACTION = 0.1  # how much of that is left at the end
INIT_SPREAD = 0.5        # size of the random first weights
WEIGHT_SETS = 1          # the weights depend on how many contexts are known, up to this many cases

SEED = 1337              # picks the pieces of text and the first weights

# ---------------------------------------------------------------------------
# Model
# ---------------------------------------------------------------------------


class ContextMixer:
    def __init__(self, rng):
        orders = min(MAX_ORDER, CONTEXT_BYTES) + 1
        sets = min(WEIGHT_SETS, orders + 1)
        self.mask = (1 << HASH_BITS) - 1
        # A table for each context length: slot -> [bytes seen, {byte: count}].
        self.tables = [{} for _ in range(orders)]
        # A logit for each voice: the even guess, then each context length.
        self.logits = [[rng.gauss(0, INIT_SPREAD) for _ in range(orders + 1)] for _ in range(sets)]

    def slot(self, context, order):
        return crc32(context[len(context) - order:]) & self.mask

    def known(self, context):
        """What was counted after this context, from length 0 on, as far as it has been seen before."""
        found = []
        for order, table in enumerate(self.tables):
            entry = table.get(self.slot(context, order))
            if entry is None:
                break
            found.append(entry)
        return found

    def weights(self, count):
        """The logits in use when `count` contexts are known, and the weight of each voice."""
        logits = self.logits[min(count, len(self.logits) - 1)]
        raised = [math.exp(logit) for logit in logits[:count + 1]]
        total = sum(raised)
        return logits, [value / total for value in raised]

    def predict(self, context):
        """256 probabilities for the byte that follows."""
        found = self.known(context)
        _, weights = self.weights(len(found))
        even = weights[0] / 256
        for weight, (seen, _) in zip(weights[1:], found):
            even += weight * SMOOTHING / (seen + SMOOTHING) / 256
        shares = [even] * 256
        for weight, (seen, counts) in zip(weights[1:], found):
            for byte, count in counts.items():
                shares[byte] += weight * count / (seen + SMOOTHING)
        return shares

    def learn(self, context, byte):
        """One step of gradient descent on the weights, then the counts; returns the loss in bits before it."""
        found = self.known(context)
        logits, weights = self.weights(len(found))
        voices = [1 / 256]
        for seen, counts in found:
            voices.append((counts.get(byte, 0) + SMOOTHING / 256) / (seen + SMOOTHING))
        mixed = sum(weight * voice for weight, voice in zip(weights, voices))
        for index, weight in enumerate(weights):
            logits[index] += self.learning_rate * weight * (voices[index] / mixed - 1)
        self.count(found, context, byte)
        return -math.log2(mixed)

    def count(self, found, context, byte):
        for entry in found:
            counts = entry[1]
            counts[byte] = counts.get(byte, 0) + 1
            entry[0] += 1
            if entry[0] > COUNT_LIMIT:
                entry[1] = {key: value / 2 for key, value in counts.items()}
                entry[0] /= 2
        # The next longer context was new here. Those beyond it wait until it is met again.
        order = len(found)
        if order < len(self.tables):
            self.tables[order][self.slot(context, order)] = [1, {byte: 1}]

    def num_params(self):
        return sum(map(len, self.logits)) + sum(len(counts) for table in self.tables for _, counts in table.values())


# ---------------------------------------------------------------------------
# Training
# ---------------------------------------------------------------------------

t_start = time.time()
rng = random.Random(SEED)
model = ContextMixer(rng)

total_training_time = 0.0
num_steps = 0
smooth_loss = 8.0
for piece in make_dataloader(rng, SEGMENT_BYTES):
    t0 = time.time()
    progress = num_steps / TRAIN_BYTES
    model.learning_rate = LEARNING_RATE * (1 - progress * (1 - FINAL_LR_FRACTION))
    for position in range(min(CONTEXT_BYTES, len(piece)), len(piece)):
        loss = model.learn(piece[position - CONTEXT_BYTES:position], piece[position])
        smooth_loss += 0.001 * (loss - smooth_loss)
    num_steps += len(piece)
    if num_steps * 4 // TRAIN_BYTES > int(progress * 4):
        print(f"{num_steps:6d} bytes | loss: {smooth_loss:.3f} bits")
    total_training_time += time.time() - t0
    if total_training_time >= TIME_BUDGET:
        break

t_eval = time.time()
val_bpb = evaluate_bpb(model)
t_end = time.time()

print("---")
print(f"val_bpb:          {val_bpb:.6f}")
print(f"training_seconds: {total_training_time:.1f}")
print(f"eval_seconds:     {t_end - t_eval:.1f}")
print(f"total_seconds:    {t_end - t_start:.1f}")
print("peak_vram_mb:     0.0")
print(f"num_steps:        {num_steps}")
print(f"num_params:       {model.num_params()}")
