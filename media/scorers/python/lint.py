"""How many findings does a linter have? METRIC findings, lower is better. Its report may be JSON (ruff, ESLint,
shellcheck) or text with a line for each finding that begins with file:line: (flake8, pyflakes, ruff, gcc).
"""
import json
import os
import re
import subprocess
import sys

# Yours to change:
COMMAND = "python3 -W error example.py"  # prints the findings
CHECK = "python3 example.py"  # must end with exit code 0 before anything counts; "" for none
FOLDER = "."  # where both run, from this script
CODES = (0, 1)  # exit codes of a linter that did its work

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


def findings_in(report):
    if not re.match(r"\s*\[[\s{\]]", report):
        return [line for line in report.splitlines() if re.match(r".+?[:(]\d+[:,)]", line)]
    # ESLint has a list for each file, the others one list.
    found = [message for entry in json.loads(report) for message in entry.get("messages", [entry])]
    return [f"line {one.get('line') or one.get('location', {}).get('row')}: {one.get('message')} ({one.get('ruleId') or one.get('code')})" for one in found]


if CHECK:
    run(CHECK)
findings = findings_in(run(COMMAND, CODES))
for finding in findings[:20]:
    print(finding)
print(f"METRIC findings={len(findings)}")
