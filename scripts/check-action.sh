#!/usr/bin/env bash
# The step of action.yml that checks: inputs as INPUT_*, outputs to $GITHUB_OUTPUT. Ends with the code of `galley check`.
set -uo pipefail
shopt -s globstar nullglob

emails=()
while IFS= read -r line; do
  line="${line#"${line%%[![:space:]]*}"}"
  line="${line%"${line##*[![:space:]]}"}"
  [ -n "$line" ] || continue
  case "$line" in
    -*) echo "path: $line would be an option; write ./$line" >&2; exit 2 ;;
    http://* | https://*) emails+=("$line") ;;
    *)
      IFS= found=($line)
      # A name that matches nothing is passed on, so that it is told.
      if [ ${#found[@]} -gt 0 ]; then emails+=("${found[@]}"); else emails+=("$line"); fi
      ;;
  esac
done <<<"${INPUT_PATH:-}"

output="${INPUT_OUTPUT:-}"
if [ -z "$output" ] && [ "${INPUT_FORMAT:-github}" = sarif ]; then output=galley.sarif; fi

# For the summary of the job, and for a comment on the pull request.
markdown="${RUNNER_TEMP:-$(mktemp -d)}/galley-report.md"
rm -f "$markdown"

options=(--also "markdown=$markdown" --format "${INPUT_FORMAT:-github}")
[ -n "${INPUT_POLICY:-}" ] && options+=(--policy "$INPUT_POLICY")
[ -n "$output" ] && options+=(--output "$output")
[ -n "${INPUT_BASELINE:-}" ] && options+=(--baseline "$INPUT_BASELINE")
[ -n "${INPUT_CLIENTS:-}" ] && options+=(--clients "$INPUT_CLIENTS")
[ -n "${INPUT_CHANGED:-}" ] && options+=(--changed "$INPUT_CHANGED")
# Making an email from a source runs code of the pull request.
[ "${INPUT_SOURCES:-false}" = true ] || options+=(--no-sources)

node "${GITHUB_ACTION_PATH:-.}/bin/galley.mjs" check "${options[@]}" -- "${emails[@]+"${emails[@]}"}"
code=$?

case $code in 0) verdict=pass ;; 1) verdict=fail ;; *) verdict=error ;; esac
if [ -n "${GITHUB_OUTPUT:-}" ]; then
  echo "verdict=$verdict" >>"$GITHUB_OUTPUT"
  if [ -n "$output" ] && [ -f "$output" ]; then echo "report=$output" >>"$GITHUB_OUTPUT"; fi
  if [ -f "$markdown" ]; then echo "markdown=$markdown" >>"$GITHUB_OUTPUT"; fi
fi
if [ -n "${GITHUB_STEP_SUMMARY:-}" ] && [ -f "$markdown" ]; then cat "$markdown" >>"$GITHUB_STEP_SUMMARY"; fi
exit $code
