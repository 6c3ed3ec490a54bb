#!/bin/sh
# How much of what must hold does hold? From 0 to 100, higher is better.
# The score is 100 x right / all, and each check counts the same. A check is a
# command that ends with exit code 0. To make one count more, write it twice.

# Yours to change:
TARGET='example.sh' # the file that is improved, from this script
LOADS='sh example.sh' # ends with exit code 0 where the file is sound; '' for none

cd "$(dirname "$0")" || exit 1
target=${RATCHET_TARGET:-$TARGET}
# What is measured sees nothing of Ratchet, so it can't hand in a result of its own.
for name in $(env | sed -n 's/^\(RATCHET_[A-Z_]*\)=.*/\1/p'); do unset "$name"; done
right=0
total=0
check() {
  total=$((total + 1))
  if "$@" >/dev/null 2>&1; then right=$((right + 1)); else echo "failed: $*"; fi
}
# One line for each thing that must hold, for example:
# check grep -q 'Hello' "$target"
check test -s "$target"
[ -z "$LOADS" ] || check sh -c "$LOADS"
echo "score: $((100 * right / total))"
