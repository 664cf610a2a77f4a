#!/bin/sh
# The demo: starts its own platform and runs the commands that people type, on copies of the samples.
# Stops and removes everything that it started, also after Ctrl-C. Usage: functions/samples/demo.sh [--store URL]
set -u

idle_after=5s # instead of the samples' 30s, to scale to zero soon
batch=64      # pictures in one training step
steps=40
guessing=2.303 # ln 10, the loss of a guess that takes all ten digits for equally likely

fail() {
  printf 'knabla: the demo failed: %s\n' "$1" >&2
  exit 1
}

usage() {
  printf 'usage: functions/samples/demo.sh [--store URL]\n' >&2
  exit 2
}

store=${KNABLA_STORE:-}
case $# in
  0) ;;
  2) [ "$1" = --store ] || usage; store=$2 ;;
  *) usage ;;
esac
samples=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd -P) || exit 1
root=${samples%/functions/samples}

# Numbers are read and written with a point, while texts stay in UTF-8.
if [ -n "${LC_ALL:-}" ]; then
  export LANG="$LC_ALL"
  unset LC_ALL
fi
export LC_NUMERIC=C

# Settings of the user's own platform must not reach this one.
unset KNABLA_SERVER KNABLA_CONTEXT KNABLA_INGRESS KNABLA_TOKEN KNABLA_STORE KNABLA_PORT KNABLA_HOST
home=$(mktemp -d "${TMPDIR:-/tmp}/knabla-demo-XXXXXX") && home=$(CDPATH='' cd -- "$home" && pwd -P) ||
  fail "no temporary folder can be made"
export KNABLA_HOME="$home/home"

# --- what ends with the demo ---------------------------------------------------------------------

platform=
command=

# Succeeds if command $2… succeeds within $1 seconds.
within() {
  tries=$(($1 * 5))
  shift
  until "$@"; do
    tries=$((tries - 1))
    [ "$tries" -gt 0 ] || return 1
    sleep 0.2
  done
}

ended() { ! kill -0 "$1" 2>/dev/null; }

# Ends our child process $1 as Ctrl-C would, by force if it takes too long.
end() {
  kill "$1" 2>/dev/null
  within 40 ended "$1" || kill -9 "$1" 2>/dev/null
  wait "$1" 2>/dev/null
}

# Prints the platform's processes that still run: each has a path below its home in its arguments.
left() { ps -A -ww -o pid= -o args= 2>/dev/null | under=$KNABLA_HOME awk 'index($0, ENVIRON["under"]) { print $1 }'; }
none_left() { [ -z "$(left)" ]; }

clean_up() {
  trap '' INT TERM HUP PIPE
  trap - EXIT
  [ -z "$command" ] || end "$command"
  [ -z "$platform" ] || end "$platform"
  # Replicas end by themselves a moment after their platform, even if it was killed.
  within 30 none_left || kill -9 $(left) 2>/dev/null
  rm -rf -- "$home"
}

trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
trap 'exit 129' HUP
trap 'exit 141' PIPE

# --- showing and running commands ----------------------------------------------------------------

bold='' dim='' plain=''
if [ -t 1 ] && [ -z "${NO_COLOR:-}" ] && [ "${TERM:-}" != dumb ]; then
  bold=$(printf '\033[1m') dim=$(printf '\033[2m') plain=$(printf '\033[0m')
fi

title() { printf '\n%s%s%s\n' "$bold" "$1" "$plain"; }
show() { printf '%s  $ %s%s\n' "$dim" "$*" "$plain"; }

# Runs a command in the background and waits, because a shell handles signals while it waits, not during a command.
run() {
  "$@" </dev/null &
  finish "$@"
}

# Does the same, and leaves what the command prints in $answer.
run_quietly() {
  "$@" </dev/null >"$answer" 2>&1 &
  finish "$@"
}

finish() {
  command=$!
  wait "$command"
  status=$?
  command=
  [ "$status" -eq 0 ] || { [ ! -f "$answer" ] || cat -- "$answer"; fail "'$*' failed (exit code $status)"; }
}

