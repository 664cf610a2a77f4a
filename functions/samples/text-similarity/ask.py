"""How alike are two texts? Asks the deployed function; needs nothing but Python.

Run: python3 ask.py "first text" "second text" ...   (KNABLA_SERVER, default http://localhost:8080)
"""

import json
import os
import sys
import urllib.request


def request(texts: list) -> dict:
    rows = [[byte + 1 for byte in text.encode()] for text in texts]
    length = max(map(len, rows))
    ids = [row + [0] * (length - len(row)) for row in rows]
    mask = [[1 if value else 0 for value in row] for row in ids]
    shape = [len(rows), length]
    return {
        "inputs": [
            {"name": "ids", "datatype": "INT64", "shape": shape, "data": ids},
            {"name": "mask", "datatype": "INT64", "shape": shape, "data": mask},
        ]
    }


def embed(texts: list) -> list:
    server = os.environ.get("KNABLA_SERVER", "http://localhost:8080").rstrip("/")
    call = urllib.request.Request(
        f"{server}/v2/models/text-similarity/infer",
        json.dumps(request(texts)).encode(),
        {"Content-Type": "application/json"},
    )
    with urllib.request.urlopen(call) as answer:
        output = json.load(answer)["outputs"][0]
    size, values = output["shape"][1], output["data"]
    return [values[at : at + size] for at in range(0, len(values), size)]


def main() -> None:
    texts = sys.argv[1:]
    if len(texts) < 2:
        sys.exit('give at least two texts: python3 ask.py "first text" "second text"')
    first, *others = embed(texts)
    for text, vector in zip(texts[1:], others):
        print(f"{sum(a * b for a, b in zip(first, vector)):6.2f}  {text}")


if __name__ == "__main__":
    main()
