"""Several things in one number, from 0 to 100, higher is better: 100 x sum(weight x part) / sum(weight).
CHECK is 1 where it passes and 0 where not. Any figure that should shrink is 1/2 as it is now, 1 at
nothing, and 0 at twice as much: 1 - value / (2 x START). So nothing that got worse counts below 0.
"""
import json
import os
import statistics
import subprocess
import time

# Yours to change:
TARGET = "example.py"  # the file that is improved, from this script
CHECK = "python3 example.py"  # passes with exit code 0
COMMAND = "python3 example.py"  # what is timed
FOLDER = "."  # where both run, from this script
START = {"bytes": 160, "ms": 100}  # as it is now; write what the parts below print
WEIGHTS = {"check": 80, "bytes": 20, "ms": 0}  # 0 leaves a part out

HERE = os.path.dirname(os.path.abspath(__file__))
CWD = os.path.join(HERE, FOLDER)
# What is measured sees nothing of Ratchet, so it can't hand in a result of its own.
ENV = {name: value for name, value in os.environ.items() if not name.startswith("RATCHET_")}
ENV["PYTHONDONTWRITEBYTECODE"] = "1"


def passes(command):
    quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    return subprocess.run(command, shell=True, cwd=CWD, env=ENV, **quiet).returncode == 0


def shrunk(value, start):
    return max(0, min(1, 1 - value / (2 * start)))


def check():
    return (1, "passed") if passes(CHECK) else (0, "failed")


def size():
    found = os.path.getsize(os.environ.get("RATCHET_TARGET") or os.path.join(HERE, TARGET))
    return shrunk(found, START["bytes"]), f"{found} bytes"


def speed():
    times = []
    for _ in range(5):
        start = time.perf_counter()
        passes(COMMAND)
        times.append((time.perf_counter() - start) * 1000)
    return shrunk(statistics.median(times), START["ms"]), f"{statistics.median(times):.1f} ms"


# Each part gives its points from 0 to 1, and its figure.
PARTS = {"check": check, "bytes": size, "ms": speed}
cases = []
for part, weight in WEIGHTS.items():
    if weight > 0:
        points, note = PARTS[part]()
        print(f"part {part}, {note}, {100 * points:.1f} of 100 points, weight {weight}")
        cases.append({"name": part, "score": 100 * points, "note": note})
total = sum(case["score"] * WEIGHTS[case["name"]] for case in cases) / sum(weight for weight in WEIGHTS.values() if weight > 0)
if os.environ.get("RATCHET_RESULT"):
    with open(os.environ["RATCHET_RESULT"], "w", encoding="utf-8") as file:
        json.dump({"score": total, "cases": cases}, file)
print("score:", total)
