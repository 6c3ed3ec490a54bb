"""How much memory does a program take? METRIC mb: the most that it held at once, in megabytes (the median of
several runs), lower is better. The system says so of each process that ended: macOS and Linux, any program.
"""
import os
import re
import resource
import statistics
import subprocess
import sys

# Yours to change:
COMMAND = "python3 example.py"  # what is measured
CHECK = "python3 example.py"  # must end with exit code 0 before anything counts; "" for none
FOLDER = "."  # where both run, from this script
RUNS = 5

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


def peak():
    """The most that one process of the command held. A process of its own asks, since the system only knows the largest so far."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        code = 1
        try:
            run(COMMAND)
            held = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
            os.write(writer, str(held / (1024 * 1024 if sys.platform == "darwin" else 1024)).encode())
            code = 0
        except SystemExit as why:
            print(why, file=sys.stderr, flush=True)
        finally:
            os._exit(code)
    os.close(writer)
    with os.fdopen(reader) as answer:
        megabytes = answer.read()
    if os.waitpid(child, 0)[1] != 0:
        sys.exit(1)
    return float(megabytes)


if CHECK:
    run(CHECK)
print(f"METRIC mb={statistics.median(peak() for _ in range(RUNS))}")
