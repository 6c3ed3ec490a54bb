"""How fast is a function? It and the original are called in one process, in turns (A B A B ...), so that
whatever slows the machine slows both. METRIC speedup: how many times as fast as the original, higher is
better (the median of all turns, after a warm-up). Without an original, METRIC ms: milliseconds for a call,
lower is better.
"""
import json
import os
import runpy
import statistics
import subprocess
import sys
import tempfile
import time

# Yours to change:
TARGET = "example.py"  # the file that is improved, from this script
ORIGINAL = ""  # a copy of it as it was, to compare with; "" for none
FUNCTION = "example"
make_input = lambda: ["The quick brown fox jumps over the lazy dog"]  # a guess: what a call is given, made anew for each
TURNS = 31
TURN_MS = 20  # a turn is as many calls as take about so long


def load(path):
    call = runpy.run_path(path).get(FUNCTION)
    if not callable(call):
        raise LookupError(f"it has no function {FUNCTION}")
    return call


def milliseconds(call, calls):
    """For a call. The arguments are made outside of the timed part."""
    inputs = [make_input() for _ in range(calls)]
    start = time.perf_counter()
    for args in inputs:
        call(*args)
    return (time.perf_counter() - start) * 1000 / calls


def measure(path, original_path, result):
    """In a process of its own, without Ratchet's variables. It holds the file's code, so it can't be sealed off from it."""
    candidate = load(path)
    original = load(original_path) if original_path else None
    if original:
        got, want = candidate(*make_input()), original(*make_input())
        if got != want and repr(got) != repr(want):
            raise ValueError("it answers otherwise than the original")
    slower = max(milliseconds(call, 1) for call in (candidate, original) if call)
    calls = max(1, min(20_000, round(TURN_MS / max(slower, 0.0001))))
    times = {"candidate": [], "original": []}
    for turn in range(-3, TURNS):
        for name, call in (("candidate", candidate), ("original", original)):
            taken = milliseconds(call, calls) if call else 0
            # The first turns are a warm-up.
            if turn >= 0:
                times[name].append(taken)
    with open(result, "w", encoding="utf-8") as file:
        json.dump({"ms": statistics.median(times["candidate"]), "speedup": statistics.median(b / a for a, b in zip(times["candidate"], times["original"]))}, file)


if sys.argv[1:2] == ["measure"]:
    sys.dont_write_bytecode = True
    sys.path.insert(0, os.path.dirname(sys.argv[2]))
    try:
        measure(*sys.argv[2:5])
    except Exception as error:
        print(f"{TARGET} can't be timed: {type(error).__name__}: {error}", file=sys.stderr)
        sys.exit(3)
    sys.exit(0)
here = os.path.dirname(os.path.abspath(__file__))
target = os.environ.get("RATCHET_TARGET") or os.path.join(here, TARGET)
original = os.path.join(here, ORIGINAL) if ORIGINAL else ""
if original and not os.path.exists(original):
    sys.exit(f'{ORIGINAL} is not there. Put a copy of {TARGET} there, or write ORIGINAL = "".')
env = {name: value for name, value in os.environ.items() if not name.startswith("RATCHET_")}
with tempfile.TemporaryDirectory() as temporary:
    result = os.path.join(temporary, "times.json")
    done = subprocess.run([sys.executable, os.path.abspath(__file__), "measure", target, original, result], env=env, stdout=sys.stderr)
    if done.returncode != 0 or not os.path.exists(result):
        # With 3 it has said why.
        sys.exit(1 if done.returncode == 3 else f"{TARGET} ended by itself before it was measured.")
    with open(result, encoding="utf-8") as file:
        measured = json.load(file)
if original:
    print(f"{measured['ms']} ms for a call")
    print(f"METRIC speedup={measured['speedup']}")
else:
    print(f"METRIC ms={measured['ms']}")
