"""Trains over HTTP with what comes with Python: every call is one step.

    ./knabla deploy -f functions/samples/digits-training/function.yaml
    python functions/samples/digits-training/train.py
    ./knabla export digits-training -o trained.onnx
    ./knabla deploy digits-trained --model trained.onnx
    python functions/samples/digits-training/train.py --score digits-trained
"""

import argparse
import gzip
import json
import urllib.request
from pathlib import Path

ROW = 65
HELD_OUT = 500
BATCH = 64
EPOCHS = 12


def rows() -> list:
    data = gzip.decompress((Path(__file__).parent / "digits.gz").read_bytes())
    return [data[at : at + ROW] for at in range(0, len(data), ROW)]


def infer(server: str, name: str, inputs: list) -> dict:
    request = urllib.request.Request(
        f"{server}/v2/models/{name}/infer",
        json.dumps({"inputs": inputs}).encode(),
        {"Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request) as answer:
        return {o["name"]: o["data"] for o in json.load(answer)["outputs"]}


def image(batch: list) -> dict:
    pixels = [level / 16 for row in batch for level in row[:64]]
    shape = [len(batch), 1, 8, 8]
    return {"name": "image", "datatype": "FP32", "shape": shape, "data": pixels}


def label(batch: list) -> dict:
    labels = [row[64] for row in batch]
    return {"name": "label", "datatype": "INT64", "shape": [len(batch)], "data": labels}


def train(server: str, name: str) -> None:
    fit = rows()[:-HELD_OUT]
    for epoch in range(1, EPOCHS + 1):
        losses = []
        for at in range(0, len(fit) - BATCH + 1, BATCH):
            batch = fit[at : at + BATCH]
            answer = infer(server, name, [image(batch), label(batch)])
            losses.append(answer["loss"][0])
        print(f"epoch {epoch:2}, step {answer['step'][0]:4}: loss {sum(losses) / len(losses):.4f}")


def score(server: str, name: str) -> None:
    held_out = rows()[-HELD_OUT:]
    logits = infer(server, name, [image(held_out)])["logits"]
    right = 0
    for at, row in enumerate(held_out):
        scores = logits[at * 10 : at * 10 + 10]
        right += scores.index(max(scores)) == row[64]
    print(f"{right} of {len(held_out)} held-out digits right: {100 * right / len(held_out):.1f} %")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--server", default="http://127.0.0.1:8080")
    parser.add_argument("--name", default="digits-training")
    parser.add_argument("--score", metavar="NAME", help="score this inference function instead")
    options = parser.parse_args()
    if options.score:
        score(options.server, options.score)
    else:
        train(options.server, options.name)


if __name__ == "__main__":
    main()
