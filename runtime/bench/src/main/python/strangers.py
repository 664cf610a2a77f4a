"""Deploys models of public exporters on a running platform and compares its answers with ONNX Runtime in Python.

Needs Python with numpy, onnx, onnxruntime and the exporters whose models are to be tried: skl2onnx, onnxmltools,
lightgbm, xgboost, catboost, pandas, torch, onnxscript, torchvision, timm, transformers, onnxconverter-common, tensorflow,
tf2onnx, jax2onnx. A model whose exporter is missing is skipped, so TensorFlow and JAX can have an environment of their own.

  ./knabla up --port 9000
  python runtime/bench/src/main/python/strangers.py --server http://127.0.0.1:9000
  python runtime/bench/src/main/python/strangers.py --server URL --only lightgbm -o json
  python runtime/bench/src/main/python/strangers.py --server URL --file model.onnx     # a model of your own, random inputs
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request

import numpy as np

import zoo
import graphs  # noqa: F401 registers its cases
import pipelines  # noqa: F401 registers its cases

REPOSITORY = pathlib.Path(__file__).resolve().parents[5]
DTYPES = {"FP32": np.float32, "FP64": np.float64, "FP16": np.float16, "INT64": np.int64, "INT32": np.int32,
          "INT16": np.int16, "INT8": np.int8, "UINT8": np.uint8, "UINT16": np.uint16, "UINT32": np.uint32,
          "UINT64": np.uint64, "BOOL": np.bool_}
NAMES = {np.dtype(dtype): name for name, dtype in DTYPES.items()}
RELATIVE, ABSOLUTE = 1e-3, 1e-5


class Refused(Exception):
    """The platform does not take the model, or a call; its sentence."""


def name_of(array):
    return "BYTES" if array.dtype.kind in "OUS" else NAMES[array.dtype]


def packed(array):
    if name_of(array) != "BYTES":
        return np.ascontiguousarray(array).tobytes()
    texts = [str(text).encode() for text in array.flat]
    return b"".join(len(text).to_bytes(4, "little") + text for text in texts)


def unpacked(raw, datatype, shape):
    if datatype != "BYTES":
        return np.frombuffer(raw, DTYPES[datatype]).reshape(shape)
    texts, at = [], 0
    while at < len(raw):
        size = int.from_bytes(raw[at:at + 4], "little")
        texts.append(raw[at + 4:at + 4 + size].decode())
        at += 4 + size
    return np.array(texts, dtype=object).reshape(shape)


def call(url, body=None, headers=None):
    request = urllib.request.Request(url, body, headers or {})
    try:
        with urllib.request.urlopen(request, timeout=120) as answer:
            return answer.read(), answer.headers
    except urllib.error.HTTPError as refused:
        raise Refused(json.loads(refused.read()).get("error", str(refused))) from None


def by_json(url, feeds):
    inputs = [{"name": name, "shape": list(array.shape), "datatype": name_of(array), "data": array.ravel().tolist()}
              for name, array in feeds.items()]
    raw, _ = call(url, json.dumps({"inputs": inputs}).encode())
    return {out["name"]: np.array(out["data"], DTYPES.get(out["datatype"], object)).reshape(out["shape"])
            for out in json.loads(raw)["outputs"]}


def by_binary(url, feeds):
    bodies = [packed(array) for array in feeds.values()]
    inputs = [{"name": name, "shape": list(array.shape), "datatype": name_of(array),
               "parameters": {"binary_data_size": len(body)}} for (name, array), body in zip(feeds.items(), bodies)]
    head = json.dumps({"inputs": inputs, "parameters": {"binary_data_output": True}}).encode()
    raw, headers = call(url, head + b"".join(bodies), {"Inference-Header-Content-Length": str(len(head))})
    at = int(headers["Inference-Header-Content-Length"])
    found = {}
    for out in json.loads(raw[:at])["outputs"]:
        size = out["parameters"]["binary_data_size"]
        found[out["name"]] = unpacked(raw[at:at + size], out["datatype"], out["shape"])
        at += size
    return found


def tensors(name, value):
    """A result of ONNX Runtime as the platform answers it: ZipMap's rows as an array, sequences as numbered outputs."""
    if not isinstance(value, list):
        return {name: np.asarray(value)}
    if value and isinstance(value[0], dict):
        return {name: np.array([list(row.values()) for row in value], np.float32)}
    return {"%s_%d" % (name, i): np.asarray(one) for i, one in enumerate(value)}


def in_plain_locale(file):
    """The model, with C.UTF-8 where it asks for a locale: this machine may lack en_US."""
    import onnx
    model = onnx.load(str(file))
    normalizers = [node for node in model.graph.node if node.op_type == "StringNormalizer"]
    for node in normalizers:
        kept = [attribute for attribute in node.attribute if attribute.name != "locale"]
        del node.attribute[:]
        node.attribute.extend([*kept, onnx.helper.make_attribute("locale", "C.UTF-8")])
    return model.SerializeToString() if normalizers else str(file)


