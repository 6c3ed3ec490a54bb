#!/bin/sh
# How fast is a function of a shell script? It and the original are called in turns (A B A B ...), each turn in a
# subshell of this one that has read the file. METRIC speedup: how many times as fast as the original, higher is
# better (the median of all turns, after a warm-up). Without an original, METRIC ms: milliseconds for a call,
# lower is better.

# Yours to change:
TARGET='example.sh' # the file that is improved, from this script
ORIGINAL='' # a copy of it as it was, to compare with; '' for none
FUNCTION='example'
input() { "$@" 'The quick brown fox jumps over the lazy dog'; } # a guess: what a call is given
TURNS=11
CALLS=20

cd "$(dirname "$0")" || exit 1
target=${RATCHET_TARGET:-$TARGET}
# What is measured sees nothing of Ratchet, so it can't hand in a result of its own.
for name in $(env | sed -n 's/^\(RATCHET_[A-Z_]*\)=.*/\1/p'); do unset "$name"; done
temporary=$(mktemp -d) || exit 1
trap 'rm -rf "$temporary"' EXIT

# Milliseconds by the best clock that is there.
now() {
  case ${clock:=$(date +%N)} in
    *N* | '') perl -MTime::HiRes=time -e 'printf "%.3f\n", time * 1000' 2>/dev/null || python3 -c 'import time; print(time.time() * 1000)' ;;
    *) date '+%s %N' | awk '{ printf "%.3f\n", $1 * 1000 + $2 / 1000000 }' ;;
  esac
}

# Reads a file and prints what one call answers. A file that can't be read ends its subshell.
answer() (
  . "$1" >/dev/null && command -v "$FUNCTION" >/dev/null && input "$FUNCTION"
) 2>"$temporary/errors"

# Adds the milliseconds of a call to a list.
turn() (
  . "$1" >/dev/null
  # Names that the file is not likely to use too.
  _start=$(now)
  _call=0
  while [ "$_call" -lt "$CALLS" ]; do
    input "$FUNCTION" >/dev/null 2>&1
    _call=$((_call + 1))
  done
  awk -v start="$_start" -v end="$(now)" -v calls="$CALLS" 'BEGIN { print (end - start) / calls }' >>"$2"
)
median() { sort -n "$1" | sed -n "$((TURNS / 2 + 1))p"; }

case $target in /*) ;; *) target=./$target ;; esac
if ! answer "$target" >"$temporary/candidate"; then
  echo "$TARGET can't be timed: $(grep . "$temporary/errors" | tail -n 1) (is there a function $FUNCTION?)" >&2
  exit 1
fi
if [ -n "$ORIGINAL" ]; then
  if [ ! -f "$ORIGINAL" ]; then
    echo "$ORIGINAL is not there. Put a copy of $TARGET there, or write ORIGINAL=''." >&2
    exit 1
  fi
  answer "./$ORIGINAL" >"$temporary/original"
  if ! cmp -s "$temporary/candidate" "$temporary/original"; then
    echo "$TARGET can't be timed: it answers otherwise than the original." >&2
    exit 1
  fi
fi
round=-1
while [ "$round" -lt "$TURNS" ]; do
  # The first round is a warm-up.
  if [ "$round" -ge 0 ]; then kept=$temporary/times; else kept=$temporary/warm-up; fi
  turn "$target" "$kept"
  [ -z "$ORIGINAL" ] || turn "./$ORIGINAL" "$kept-original"
  round=$((round + 1))
done
ms=$(median "$temporary/times")
if [ -z "$ms" ]; then
  echo "$TARGET was not measured." >&2
  exit 1
fi
if [ -z "$ORIGINAL" ]; then
  echo "METRIC ms=$ms"
else
  paste "$temporary/times" "$temporary/times-original" | awk '$1 > 0 { print $2 / $1 }' >"$temporary/ratios"
  echo "$ms ms for a call"
  echo "METRIC speedup=$(median "$temporary/ratios")"
fi
