#!/bin/sh
# How large is it? METRIC bytes: the size of what BUILD makes, or of the file itself, lower is better.

# Yours to change:
TARGET='example.sh' # the file that is improved, from this script
BUILD='' # makes the file "$OUT", as in: cc -O2 -o "$OUT" app.c; '' to weigh the file itself
CHECK='sh example.sh' # must end with exit code 0 before anything counts; '' for none
FOLDER='.' # where both run, from this script

cd "$(dirname "$0")" || exit 1
target=${RATCHET_TARGET:-$TARGET}
# What is measured sees nothing of Ratchet, so it can't hand in a result of its own.
for name in $(env | sed -n 's/^\(RATCHET_[A-Z_]*\)=.*/\1/p'); do unset "$name"; done
case $target in /*) ;; *) target=$PWD/$target ;; esac
cd "$FOLDER" || exit 1
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
if [ -n "$BUILD" ]; then
  target=$temporary/out
  export OUT="$target"
  run "$BUILD"
  if [ ! -f "$target" ]; then
    echo "$BUILD made no file at \"\$OUT\"." >&2
    exit 1
  fi
fi
echo "METRIC gzip_bytes=$(($(gzip -c <"$target" | wc -c)))"
echo "METRIC bytes=$(($(wc -c <"$target")))"