# Calls function $1 with file $2 and further options; leaves what it prints in $answer.
invoke() {
  name=$1 input=$2
  shift 2
  run_quietly ./knabla invoke "$name" --input "$input" "$@"
}

# --- reading answers -----------------------------------------------------------------------------

answer=$home/answer

# Prints the outputs in the JSON file $1, one per line: the name and the numbers.
outputs() {
  tr -d '\n' <"$1" | tr '{' '\n' | awk 'match($0, /"data" *: */) {
    name = $0; sub(/.*"name" *: *"/, "", name); sub(/".*/, "", name)
    data = substr($0, RSTART + RLENGTH); sub(/}.*/, "", data); gsub(/[][, ]+/, " ", data)
    print name, data
  }'
}

# Prints the numbers of output $1 in the answer.
output() { outputs "$answer" | awk -v name="$1" '$1 == name { $1 = ""; print }'; }

# Prints value $1 of the answer's part "knabla": start, milliseconds.
measured() { sed -n 's/.*"'"$1"'" *: *"\{0,1\}\([a-z0-9.]*\).*/\1/p' "$answer" | tail -n 1; }

# Prints where the answer differs from the JSON file $1.
difference() {
  outputs "$1" >"$home/expected"
  outputs "$answer" | awk -v expected="$home/expected" '
    { have[$1] = $0 }
    END {
      while ((getline line <expected) > 0) {
        n = split(line, want)
        if (split(have[want[1]], got) != n) { print "output " want[1] " has another size"; exit }
        for (i = 2; i <= n; i++) {
          d = got[i] - want[i]
          if (d > 0.001 || d < -0.001) { print "output " want[1] " is " got[i] " instead of " want[i]; exit }
        }
      }
    }'
}

# Draws a bar of length $1 * $2 / $3.
bar() { awk -v n="$1" -v width="$2" -v most="$3" 'BEGIN { for (i = 0; i < n * width / most; i++) printf "█" }'; }

# --- the steps -----------------------------------------------------------------------------------

# The commands run in a folder that looks like the checkout, so that they are exactly those that people type.
copy_samples() {
  mkdir -p "$home/functions" "$KNABLA_HOME" && cp -R "$samples" "$home/functions/" &&
    ln -s "$root/knabla" "$home/knabla" && cd "$home" || fail "the samples cannot be copied to $home"
  for file in functions/samples/*/function.yaml; do
    sed "s/idleAfter: [0-9a-z]*/idleAfter: $idle_after/" "$file" >"$file.new" && mv "$file.new" "$file"
  done
}

# Virtual nodes of instance types and zones that have prices.
configure_nodes() {
  {
    echo 'nodes:'
    for zone in 1 2; do
      echo "  - {name: on-demand-$zone, instanceType: m7i.large, zone: use1-az$zone, slots: 8}"
      echo "  - {name: spot-$zone, capacity: Spot, instanceType: m7i.large, zone: use1-az$zone, slots: 8}"
    done
  } >"$KNABLA_HOME/config.yaml" || fail "$KNABLA_HOME/config.yaml cannot be written"
}

ready() { ended "$platform" || grep -q '^Knabla is ready: ' up.log; }

start_platform() {
  title "Start a separate platform on a free port"
  set -- ./knabla up --port 0 ${store:+--store "$store"}
  show "$@"
  began=$(date +%s)
  "$@" </dev/null >up.log 2>up.err &
  platform=$!
  until ready; do sleep 0.2; done
  KNABLA_SERVER=$(sed -n 's/^Knabla is ready: //p' up.log)
  if [ -z "$KNABLA_SERVER" ]; then
    tail -n 15 up.err >&2
    fail "the platform ended before it was ready; the end of its log is above"
  fi
  export KNABLA_SERVER
  printf '  ready at %s after %s s\n' "$KNABLA_SERVER" "$(($(date +%s) - began))"
}

