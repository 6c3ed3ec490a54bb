"""How large is it? METRIC bytes: the size of what BUILD makes, or of the file itself, lower is better."""
import gzip
import os
import re
import subprocess
import sys
import tempfile

# Yours to change:
TARGET = "example.py"  # the file that is improved, from this script
BUILD = ""  # makes the file "$OUT", as in: cc -O2 -o "$OUT" app.c; "" to weigh the file itself
CHECK = "python3 example.py"  # must end with exit code 0 before anything counts; "" for none
FOLDER = "."  # where both run, from this script

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
with tempfile.TemporaryDirectory() as temporary:
    weighed = os.environ.get("RATCHET_TARGET") or os.path.join(HERE, TARGET)
    if BUILD:
        weighed = os.path.join(temporary, "out")
        run(BUILD, OUT=weighed)
        if not os.path.exists(weighed):
            sys.exit(f'{BUILD} made no file at "$OUT".')
    with open(weighed, "rb") as file:
        content = file.read()
print(f"METRIC gzip_bytes={len(gzip.compress(content))}")
print(f"METRIC bytes={len(content)}")
