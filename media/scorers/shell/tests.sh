#!/bin/sh
# How many of the project's tests pass? From 0 to 100, higher is better.
# The score is 100 x passed / all; skipped tests don't count. A run in which no
# test ran has no score. Deleting tests can't help: Ratchet compares them.

# Yours to change:
COMMAND='sh example-report.sh' # writes the report
REPORT='ratchet-tests.xml' # a JUnit report, as nearly all runners write one
FOLDER='.' # where the command runs, from this script

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

# A report of an earlier run is none.
rm -f "$REPORT"
run "$COMMAND"
if [ ! -f "$REPORT" ]; then
  echo "No test ran: $REPORT was not written. Does this line work by itself: $COMMAND" >&2
  exit 1
fi
# One tag a line, so that they can be counted.
tr '\n' ' ' <"$REPORT" | sed 's/</\
</g' >"$temporary/tags"
skipped=$(grep -c '^<skipped[ />]' "$temporary/tags")
all=$(($(grep -c '^<testcase ' "$temporary/tags") - skipped))
failed=$(awk '/^<testcase /{ counted = 0 } /^<(failure|error)[ >]/{ if (!counted) failed++; counted = 1 } END { print failed + 0 }' "$temporary/tags")
if [ "$all" -le 0 ]; then
  echo "No test ran: $REPORT has none. Does this line work by itself: $COMMAND" >&2
  exit 1
fi
sed -n 's/^<failure .*message="\([^"]*\)".*/failed: \1/p' "$temporary/tags" | head -n 20
awk -v all="$all" -v failed="$failed" 'BEGIN { print "score: " 100 * (all - failed) / all }'