deploy_samples() {
  for file in functions/samples/*/function.yaml; do
    name=${file%/function.yaml}
    # Its weights are trained first.
    [ "${name##*/}" != characters ] || continue
    title "Deploy the sample ${name##*/}"
    show ./knabla deploy -f "$file"
    run ./knabla deploy -f "$file"
  done
}

classify_pictures() {
  title "Classify handwritten digits that the model never saw"
  show ./knabla invoke digits --input functions/samples/digits/images
  invoke digits functions/samples/digits/images
  # A file's name ends with its digit.
  awk '
    /\.png$/ { label = $0; sub(/.*-/, "", label); sub(/\.png$/, "", label) }
    /likeliest:/ { all++; right += $2 == label; printf " %s%s", all == 1 ? " " : "", $2 ($2 == label ? "✓" : "✗") }
    # A held-out digit in a hundred may be wrong; two of twenty would be a broken pipeline.
    END { printf "\n  %d of %d right\n", right, all; exit all == 0 || (all - right) * 20 > all }
  ' "$answer" || fail "the digits are not recognised"
}

check_expected_answers() {
  for folder in functions/samples/*/; do
    name=${folder#functions/samples/} name=${name%/}
    [ -f "$folder/expected.json" ] || continue
    title "Call $name and compare with the expected answer"
    show ./knabla invoke "$name" --input "${folder}request.json" -o json
    invoke "$name" "${folder}request.json" -o json -q
    # A store may hold the weights of an earlier demo, whose training then goes on.
    case $name in
      *-training)
        if [ "$(output step)" -gt 1 ]; then
          printf '  step %d of a training that began earlier\n' "$(output step)"
          continue
        fi
        ;;
    esac
    wrong=$(difference "${folder}expected.json")
    [ -z "$wrong" ] || fail "$name answers wrongly: $wrong"
    printf '  as expected, start %s, %.1f ms\n' "$(measured start)" "$(measured milliseconds)"
  done
}

lecture() {
  title "The gradient of f(x1, x2) = ln x1 + x1·x2 − sin x2 at (2, 5)"
  show ./knabla invoke lecture --input functions/samples/lecture/request.json -o json
  invoke lecture functions/samples/lecture/request.json -o json -q
  found=$(printf 'f = %.3f, gradient (%.1f, %.3f)' "$(output loss)" "$(output x1_grad)" "$(output x2_grad)")
  printf '  %s\n' "$found"
  [ "$found" = "f = 11.652, gradient (5.5, 1.716)" ] || fail "the gradient should be (5.5, 1.716), of f = 11.652"
}

# Shows how much each pixel would change the result, as one of five shades.
saliency() {
  title "Which pixels decide that a picture is no 8"
  show ./knabla invoke digits-gradient --input functions/samples/digits-gradient/request.json -o json
  invoke digits-gradient functions/samples/digits-gradient/request.json -o json -q
  output image_grad | awk '{
    for (i = 1; i <= NF; i++) { if ($i < 0) $i = -$i; if ($i > most) most = $i }
    split("  :░░:▒▒:▓▓:██", shade, ":")
    for (i = 1; i <= NF; i++) printf "%s%s%s", i % 8 == 1 ? "  " : "", shade[int(4 * $i / most + 0.5) + 1],
      i % 8 ? "" : "\n"
  }'
}

# Writes the requests steps/001.json, steps/002.json, …: each row of the data is 64 pixels and a label, the last 500 are held out.
write_batches() {
  mkdir steps
  gzip -dc functions/samples/digits-training/digits.gz | od -An -v -tu1 | awk -v batch="$batch" -v steps="$steps" '
    { for (i = 1; i <= NF; i++) value[n++] = $i }
    END {
      rows = int(n / 65) - 500
      for (step = 0; step < steps; step++) {
        pixels = labels = ""
        for (i = 0; i < batch; i++) {
          at = (step * batch + i) % rows * 65
          for (p = 0; p < 64; p++) pixels = pixels "," value[at + p] / 16
          labels = labels "," value[at + 64]
        }
        file = sprintf("steps/%03d.json", step + 1)
        printf "{\"inputs\":[{\"name\":\"image\",\"datatype\":\"FP32\",\"shape\":[%d,1,8,8],\"data\":[%s]},", batch,
          substr(pixels, 2) >file
        printf "{\"name\":\"label\",\"datatype\":\"INT64\",\"shape\":[%d],\"data\":[%s]}]}\n", batch,
          substr(labels, 2) >file
        close(file)
      }
    }'
}

train() {
  title "Train a digit classifier from random weights, one step a call"
  write_batches
  show ./knabla invoke digits-training --input steps -o json
  invoke digits-training steps -o json -q
  output loss >losses
  output step | paste -d ' ' - losses | awk 'NR == 1 || NR % 10 == 0' | while read -r step loss; do
    printf '  step %3d  loss %.3f  %s\n' "$step" "$loss" "$(bar "$loss" 16 1)"
  done
  awk -v steps="$steps" -v guessing="$guessing" '{ loss = $1 }
    END { exit !(NR == steps && loss < guessing * 3 / 4) }' losses ||
    fail "training does not work: the losses of $steps steps are $(tr '\n' ' ' <losses), guessing has $guessing"
}

no_replica() {
  run_quietly ./knabla list
  # REPLICAS is the third column from the right.
  awk 'NR > 1 && $(NF - 2) != 0 { busy = 1 } END { exit busy || NR < 2 }' "$answer"
}

await_scale_to_zero() {
  title "Without calls for $idle_after, all functions scale to zero"
  show ./knabla list
  within 60 no_replica || fail "replicas still run long after the last call"
  cat -- "$answer"
}

show_picture() { show ./knabla invoke digits --input functions/samples/digits/images/07-3.png; }

# Calls digits with a picture; sets $start to what the platform reports: cold or warm.
call() {
  invoke digits functions/samples/digits/images/07-3.png
  start=$(sed -n 's/.*, start \([a-z]*\),.*/\1/p' "$answer")
}

