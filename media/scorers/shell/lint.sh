#!/bin/sh
# How many findings does a linter have? METRIC findings, lower is better. Its report may be ESLint's JSON, or
# text with a line for each finding that begins with file:line: (shellcheck -f gcc, flake8, ruff, gcc).

# Yours to change:
COMMAND='sh -n example.sh' # prints the findings
CHECK='sh -n example.sh' # must end with exit code 0 before anything counts; '' for none
FOLDER='.' # where both run, from this script
CODES='0 1' # exit codes of a linter that did its work

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

[ -z "$CHECK" ] || run "$CHECK"
run "$COMMAND" "$CODES"
if head -c 2 "$temporary/output" | grep -q '^\[[{]'; then
  sed 's/{/\
{/g' "$temporary/output" | sed -n 's/^{"ruleId":\([^,]*\),.*"message":"\([^"]*\)".*"line":\([0-9]*\).*/line \3: \2 (\1)/p' >"$temporary/findings"
else
  grep -E '^[^ ]+[:(][0-9]+[:,)]' "$temporary/output" >"$temporary/findings"
fi
head -n 20 "$temporary/findings"
echo "METRIC findings=$(($(wc -l <"$temporary/findings")))"