def reference(file, feeds):
    import onnxruntime
    onnxruntime.set_default_logger_severity(4)
    session = onnxruntime.InferenceSession(in_plain_locale(file), providers=["CPUExecutionProvider"])
    names = [output.name for output in session.get_outputs()]
    found = {}
    for name, value in zip(names, session.run(names, feeds)):
        found.update(tensors(name, value))
    return found


def computes_in_halves(file):
    import onnx
    model = onnx.load(str(file), load_external_data=False)
    return any(weight.data_type == onnx.TensorProto.FLOAT16 for weight in model.graph.initializer)


def tolerance(want, halves):
    """In 16 bits, versions of ONNX Runtime round differently, by a share of the largest terms of a sum."""
    return 4e-3 * np.max(np.abs(want)) if halves else ABSOLUTE + RELATIVE * np.abs(want)


def difference(found, expected, halves):
    """The largest difference relative to the tolerance; above 1 is wrong. Refuses other names or shapes."""
    if set(found) != set(expected):
        raise Refused("outputs are %s, expected %s" % (sorted(found), sorted(expected)))
    worst = 0.0
    for name, want in expected.items():
        have = found[name]
        if have.shape != want.shape:
            raise Refused("output '%s' has the shape %s, expected %s" % (name, have.shape, want.shape))
        if want.dtype.kind in "OUS":
            worst = max(worst, 0.0 if [str(t) for t in have.flat] == [str(t) for t in want.flat] else np.inf)
        elif want.size:
            have, want = have.astype(np.float64), want.astype(np.float64)
            far = np.abs(have - want) / tolerance(want, halves)
            worst = max(worst, 0.0 if np.array_equal(have, want, equal_nan=True) else float(np.max(far)))
    return worst


def knabla(*arguments):
    done = subprocess.run([str(REPOSITORY / "knabla"), *arguments], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr.strip()


def feeds_of(file):
    """Random inputs for a model of one's own."""
    import onnxruntime
    session = onnxruntime.InferenceSession(str(file), providers=["CPUExecutionProvider"])
    feeds = {}
    for one in session.get_inputs():
        shape = [size if isinstance(size, int) else 2 for size in one.shape]
        kind = one.type.removeprefix("tensor(").removesuffix(")")
        dtype = {"float": np.float32, "double": np.float64, "string": object}.get(kind) or np.dtype(
            {"float16": "float16"}.get(kind, kind)).type
        feeds[one.name] = np.full(shape, "text", object) if dtype is object else zoo.RANDOM.normal(
            size=shape).astype(dtype)
    return feeds


def tried(name, make, server):
    function = "stranger-" + name
    with tempfile.TemporaryDirectory() as folder:
        try:
            file, feeds = make(pathlib.Path(folder))
        except ImportError as missing:
            return {"result": "skipped", "sentence": str(missing)}
        except Exception as failed:  # an exporter's own failure says nothing about the platform
            return {"result": "not exported", "sentence": str(failed).splitlines()[0][:200]}
        try:
            code, _, err = knabla("deploy", function, "--model", str(file), "--server", server, "-q")
            if code:
                raise Refused(err)
            expected = reference(file, feeds)
            url = "%s/v2/models/%s/infer" % (server, function)
            halves = computes_in_halves(file)
            binary = difference(by_binary(url, feeds), expected, halves)
            text = difference(by_json(url, feeds), expected, halves)
            worst = max(binary, text)
            return {"result": "right" if worst <= 1 else "wrong", "binary": binary, "json": text, "sentence": err}
        except Refused as refused:
            return {"result": "refused", "sentence": str(refused)}
        finally:
            knabla("delete", function, "--server", server, "-q")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--server", required=True)
    parser.add_argument("--only", default="", help="names that contain this word")
    parser.add_argument("--file", type=pathlib.Path, help="a model of your own, in place of the table's")
    parser.add_argument("-o", choices=["table", "json"], default="table")
    options = parser.parse_args()
    cases = {name: make for name, make in zoo.CASES.items() if options.only in name}
    if options.file:
        cases = {options.file.stem.lower(): lambda _: (options.file, feeds_of(options.file))}
    rows = []
    for name, make in cases.items():
        row = {"name": name, **tried(name, make, options.server)}
        rows.append(row)
        if options.o == "table":
            numbers = "".join(" %9.2g" % row[key] if key in row else " " * 10 for key in ("binary", "json"))
            print("%-32s %-12s%s  %s" % (name, row["result"], numbers, row.get("sentence", "")), flush=True)
    counts = {kind: sum(row["result"] == kind for row in rows)
              for kind in ("right", "wrong", "refused", "not exported", "skipped")}
    if options.o == "json":
        print(json.dumps({"rows": rows, "counts": counts}, indent=1))
    else:
        print("%d models: " % len(rows) + ", ".join("%d %s" % (n, kind) for kind, n in counts.items() if n))
    return 1 if counts["wrong"] or counts["refused"] else 0


if __name__ == "__main__":
    sys.exit(main())
