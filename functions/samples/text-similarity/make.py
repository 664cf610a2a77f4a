"""Trains text-similarity.onnx, a small transformer over bytes, and writes its example.

Run: python make.py             trains, then looks at the held-out sentences once
     python make.py --validate  hides one more way of saying and scores that; for tuning
"""

import json
import random
import sys
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import torch
from torch import nn
from torch.nn import functional

from corpus import INTENTS, meanings, roughen, say

HERE = Path(__file__).parent
SEED = 20261121
WIDTH, HEADS, LAYERS, HIDDEN, DIMENSIONS = 96, 4, 2, 192, 64
STEPS, BATCH, TEMPERATURE = 1000, 64, 0.07


class Layer(nn.Module):
    """Self-attention, then a dense pair, each after a LayerNorm and around a shortcut."""

    def __init__(self) -> None:
        super().__init__()
        self.norm1 = nn.LayerNorm(WIDTH)
        self.qkv = nn.Linear(WIDTH, 3 * WIDTH)
        self.out = nn.Linear(WIDTH, WIDTH)
        self.norm2 = nn.LayerNorm(WIDTH)
        self.up = nn.Linear(WIDTH, HIDDEN)
        self.down = nn.Linear(HIDDEN, WIDTH)

    def forward(self, x: torch.Tensor, bias: torch.Tensor) -> torch.Tensor:
        batch, length = x.shape[0], x.shape[1]
        parts = self.qkv(self.norm1(x)).reshape(batch, length, 3, HEADS, WIDTH // HEADS)
        query, key, value = parts.permute(2, 0, 3, 1, 4).unbind(0)
        scores = query @ key.transpose(-1, -2) / (WIDTH // HEADS) ** 0.5 + bias
        mixed = (torch.softmax(scores, -1) @ value).transpose(1, 2).reshape(batch, length, WIDTH)
        x = x + self.out(mixed)
        return x + self.down(functional.gelu(self.up(self.norm2(x))))


class Encoder(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.letters = nn.Embedding(257, WIDTH)
        # Letters mean little alone: each looks at its neighbours before attention begins.
        self.neighbours = nn.Conv1d(WIDTH, WIDTH, 5, padding=2)
        self.layers = nn.ModuleList(Layer() for _ in range(LAYERS))
        self.norm = nn.LayerNorm(WIDTH)
        self.head = nn.Linear(WIDTH, DIMENSIONS)
        wave = torch.exp(torch.arange(WIDTH // 2) * (-np.log(1000.0) / (WIDTH // 2)))
        self.register_buffer("wave", wave)

    def forward(self, ids: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        present = mask.to(torch.float32)
        # Waves instead of a learnt table of places: a text may be of any length.
        place = torch.cumsum(present, 1)[:, :, None] * self.wave
        x = self.letters(ids) + torch.cat([torch.sin(place), torch.cos(place)], -1)
        x = x * present[:, :, None]
        x = x + functional.gelu(self.neighbours(x.transpose(1, 2)).transpose(1, 2))
        bias = (1 - present)[:, None, None, :] * -1e4
        for layer in self.layers:
            x = layer(x, bias)
        kept = self.norm(x) * present[:, :, None]
        mean = kept.sum(1) / present.sum(1, keepdim=True).clamp(min=1)
        vector = self.head(mean)
        return vector / torch.sqrt((vector * vector).sum(-1, keepdim=True) + 1e-12)


def encode(sentences: list) -> tuple:
    """Byte + 1 as id, 0 beyond the end, and a mask that is 1 on the text."""
    texts = [sentence.encode() for sentence in sentences]
    ids = np.zeros((len(texts), max(map(len, texts))), dtype=np.int64)
    for row, text in enumerate(texts):
        ids[row, : len(text)] = np.frombuffer(text, dtype=np.uint8).astype(np.int64) + 1
    return ids, (ids > 0).astype(np.int64)


def split() -> tuple:
    """Held out: a fifth of the meanings, and of each intent the last way to say it."""
    every = meanings()
    random.Random(SEED).shuffle(every)
    return every[len(every) // 5 :], every[: len(every) // 5]


def pairs(kept: list, hidden: int, chance: random.Random) -> tuple:
    """One batch: different meanings, each said in two ways, none of the last `hidden` ones."""
    chosen = chance.sample(kept, BATCH)
    two = [chance.sample(range(len(INTENTS[intent]) - hidden), 2) for intent, _ in chosen]
    left = [roughen(say(m, a), chance) for m, (a, _) in zip(chosen, two)]
    right = [roughen(say(m, b), chance) for m, (_, b) in zip(chosen, two)]
    return left, right


def train(kept: list, hidden: int) -> Encoder:
    chance = random.Random(SEED)
    model = Encoder()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, 2e-3, total_steps=STEPS)
    for step in range(STEPS):
        left, right = pairs(kept, hidden, chance)
        ids, mask = map(torch.from_numpy, encode(left + right))
        vectors = model(ids, mask)
        likeness = vectors[:BATCH] @ vectors[BATCH:].T / TEMPERATURE
        own = torch.arange(BATCH)
        loss = functional.cross_entropy(likeness, own) + functional.cross_entropy(likeness.T, own)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
        if step % 100 == 0:
            print(f"step {step} loss {loss.item():.3f}", flush=True)
    return model.eval()


def retrieval(embed, held_out: list, hidden: int) -> float:
    """How often, among 40 sentences, the nearest is the other saying of one's meaning."""
    chance = random.Random(SEED)
    right = total = 0
    for _ in range(20):
        chosen = chance.sample(held_out, 40)
        # A way of saying it that training never saw asks; the first way is what is searched.
        asked = embed([say(m, len(INTENTS[m[0]]) - hidden) for m in chosen])
        searched = embed([say(m, 0) for m in chosen])
        right += int(((asked @ searched.T).argmax(1) == np.arange(40)).sum())
        total += 40
    return right / total


def trigrams(sentences: list) -> np.ndarray:
    """The simple thing to beat: counts of letter triples, hashed."""
    vectors = np.zeros((len(sentences), 4096), dtype=np.float32)
    for row, sentence in enumerate(sentences):
        text = f" {sentence.lower()} ".encode()
        for a, b, c in zip(text, text[1:], text[2:]):
            vectors[row, (a * 31 * 31 + b * 31 + c) % 4096] += 1
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def export(model: Encoder, path: Path) -> None:
    ids, mask = map(torch.from_numpy, encode(["one sentence", "and another one"]))
    torch.onnx.export(
        model,
        (ids, mask),
        path,
        input_names=["ids", "mask"],
        output_names=["embedding"],
        dynamic_axes={
            "ids": {0: "batch", 1: "length"},
            "mask": {0: "batch", 1: "length"},
            "embedding": {0: "batch"},
        },
        opset_version=17,
        dynamo=False,
    )
    onnx.checker.check_model(onnx.load(path), full_check=True)


def verify(model: Encoder, session) -> None:
    """Same answers as PyTorch in shapes other than the exported one; padding changes nothing."""
    for sentences in (["a"], ["short", "a much longer sentence than the other one"] * 3):
        ids, mask = encode(sentences)
        with torch.no_grad():
            wanted = model(torch.from_numpy(ids), torch.from_numpy(mask)).numpy()
        got = session.run(None, {"ids": ids, "mask": mask})[0]
        assert np.abs(wanted - got).max() < 1e-4, "ONNX Runtime differs from PyTorch"
        wide = {"ids": np.pad(ids, ((0, 0), (0, 7))), "mask": np.pad(mask, ((0, 0), (0, 7)))}
        assert np.abs(session.run(None, wide)[0] - got).max() < 1e-4, "padding matters"


def oip(name: str, datatype: str, values: np.ndarray) -> dict:
    data = values.ravel().tolist()
    if datatype == "FP32":
        data = [round(v, 6) for v in data]
    return {"name": name, "datatype": datatype, "shape": list(values.shape), "data": data}


def write_example(session) -> None:
    sentences = [
        "It is too dark in the garage",
        "please turn on the garage lamp",
        "what does a good camera cost",
    ]
    ids, mask = encode(sentences)
    vectors = session.run(None, {"ids": ids, "mask": mask})[0]
    request = {"inputs": [oip("ids", "INT64", ids), oip("mask", "INT64", mask)]}
    expected = {"outputs": [oip("embedding", "FP32", vectors)]}
    (HERE / "request.json").write_text(json.dumps(request) + "\n")
    (HERE / "expected.json").write_text(json.dumps(expected) + "\n")
    print("sentences of request.json:", sentences)
    print("cosines:\n", np.round(vectors @ vectors.T, 2))


def main() -> None:
    torch.manual_seed(SEED)
    torch.set_num_threads(1)
    kept, held_out = split()
    if "--validate" in sys.argv:
        model = train(kept, hidden=2)

        def embed(sentences: list) -> np.ndarray:
            with torch.no_grad():
                return model(*map(torch.from_numpy, encode(sentences))).numpy()

        print(f"validation retrieval, this model {retrieval(embed, kept, hidden=2):.3f}")
        print(f"validation retrieval, letter triples {retrieval(trigrams, kept, hidden=2):.3f}")
        return
    model = train(kept, hidden=1)
    path = HERE / "text-similarity.onnx"
    export(model, path)
    session = onnxruntime.InferenceSession(path)
    verify(model, session)

    def embed(sentences: list) -> np.ndarray:
        ids, mask = encode(sentences)
        return session.run(None, {"ids": ids, "mask": mask})[0]

    print(f"weights {sum(p.numel() for p in model.parameters())}")
    print(f"held-out retrieval, this model {retrieval(embed, held_out, hidden=1):.3f}")
    print(f"held-out retrieval, letter triples {retrieval(trigrams, held_out, hidden=1):.3f}")
    write_example(session)


if __name__ == "__main__":
    main()
