# A step of demo.sh, which reads it: trains a language model by calling it, exports its weights and serves them.

sonnets=functions/samples/characters-training
weights=functions/samples/characters/model/model.safetensors
character_steps=60
by_frequency=3.076 # the loss of a guess that knows how frequent each character is in sonnets.txt

train_characters() {
  title "Train a language model on sonnets of Shakespeare, from random weights, one step a call"
  show $sonnets/batches.sh verses $character_steps
  run $sonnets/batches.sh verses $character_steps
  show ./knabla invoke characters-training --input verses -o json
  invoke characters-training verses -o json -q
  output loss >losses
  output step | paste -d ' ' - losses | awk 'NR == 1 || NR % 15 == 0' | while read -r step loss; do
    printf '  step %3d  loss %.3f  %s\n' "$step" "$loss" "$(bar "$loss" 8 1)"
  done
  show ./knabla invoke characters-training --input verses.held-out.json -o json
  invoke characters-training verses.held-out.json -o json -q
  held_out=$(output loss)
  printf '  loss of a sonnet that it never saw: %.3f; of guesses by how frequent characters are: %.3f\n' \
    "$held_out" "$by_frequency"
  tail -n 1 losses | awk -v held_out="$held_out" -v known="$by_frequency" '
    { exit !($1 < known && held_out + 0 < known && held_out + 0 > 0) }' ||
    fail "training does not work: the losses of $character_steps steps are $(tr '\n' ' ' <losses)"
}

generate() {
  title "Export its weights under Hugging Face's names, serve them, and let it write"
  show ./knabla export characters-training -o $weights
  run ./knabla export characters-training -o $weights
  show ./knabla deploy -f functions/samples/characters/function.yaml
  run ./knabla deploy -f functions/samples/characters/function.yaml
  show "./knabla chat characters 'Shall I ' --max-tokens 90 --temperature 0.6 --seed 7"
  run_quietly ./knabla chat characters 'Shall I ' --max-tokens 90 --temperature 0.6 --seed 7
  [ -s "$answer" ] || fail "the model writes nothing"
  printf '  Shall I '
  sed '2,$s/^/  /' "$answer"
}

train_characters
generate
