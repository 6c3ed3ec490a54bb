#!/bin/sh
# How much memory does a program take? METRIC mb: the most that it held at once, in megabytes (the median of
# several runs), lower is better. Either /usr/bin/time or python3 must be there: a shell can't ask by itself.

# Yours to change:
COMMAND='sh example.sh' # what is measured
CHECK='sh example.sh' # must end with exit code 0 before anything counts; '' for none
FOLDER='.' # where both run, from this script
RUNS=5

cd "$(dirname "$0")" || exit 1
cd "$FOLDER" || exit 1
# What is measured sees nothing of Ratchet, so it can't hand in a result of its own.
for name in $(env | sed -n 's/^\(RATCHET_[A-Z_]*\)=.*/\1/p'); do unset "$name"; done
temporary=$(mktemp -d) || exit 1
trap 'rm -rf "$temporary"' EXIT

# Runs a line of the shell to its end. Where it fails, one sentence says why, and there is no score.
run() {
  sh -c "$1" >"$temporary/output" 2>"$temporary/errors" </dev/null
  code=$?
  case " ${2:-0} " in *" $code "*) return ;; esac
  why=$(cat "$temporary/output" "$temporary/errors" | grep -E '^[A-Za-z.]*(Error|Exception)' | tail -n 1)
  [ -n "$why" ] || why=$(cat "$temporary/output" "$temporary/errors" | grep . | tail -n 1)
  echo "$1 failed (exit code $code): $why" >&2
  exit 1
}

# Each prints the largest process of a line of the shell, in kilobytes, to the file $peak.
peak=$temporary/peak
if /usr/bin/time -f %M -o "$peak" true 2>/dev/null; then
  measured() { /usr/bin/time -f %M -o "$peak" sh -c "$1" >/dev/null 2>&1 </dev/null; }
elif command -v python3 >/dev/null; then
  measured() {
    python3 -c 'import resource, subprocess, sys
done = subprocess.run(["sh", "-c", sys.argv[1]], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
held = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
print(held / 1024 if sys.platform == "darwin" else held, file=open(sys.argv[2], "w"))
sys.exit(done.returncode)' "$1" "$peak"
  }
else
  echo "Nothing here can measure memory: install GNU time as /usr/bin/time, or python3." >&2
  exit 1
fi

[ -z "$CHECK" ] || run "$CHECK"
turn=0
while [ "$turn" -lt "$RUNS" ]; do
  if ! measured "$COMMAND"; then
    # Once more, to say why.
    run "$COMMAND"
    echo "$COMMAND failed." >&2
    exit 1
  fi
  tail -n 1 "$peak" >>"$temporary/peaks"
  turn=$((turn + 1))
done
echo "METRIC mb=$(sort -n "$temporary/peaks" | sed -n "$((RUNS / 2 + 1))p" | awk '{ print $1 / 1024 }')"