show_call() {
  cat -- "$answer"
  sed -n 's/.*, start [a-z]*, \([0-9.]*\) ms.*/'"$1"' \1/p' "$answer" >>calls
}

wake() {
  show_picture
  call
  show_call "$1"
  case $start in warm | '') fail "the $1 call reports start '$start', which is wrong" ;; esac
}

call_warm() {
  show_picture
  # After a long stall of the machine the function has scaled to zero again.
  for _ in 1 2 3 4 5 6 7 8 9 10; do
    call
    [ "$start" != warm ] || break
  done
  show_call warm
  [ "$start" = warm ] || fail "the warm call reports start '$start', which is wrong"
}

scale_to_zero_and_wake() {
  await_scale_to_zero
  title "Wake it, call it again"
  wake cold
  call_warm
  await_scale_to_zero
  title "Wake it once more"
  wake re-woken
  most=$(awk '$2 > most { most = $2 } END { print most }' calls)
  while read -r name millis; do
    printf '  %-9s %8s ms  %s\n' "$name" "$millis" "$(bar "$millis" 40 "$most")"
  done <calls
}

show_costs() {
  title "What that cost, and what it would have cost elsewhere"
  show ./knabla cost
  run_quietly ./knabla cost -o name -q
  if [ -s "$answer" ]; then run ./knabla cost; else printf '  no usage is recorded yet\n'; fi
}

stop_platform() {
  title "Stop the platform"
  show "Ctrl-C"
  end "$platform"
  platform=
  within 30 none_left || fail "after the stop these processes are left: $(left | tr '\n' ' ')"
  printf '  no process is left\n'
}

copy_samples
configure_nodes
start_platform
deploy_samples
classify_pictures
check_expected_answers
lecture
saliency
train
. functions/samples/demo-characters.sh
scale_to_zero_and_wake
. functions/samples/demo-interruption.sh
show_costs
stop_platform
if [ -n "$store" ]; then kept="the functions are kept in $store"; else kept="nothing was kept"; fi
printf '\nThe demo is done: nothing is left running, %s.\n' "$kept"
