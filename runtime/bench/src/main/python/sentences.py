"""Compares a running Encoder with sentence-transformers on 1,000 sentences of all scripts: equal vectors, and texts a second.

    ./knabla deploy embedder --model FOLDER/ && python runtime/bench/src/main/python/sentences.py FOLDER/ embedder

Exits with 1 if a cosine is below 0.99999 or the tokens differ. Needs requirements.txt of functions/decoder/src/test/python.
"""

import argparse
import concurrent.futures
import json
import random
import statistics
import time
import unicodedata
import urllib.request

import numpy
from sentence_transformers import SentenceTransformer

SENTENCES = 1000
LEAST_COSINE = 0.99999
WORDS = """the quick brown fox jumps over lazy dog rivers of europe carry much water in spring when snow melts a model
answers requests and sleeps costs naïve café coöperate don't e-mail 3.14 100% C++ #1 @home (sic) "quoted" 東京 mother""".split()


def scripts():
    """Letters and digits by the first word of their names, of scripts that have twenty or more."""
    letters = {}
    for code in range(0x21, 0x30000):
        char = chr(code)
        if unicodedata.category(char)[0] in "LNM":
            letters.setdefault(unicodedata.name(char, "").split(" ")[0], []).append(char)
    return [chars for _, chars in sorted(letters.items()) if len(chars) >= 20]


def sentence(index, chars, draw):
    words = [draw.choice(WORDS) for _ in range(draw.randint(2, 30))]
    if index % 3:
        words[draw.randrange(len(words)):] = [
            "".join(draw.choice(chars) for _ in range(draw.randint(1, 9))) for _ in range(draw.randint(1, 15))]
    return " ".join(words) + draw.choice([".", "", "!", "?", "。", " 🦊", "\n"])


def post(url, body):
    request = urllib.request.Request(
        url + "/v1/embeddings", json.dumps(body).encode(), {"Content-Type": "application/json"})
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


def embed(url, function, texts):
    answer = post(url, dict(model=function, input=texts))
    return [item["embedding"] for item in answer["data"]], answer["usage"]["prompt_tokens"]


def timed(work):
    start = time.perf_counter()
    result = work()
    return result, time.perf_counter() - start


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("function")
    parser.add_argument("--url", default="http://127.0.0.1:8080")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--texts", type=int, default=50, help="texts of a request")
    parser.add_argument("--callers", type=int, default=4)
    parser.add_argument("--least", type=float, default=LEAST_COSINE, help="smallest cosine that is accepted")
    options = parser.parse_args()
    model = SentenceTransformer(options.folder, device="cpu")
    draw = random.Random(5)
    all_scripts = scripts()
    texts = []
    while len(texts) < SENTENCES:
        text = sentence(len(texts), all_scripts[len(texts) % len(all_scripts)], draw)
        if len(model.tokenizer(text)["input_ids"]) <= model.max_seq_length:
            texts.append(text)
    tokens = sum(len(model.tokenizer(text)["input_ids"]) for text in texts)
    parts = [texts[i:i + options.texts] for i in range(0, SENTENCES, options.texts)]
    pool = concurrent.futures.ThreadPoolExecutor(options.callers)

    def ours():
        answers = list(pool.map(lambda part: embed(options.url, options.function, part), parts))
        return numpy.array([vector for vectors, _ in answers for vector in vectors]), sum(n for _, n in answers)

    embed(options.url, options.function, texts[:1])
    seconds = dict(knabla=[], sentence_transformers=[], knabla_one=[], sentence_transformers_one=[])
    for _ in range(options.rounds):
        (found, counted), took = timed(ours)
        seconds["knabla"].append(took)
        expected, took = timed(lambda: model.encode(texts, batch_size=32))
        seconds["sentence_transformers"].append(took)
        for text in texts[:50]:
            seconds["knabla_one"].append(timed(lambda: embed(options.url, options.function, [text]))[1])
            seconds["sentence_transformers_one"].append(timed(lambda: model.encode([text]))[1])
    cosines = (found * expected).sum(1) / numpy.linalg.norm(found, axis=1) / numpy.linalg.norm(expected, axis=1)
    report = dict(
        sentences=SENTENCES, scripts=len(all_scripts), tokens=tokens, tokens_counted=counted,
        least_cosine=float(cosines.min()), largest_difference=float(numpy.abs(found - expected).max()),
        texts_per_second={name: SENTENCES / statistics.median(seconds[name]) for name in ("knabla", "sentence_transformers")},
        milliseconds_of_one={
            name: 1000 * statistics.median(seconds[name + "_one"]) for name in ("knabla", "sentence_transformers")})
    print(json.dumps(report, indent=1))
    raise SystemExit(report["least_cosine"] < options.least or counted != tokens)


main()
