"""How many cases does a function get right? From 0 to 100, higher is better.

The score is 100 x right / all, and each case counts the same. That the file
loads and has the function is the first case; a file that doesn't load has no
score at all. To make a case count more, write it down more than once.
"""
import json
import os
import runpy
import subprocess
import sys
import tempfile

# Yours to change:
TARGET = "example.py"  # the file that is improved, from this script
FUNCTION = "example"
CHECKS = [
    # What it is given, and what it must answer:
    # (["Hello World"], "hello-world"),
]


def measure(path, result):
    """In a process of its own, so that the file sees nothing of Ratchet and can't end the count."""
    call = runpy.run_path(path).get(FUNCTION)
    cases = [{"name": f"{FUNCTION} is a function", "score": 100 if callable(call) else 0}]
    for args, want in CHECKS:
        name = f"{FUNCTION}({', '.join(map(repr, args))})"
        try:
            got = call(*args)
            cases.append({"name": name, "score": 100} if got == want else {"name": name, "score": 0, "note": f"is {got!r}, should be {want!r}"})
        except Exception as error:
            cases.append({"name": name, "score": 0, "note": f"failed: {type(error).__name__}: {error}"})
    with open(result, "w", encoding="utf-8") as file:
        json.dump(cases, file)


if sys.argv[1:2] == ["measure"]:
    sys.dont_write_bytecode = True
    sys.path.insert(0, os.path.dirname(sys.argv[2]))
    try:
        measure(sys.argv[2], sys.argv[3])
    except Exception as error:
        print(f"{TARGET} can't be used: {type(error).__name__}: {error}", file=sys.stderr)
        sys.exit(3)
    sys.exit(0)
here = os.path.dirname(os.path.abspath(__file__))
target = os.environ.get("RATCHET_TARGET") or os.path.join(here, TARGET)
# Nothing of Ratchet reaches what is measured, so it can't hand in a result of its own.
env = {name: value for name, value in os.environ.items() if not name.startswith("RATCHET_")}
with tempfile.TemporaryDirectory() as temporary:
    result = os.path.join(temporary, "cases.json")
    done = subprocess.run([sys.executable, os.path.abspath(__file__), "measure", target, result], env=env, stdout=sys.stderr)
    if done.returncode != 0 or not os.path.exists(result):
        # With 3 it has said why.
        sys.exit(1 if done.returncode == 3 else f"{TARGET} ended by itself before it was measured.")
    with open(result, encoding="utf-8") as file:
        cases = json.load(file)
for case in cases:
    if "note" in case:
        print(case["name"], case["note"])
total = sum(case["score"] for case in cases) / len(cases)
if os.environ.get("RATCHET_RESULT"):
    with open(os.environ["RATCHET_RESULT"], "w", encoding="utf-8") as file:
        json.dump({"score": total, "cases": cases}, file)
print("score:", total)
