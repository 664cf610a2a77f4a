#!/bin/sh
# Writes the requests FOLDER/001.json, FOLDER/002.json, … of training steps on sonnets.txt, and FOLDER.held-out.json, which
# measures the loss of held-out.txt: a step at learning rate 0 changes no weight. Usage: batches.sh FOLDER [STEPS]
set -eu
[ $# -ge 1 ] || { printf 'usage: batches.sh FOLDER [STEPS]\n' >&2; exit 2; }
folder=$1
steps=${2:-60}
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd -P)

# Prints the numbers of the tokens of a text, one per line: a character of ASCII less 32, 95 for the end of a line.
tokens() {
  LC_ALL=C awk '
    BEGIN { for (code = 32; code < 127; code++) alphabet = alphabet sprintf("%c", code) }
    { for (i = 1; i <= length($0); i++) print index(alphabet, substr($0, i, 1)) - 1; print 95 }' "$1"
}

# Reads tokens; writes requests of $rows pieces of 128 tokens, each with the tokens that follow, to the files that $name gives.
requests() {
  awk -v rows="$1" -v requests="$2" -v stride="$3" -v name="$4" -v rate="$5" '
    { token[n++] = $1 }
    function tensor(name, from,   r, i, data) {
      for (r = 0; r < rows; r++)
        for (i = 0; i < 128; i++) data = data "," token[(at + r) * stride % (n - 128) + i + from]
      return "{\"name\":\"" name "\",\"datatype\":\"INT64\",\"shape\":[" rows ",128],\"data\":[" substr(data, 2) "]}"
    }
    END {
      for (request = 1; request <= requests; request++) {
        file = sprintf(name, request)
        print "{\"inputs\":[" tensor("characters", 0) "," tensor("next", 1) rate "],\"outputs\":[{\"name\":\"loss\"},{\"name\":\"step\"}]}" >file
        close(file)
        at += rows
      }
    }'
}

mkdir -p "$folder"
# 383 has no divisor in common with the number of places, so all places have their turn.
tokens "$here/sonnets.txt" | requests 8 "$steps" 383 "$folder/%03d.json" ''
tokens "$here/held-out.txt" | requests 4 1 128 "$folder.held-out.json" \
  ',{"name":"learning_rate","datatype":"FP32","shape":[],"data":[0]}'
