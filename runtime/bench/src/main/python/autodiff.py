"""bench autodiff against PyTorch eager, torch.compile and JAX: the same models and numbers, measured in turn, in random order.

  ./knabla bench autodiff --help           builds Java's side
  python autodiff.py [--rounds 9] [--rows mlp,gpt2] [-o json]

Needs torch, jax, onnx and numpy; versions as in functions/compiler/src/test/python/requirements.txt.
"""

import argparse
import json
import os
import pathlib
import platform
import random
import statistics
import subprocess
import sys
import time
import warnings

import onnx
import torch

import rivals
import skeletons

ROOT = pathlib.Path(__file__).resolve().parents[5]
JAR = ROOT / "runtime/bench/harness/target/harness.jar"
GOALS = {"mlp": 0.8, "gpt2": 0.8, "llama": 0.8, "bert": 0.8, "cnn": 1.0, "resnet": 1.0}
MILLIS = 400  # one measurement takes about as long as this, as on Java's side
WARM_UP = 3


class Java:
    """A process of its own that computes only while it is asked to."""

    def __init__(self):
        java = pathlib.Path(os.environ.get("JAVA_HOME", "")) / "bin/java"
        command = [str(java) if java.exists() else "java", "--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow",
                   "-cp", str(JAR), "io.knabla.bench.autodiff.GradientTimingServer"]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def millis(self, name):
        try:
            self.process.stdin.write(name + "\n")
            self.process.stdin.flush()
            line = self.process.stdout.readline()
        except BrokenPipeError:
            line = ""
        if not line:
            raise SystemExit("Java's side ended; it needs JDK 25 (JAVA_HOME), and ./knabla bench autodiff builds it; what it said is above")
        return float(line)

    def close(self):
        self.process.stdin.close()
        self.process.wait()


class Timed:
    """A rival that runs in this process."""

    def __init__(self, rival, loss):
        self.rival = rival
        found = [rival.step() for _ in range(WARM_UP)][-1]
        if not abs(found - loss) < 1e-3 * abs(loss):
            raise SystemExit(f"{rival}: the loss is {found}, not {loss}")
        self.runs = max(1, round(MILLIS / self.once(1)))

    def once(self, runs):
        start = time.perf_counter()
        for _ in range(runs):
            self.rival.step()
        return (time.perf_counter() - start) * 1e3 / runs

    def millis(self, _):
        return self.once(self.runs)


def row(name, java, rounds):
    skeleton = onnx.load(skeletons.FOLDER / f"{name}.onnx")
    loss = float(skeleton.metadata_props[0].value)
    torch._dynamo.reset()
    players = {"knabla": java, "PyTorch eager": Timed(rivals.Torch(name, skeleton, False), loss),
               "torch.compile": Timed(rivals.Torch(name, skeleton, True), loss), "JAX": Timed(rivals.Jax(name, skeleton), loss)}
    java.millis(name)
    times = {player: [] for player in players}
    for i in range(rounds):
        print(f"bench autodiff: {name}, round {i + 1} of {rounds}", file=sys.stderr)
        for player in random.sample(list(players), len(players)):
            times[player].append(players[player].millis(name))
    return report(name, rounds, times)


def report(name, rounds, times):
    """The reference is the fastest of the three over all rounds; quotients are taken round by round."""
    medians = {player: statistics.median(t) for player, t in times.items()}
    best = min((p for p in medians if p != "knabla"), key=medians.get)
    ratios = [a / b for a, b in zip(times["knabla"], times[best])]
    return {"name": name, "value": figures(medians["knabla"]), "unit": "ms",
            "reference": {"name": best, "value": figures(medians[best])}, "ratio": figures(statistics.median(ratios)),
            "goal": f"at most {GOALS[name]}", "rounds": rounds, "min": figures(min(ratios)), "max": figures(max(ratios)),
            "all_ms": {p: figures(m) for p, m in medians.items()}}


def figures(value):
    return float(f"{value:.4g}")


def table(rows):
    for r in rows:
        print(f"{r['name']}: ratio {r['ratio']} ({r['min']} to {r['max']} over {r['rounds']} rounds), goal {r['goal']}; "
              + ", ".join(f"{p} {m} ms" for p, m in r["all_ms"].items()))


def main():
    warnings.filterwarnings("ignore")
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--rounds", type=int, default=9)
    p.add_argument("--rows", default=",".join(GOALS))
    p.add_argument("-o", "--output", choices=["table", "json"], default="table")
    a = p.parse_args()
    torch.set_num_threads(os.cpu_count())
    java = Java()
    rows = [row(name, java, a.rounds) for name in a.rows.split(",")]
    java.close()
    if a.output == "json":
        host = f"{os.cpu_count()} cores, {platform.system()} {platform.release()}, PyTorch {torch.__version__}"
        print(json.dumps({"bench": "autodiff", "host": host, "rows": rows}, indent=1))
    else:
        table(rows)


if __name__ == "__main__":
    main()
