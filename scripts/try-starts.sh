#!/usr/bin/env bash
# Tries `npm start` from an unpacked copy again and again while the CPU is loaded: `scripts/try-starts.sh [times] [installs] [burners]`.
# Each round has a new copy, new fonts, a new dashboard and a new data directory; the last rounds install the packages too.
# Between them a set-up is killed with SIGKILL at some moment, and the next start has to come clean of it.
# Ends with `N of N started`, and the number of different fonts that were made (1 when all rounds made the same).
set -uo pipefail
times=${1:-20} installs=${2:-2} burners=${3:-$(nproc)}
root=$(cd "$(dirname "$0")/.." && pwd)
place=$(mktemp -d /tmp/galley-starts-XXXXXX)
load=()
trap 'kill "${load[@]}" 2>/dev/null; rm -rf "$place"' EXIT
for _ in $(seq "$burners"); do (while :; do :; done) & load+=($!); done
started=0
for round in $(seq "$times"); do
  copy=$place/$round; mkdir "$copy"
  git -C "$root" archive HEAD | tar x -C "$copy"
  if [ "$round" -le $((times - installs)) ]; then cp -al "$root/node_modules" "$copy/node_modules"; fi
  cd "$copy" || exit 1
  if [ $((round % 2)) = 0 ]; then # killed somewhere in the set-up, its children too
    setsid node scripts/setup.mjs >"$place/$round.killed" 2>&1 & killed=$!
    sleep $((RANDOM % 25 + 1)).$((RANDOM % 10)); kill -9 -- -$killed 2>/dev/null; wait $killed 2>/dev/null
  fi
  since=$(date +%s)
  GALLEY_DATA_DIR=$copy/.galley GALLEY_PORT=0 GALLEY_SMTP_PORT=0 GALLEY_SUBMISSION_PORT=0 GALLEY_SUBMISSION_TLS_PORT=0 GALLEY_LOG_LEVEL=warn setsid npm start >"$place/$round.log" 2>&1 & npm=$!
  for _ in $(seq 1200); do grep -q 'is ready' "$place/$round.log" && break; kill -0 $npm 2>/dev/null || break; sleep 0.5; done
  url=$(grep -oE 'http://127[0-9.]+:[0-9]+/' "$place/$round.log" | head -n 1)
  if [ -n "$url" ] && curl -fsS "${url}health" >/dev/null && curl -fsS "$url" | grep -q '<script'; then
    started=$((started + 1)); result=started
  else result=FAILED; tail -n 20 "$place/$round.log"; fi
  kill -TERM $npm; wait $npm; code=$?
  fonts=$(cd "$copy"/.runtime/fonts-*/ttf && sha256sum -- * | sha256sum | cut -c1-16)
  left=$(find "$copy/.runtime" "$copy/web" -maxdepth 1 -name '*.new' | wc -l)
  echo "round $round: $result after $(($(date +%s) - since)) s, fonts $fonts, $left half-made folders, npm ended with $code, load $(cut -d' ' -f1 /proc/loadavg)" | tee -a "$place/rounds"
  cd "$place" && rm -rf "$copy"
done
echo "$started of $times started; fonts: $(grep -o 'fonts [0-9a-f]*' "$place/rounds" | sort -u | wc -l) kind"
[ "$started" = "$times" ]
