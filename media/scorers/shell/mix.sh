#!/bin/sh
# Several things in one number, from 0 to 100, higher is better: 100 x sum(weight x part) / sum(weight).
# CHECK is 1 where it passes and 0 where not. Any figure that should shrink is 1/2 as it is now, 1 at
# nothing, and 0 at twice as much: 1 - value / (2 x START). So nothing that got worse counts below 0.

# Yours to change:
TARGET='example.sh' # the file that is improved, from this script
CHECK='sh example.sh' # passes with exit code 0
FOLDER='.' # where it runs, from this script
START_BYTES=160 # as it is now
CHECK_WEIGHT=80
BYTES_WEIGHT=20

cd "$(dirname "$0")" || exit 1
target=${RATCHET_TARGET:-$TARGET}
# What is measured sees nothing of Ratchet, so it can't hand in a result of its own.
for name in $(env | sed -n 's/^\(RATCHET_[A-Z_]*\)=.*/\1/p'); do unset "$name"; done
case $target in /*) ;; *) target=$PWD/$target ;; esac
cd "$FOLDER" || exit 1
if sh -c "$CHECK" >/dev/null 2>&1 </dev/null; then check=1; else check=0; fi
bytes=$(wc -c <"$target")
# A part of your own: its points from 0 to 1, and its weight in both sums.
awk -v check="$check" -v check_weight="$CHECK_WEIGHT" -v bytes="$bytes" -v start="$START_BYTES" -v bytes_weight="$BYTES_WEIGHT" '
  function shrunk(value, start) { value = 1 - value / (2 * start); return value < 0 ? 0 : value }
  BEGIN {
    small = shrunk(bytes, start)
    print "part check, " check * 100 " of 100 points; part bytes, " bytes + 0 " bytes, " small * 100 " of 100 points"
    print "score: " 100 * (check_weight * check + bytes_weight * small) / (check_weight + bytes_weight)
  }'
