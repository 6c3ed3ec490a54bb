"""How long does a command take? METRIC ms: the median of several runs in milliseconds, lower is better."""
import os
import re
import statistics
import subprocess
import sys
import time

# Yours to change:
COMMAND = "python3 example.py"  # what is timed
CHECK = "python3 example.py"  # must end with exit code 0 before anything counts; "" for none
FOLDER = "."  # where both run, from this script
RUNS = 7
WARM_UPS = 1

HERE = os.path.dirname(os.path.abspath(__file__))
CWD = os.path.join(HERE, FOLDER)
# What is measured sees nothing of Ratchet, so it can't hand in a result of its own.
ENV = {name: value for name, value in os.environ.items() if not name.startswith("RATCHET_")}
ENV["PYTHONDONTWRITEBYTECODE"] = "1"


def run(command, codes=(0,), **more):
    """Runs a line of the shell to its end. Where it fails, one sentence says why, and there is no score."""
    done = subprocess.run(command, shell=True, cwd=CWD, env={**ENV, **more}, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace")
    if done.returncode in codes:
        return done.stdout
    lines = [line.strip() for line in f"{done.stdout}\n{done.stderr}".splitlines() if line.strip()]
    errors = [line for line in lines if re.match(r"[\w.]*(?:Error|Exception)\b", line)]
    why = (errors or lines or [""])[-1]
    sys.exit(f"{command} failed (exit code {done.returncode}): {why}")


if CHECK:
    run(CHECK)
times = []
for turn in range(-WARM_UPS, RUNS):
    start = time.perf_counter()
    run(COMMAND)
    if turn >= 0:
        times.append((time.perf_counter() - start) * 1000)
print(f"{RUNS} runs, the fastest {min(times):.2f} ms")
print(f"METRIC ms={statistics.median(times)}")
