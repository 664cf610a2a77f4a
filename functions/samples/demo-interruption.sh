# A step of demo.sh, which reads it: takes back the spot node of a function while requests come in.

notice=15s

# Prints the node that digits runs on.
node_of_digits() {
  ./knabla describe digits </dev/null 2>/dev/null | sed -n 's/.* READY on \([a-z]*-[a-z0-9-]*\) .*/\1/p' | head -n 1
}

on_spot() {
  victim=$(node_of_digits)
  case $victim in spot-*) ;; *) return 1 ;; esac
}

replaced() {
  successor=$(node_of_digits)
  [ -n "$successor" ] && [ "$successor" != "$victim" ]
}

# Calls digits until the file "going" is gone, which happens at the latest when the demo cleans up.
call_steadily() {
  while [ -e going ]; do
    ./knabla invoke digits --input functions/samples/digits/images/07-3.png </dev/null >/dev/null 2>call.err &&
      echo answered || echo failed
  done
}

interrupt_under_load() {
  title "Take its spot node back while requests come in"
  call
  touch going
  call_steadily >calls.log &
  load=$!
  within 30 on_spot || fail "digits does not run on spot capacity"
  show "./knabla invoke digits --input functions/samples/digits/images/07-3.png, again and again"
  show ./knabla spot interrupt "$victim" --notice "$notice"
  run ./knabla spot interrupt "$victim" --notice "$notice"
  within 30 replaced || fail "the replica of digits stays on $victim, which is taken back"
  show ./knabla describe digits
  run_quietly ./knabla describe digits
  grep ' on [a-z]*-[0-9]' "$answer"
  rm going
  wait "$load"
  printf '  %d calls, %d failed\n' "$(wc -l <calls.log)" "$(grep -c failed calls.log)"
  ! grep -q failed calls.log || fail "the interruption failed calls: $(cat call.err)"
}

interrupt_under_load
