#!/usr/bin/env bash
# For scripts that run one step after the other and report at the end how each ended:
#
#   . tests/steps.sh
#   step <name> <command>...    runs the command and notes its verdict and its duration
#   finish                      prints the notes, and ends with 1 if a step has failed

summary=()
failed=0

step() {
  local name=$1 begin=$SECONDS verdict=ok
  shift
  printf '\n=== %s\n' "$name"
  "$@" || { verdict=FAILED; failed=1; }
  summary+=("$(printf '  %-16s %-7s %5d s' "$name" "$verdict" $((SECONDS - begin)))")
  [ "$verdict" = ok ]
}

finish() {
  printf '\n=== summary\n'
  printf '%s\n' "${summary[@]}"
  if [ "$failed" -eq 0 ]; then echo "all checks passed"; else echo "some checks FAILED; see above"; fi
  exit "$failed"
}
