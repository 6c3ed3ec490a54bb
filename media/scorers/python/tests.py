"""How many of the project's tests pass? From 0 to 100, higher is better.

The score is 100 x passed / all; skipped tests don't count. A run in which no
test ran has no score. Deleting tests can't help: they are not the file that
may change, and Ratchet compares them after each run.
"""
import json
import os
import re
import subprocess
import sys
from xml.etree import ElementTree

# Yours to change:
COMMAND = "python3 -m pytest -q --junitxml=ratchet-tests.xml test_example.py"  # writes the report
REPORT = "ratchet-tests.xml"  # a JUnit report, as nearly all runners write one
FOLDER = "."  # where the command runs, from this script

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


report = os.path.join(CWD, REPORT)
# A report of an earlier run is none.
if os.path.exists(report):
    os.remove(report)
run(COMMAND)
cases = []
for test in ElementTree.parse(report).iter("testcase") if os.path.exists(report) else ():
    wrong = next((part for part in test if part.tag in ("failure", "error")), None)
    if any(part.tag == "skipped" for part in test):
        continue
    name = test.get("name", "a test")
    cases.append({"name": name, "score": 100} if wrong is None else {"name": name, "score": 0, "note": wrong.get("message", "failed")})
if not cases:
    sys.exit(f"No test ran: {REPORT} {'has none' if os.path.exists(report) else 'was not written'}. Does this line work by itself: {COMMAND}")
for case in cases:
    if "note" in case:
        print(f"{case['name']}: {case['note']}")
total = sum(case["score"] for case in cases) / len(cases)
if os.environ.get("RATCHET_RESULT"):
    with open(os.environ["RATCHET_RESULT"], "w", encoding="utf-8") as file:
        json.dump({"score": total, "cases": cases}, file)
print("score:", total)
