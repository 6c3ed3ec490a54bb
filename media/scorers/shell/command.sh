#!/bin/sh
# How long does a command take? METRIC ms: the median of several runs in milliseconds, lower is better.

# Yours to change:
COMMAND='sh example.sh' # what is timed
CHECK='sh example.sh' # must end with exit code 0 before anything counts; '' for none
FOLDER='.' # where both run, from this script
RUNS=7
WARM_UPS=1

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

# Milliseconds by the best clock that is there.
now() {
  case ${clock:=$(date +%N)} in
    *N* | '') perl -MTime::HiRes=time -e 'printf "%.3f\n", time * 1000' 2>/dev/null || python3 -c 'import time; print(time.time() * 1000)' ;;
    *) date '+%s %N' | awk '{ printf "%.3f\n", $1 * 1000 + $2 / 1000000 }' ;;
  esac
}

[ -z "$CHECK" ] || run "$CHECK"
turn=$((-WARM_UPS))
while [ "$turn" -lt "$RUNS" ]; do
  start=$(now)
  run "$COMMAND"
  end=$(now)
  [ "$turn" -lt 0 ] || awk -v start="$start" -v end="$end" 'BEGIN { print end - start }' >>"$temporary/times"
  turn=$((turn + 1))
done
echo "METRIC ms=$(sort -n "$temporary/times" | sed -n "$((RUNS / 2 + 1))p")"
