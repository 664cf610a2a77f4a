"""Makes mistakes on a running platform, and prints each answer: wrong files, wrong commands, wrong requests by HTTP and gRPC.

An answer fails if it is a success, has another exit code or status class than such a mistake has, is empty, says the
same twice, shows a stack trace, or if a function is left behind. Whether a person understands it, a person must read.

  ./knabla up --port 9000
  python runtime/bench/src/main/python/mistakes.py --server http://127.0.0.1:9000      # gRPC needs the package grpcio
  python runtime/bench/src/main/python/mistakes.py --server URL --only yaml
"""

import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request
import zipfile

import numpy as np

REPOSITORY = pathlib.Path(__file__).resolve().parents[5]
SAMPLES = REPOSITORY / "functions/samples"
DIGITS = SAMPLES / "digits/digits.onnx"
TRACE = re.compile(r"^\s+at [\w.$/]+\(|Exception in thread|\b(java|io\.knabla|io\.quarkus)\.[\w.]+(Exception|Error)\b", re.M)
FILES, COMMANDS, CALLS = {}, {}, {}


# Files: text of function.yaml by what is wrong. MODEL is a good model, FOLDER the file's folder.

def spec(text, name="mistake"):
    return "apiVersion: knabla.dev/v1alpha1\nkind: Function\nmetadata: {name: %s}\nspec:\n%s" % (
        name, "".join("  %s\n" % line for line in text.splitlines()))


def model(more):
    return spec("model: MODEL\n" + more)


FILES.update({
    "empty": "",
    "comments only": "# to do\n",
    "not closed": "metadata: {name: a\nspec: [1, 2",
    "tabs": "metadata:\n\tname: a\n",
    "a list": "- a\n- b\n",
    "a number": "42\n",
    "another kind": "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: a}\nspec: {replicas: 1}\n",
    "another version": "apiVersion: knabla.dev/v2\nkind: Function\nmetadata: {name: a}\nspec: {model: MODEL}\n",
    "no spec": "apiVersion: knabla.dev/v1alpha1\nkind: Function\nmetadata: {name: a}\n",
    "no name": "apiVersion: knabla.dev/v1alpha1\nkind: Function\nspec: {model: MODEL}\n",
    "name with capitals": spec("model: MODEL", "Digits_1"),
    "name in Chinese": spec("model: MODEL", "\u6570\u5b57"),
    "name of 300 letters": spec("model: MODEL", "a" * 300),
    "name is a number": spec("model: MODEL", "123"),
    "name is a list": spec("model: MODEL", "[a]"),
    "unknown key": spec("modle: MODEL"),
    "unknown key deeper": model("scaling: {minimum: 1}"),
    "key twice": model("scaling: {min: 1}\nscaling: {max: 2}"),
    "wrong types everywhere": "apiVersion: 1\nkind: [Function]\nmetadata: name\nspec: {model: {a: b}, scaling: 5, "
                              "resources: [], timeout: {}, batching: yes, traffic: 1, keepWarm: none, type: 3}\n",
    "numbers below zero": model("scaling: {min: -1, max: -2, concurrency: -4}\nbatching: {maxSize: -1, maxDelay: -2ms}\ntimeout: -30s"),
    "numbers too large": model("scaling: {max: 99999999999999999999}\nresources: {memory: 99999999999Ti, cpu: 1e400}"),
    "min above max": model("scaling: {min: 5, max: 2}"),
    "unknown units": model("timeout: 5 parsecs\nresources: {memory: lots, cpu: NaN}"),
    "unknown type": model("type: Inferrence"),
    "gradient without loss": model("type: Gradient"),
    "gradient in an inference function": model("gradient: {loss: {output: logits}}"),
    "unknown loss": model("type: Gradient\ngradient: {loss: {output: logits, function: CrossEntropy, target: label}, withRespectTo: [parameters]}"),
    "loss of no output": model("type: Gradient\ngradient: {loss: {output: logit, function: MSE, target: t}, withRespectTo: [inputs]}"),
    "gradient of nothing": model("type: Gradient\ngradient: {loss: {output: logits, function: MSE, target: t}, withRespectTo: [fc9.weight]}"),
    "optimizer without training": model("type: Gradient\ngradient: {loss: {output: logits, function: MSE, target: t}, withRespectTo: [parameters], optimizer: {type: Adam}}"),
    "wrong schedule": model('keepWarm: {schedule: [{cron: "61 25 * * *", timezone: Mars/Olympus, duration: 1h, min: 1}]}'),
    "traffic of 90 percent": model("traffic: [{version: 1, percent: 90}]"),
    "traffic of no version": model("traffic: [{version: 77, percent: 100}]"),
    "shape of no input": model("shapes: {nothing: [1, 2]}"),
    "optional input that is none": model("optionalInputs: [nothing]"),
    "two files, one wrong": spec("model: MODEL", "mistake-1") + "---\n" + spec("modell: MODEL", "mistake-2"),
    "no such model": spec("model: nothing.onnx"),
    "model is a folder": spec("model: FOLDER"),
    "model is a device": spec("model: /dev/zero"),
    "model is a pipe": spec("model: FOLDER/pipe"),
    "model is empty": spec("model: FOLDER/empty.onnx"),
    "model is text": spec("model: FOLDER/text.onnx"),
    "model is a zip": spec("model: FOLDER/zip.onnx"),
    "model is a picture": spec("model: %s" % (SAMPLES / "digits/images/07-3.png")),
    "model is cut off": spec("model: FOLDER/cut.onnx"),
    "model of PyTorch": spec("model: FOLDER/model.pt"),
    "model of pickle": spec("model: FOLDER/model.pkl"),
    "model of safetensors": spec("model: FOLDER/model.safetensors"),
    "model of Keras": spec("model: FOLDER/model.h5"),
    "model of llama.cpp": spec("model: FOLDER/model.gguf"),
    "model with an unknown operator": spec("model: FOLDER/unknown.onnx"),
    "model with a tokenizer": spec("model: FOLDER/tokenizer.onnx"),
    "model by https": spec("model: https://example.org/model.onnx"),
    "model in no bucket": spec("model: s3://nothing/model.onnx"),
    "unit that is no digest": spec("model: sha256:abc"),
    "unit that nobody has": spec("model: sha256:" + "0" * 64),
    "billion laughs": "a: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(
        "%s: &%s [%s]\n" % (c, c, ",".join(["*" + p] * 9)) for p, c in zip("abcdefgh", "bcdefghi")),
    "nested 100,000 deep": "spec: " + "[" * 100_000,
    "20 MB": "# " + "x" * 20_000_000 + "\n",
    "not text": bytes(range(256)) * 4,
    "UTF-16": spec("model: MODEL").encode("utf-16"),
    "an alias to itself": "spec: &a {model: *a}\n",
    "a Java object": "spec: !!javax.script.ScriptEngineManager [!!java.net.URL ['http://127.0.0.1:1/']]\n",
})


def folder_of_files(folder):
    from onnx import TensorProto, helper
    (folder / "empty.onnx").write_bytes(b"")
    (folder / "text.onnx").write_text("hello, this is no model\n" * 9)
    with zipfile.ZipFile(folder / "zip.onnx", "w") as zipped:
        zipped.write(DIGITS, "digits.onnx")
    with zipfile.ZipFile(folder / "model.pt", "w") as zipped:
        zipped.writestr("archive/data.pkl", b"\x80\x02}q\x00.")
        zipped.writestr("archive/version", "3\n")
    (folder / "model.pkl").write_bytes(b"\x80\x04\x95\x10\x00\x00\x00\x00\x00\x00\x00\x8c\x07sklearn\x94.")
    head = json.dumps({"w": {"dtype": "F32", "shape": [1], "data_offsets": [0, 4]}}).encode()
    (folder / "model.safetensors").write_bytes(len(head).to_bytes(8, "little") + head + b"\0\0\0\0")
    (folder / "model.h5").write_bytes(b"\x89HDF\r\n\x1a\n" + bytes(100))
    (folder / "model.gguf").write_bytes(b"GGUF" + bytes(100))
    (folder / "cut.onnx").write_bytes(DIGITS.read_bytes()[:-100])
    (folder / "bad.npy").write_bytes(b"\x93NUMPY\x09\x00")
    np.save(folder / "small.npy", np.zeros((2, 2), np.float32))
    (folder / "bad.json").write_text('{"inputs": [')
    (folder / "odd.json").write_text('{"image": "seven"}')
    os.mkfifo(folder / "pipe")
    for name, domain, kind in (("unknown", "my.company", "Magic"), ("tokenizer", "ai.onnx.contrib", "BertTokenizer")):
        graph = helper.make_graph(
            [helper.make_node(kind, ["x"], ["y"], domain=domain)], "g",
            [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["n"])],
            [helper.make_tensor_value_info("y", TensorProto.FLOAT, ["n"])])
        made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17), helper.make_opsetid(domain, 1)],
                                 ir_version=8)
        (folder / (name + ".onnx")).write_bytes(made.SerializeToString())


# Commands: arguments, and the exit code that such a mistake has: 2 wrong use, 1 a command that failed.

USE, FAILED = 2, 1
for line, code in {
    "deply": USE, "--versoin": USE, "deploy": USE, "deploy --modle x": USE, "deploy mistake": USE,
    "deploy -f nothing.yaml": FAILED, "deploy -f FOLDER": FAILED, "deploy mistake --model FOLDER": FAILED,
    "deploy -f /dev/zero": FAILED, "deploy -f DIGITS/function.yaml --traffic 120": USE, "deploy -f DIGITS/function.yaml --traffic ten": USE,
    "deploy Digits_1 --model MODEL": FAILED, "deploy mistake --model MODEL --type Inferrence": FAILED,
    "deploy mistake --model MODEL --loss logits": FAILED, "deploy ../../etc --model MODEL": FAILED,
    "deploy -f DIGITS/function.yaml -n Ünïcode": FAILED,
    "validate": USE, "validate -f nothing.yaml": FAILED, "explain spec.scalling": USE, "explain spec.scaling.min.max": USE,
    "invoke nothing --input FOLDER/small.npy": FAILED, "invoke DIGIT": USE, "invoke DIGIT --input nothing.png": FAILED,
    "invoke DIGIT --input FOLDER": FAILED, "invoke DIGIT --input FOLDER/bad.npy": FAILED,
    "invoke DIGIT --input FOLDER/small.npy": FAILED, "invoke DIGIT --input FOLDER/bad.json": FAILED,
    "invoke DIGIT --input FOLDER/odd.json": FAILED, "invoke PICTURE --input FOLDER/bad.npy": FAILED,
    "invoke PICTURE --input FOLDER/small.npy": FAILED, "invoke PICTURE --input FOLDER/text.onnx": FAILED, "invoke DIGIT --input MODEL": FAILED,
    "traffic DIGIT abc": USE, "traffic DIGIT 1=150": FAILED, "traffic DIGIT 1=50": FAILED, "traffic DIGIT 9=100": FAILED,
    "traffic nothing 1=100": FAILED, "traffic DIGIT 1=-5": USE,
    "rollback DIGIT": FAILED, "rollback DIGIT --to 9": FAILED, "rollback DIGIT --to x": USE, "versions nothing": FAILED,
    "logs nothing": FAILED, "describe nothing": FAILED, "delete nothing": FAILED, "export nothing -o FOLDER/x.onnx": FAILED,
    "export DIGIT -o /nowhere/x.onnx": FAILED, "list -o xml": USE,
    "up --port 99999": USE, "up --port -1": USE, "up --port abc": USE, "up --port TAKEN": FAILED, "up --host nowhere.invalid": FAILED,
    "up --store ftp://x": FAILED, "up --store s3://": FAILED,
    "analyze FOLDER": FAILED, "analyze nothing.onnx": FAILED, "analyze FOLDER/model.pt": FAILED, "analyze MODEL --rate fast": USE,
    "differentiate MODEL --loss nothing -o FOLDER/g.onnx": FAILED, "differentiate nothing.onnx --loss x -o FOLDER/g.onnx": FAILED,
    "cost --from tomorrow": FAILED, "cost --from 2026-13-45": FAILED, "cost --by colour": FAILED, "cost --scenario nothing": FAILED,
    "cost sql": USE, "cost sql 'drop table replicas'": FAILED, "cost sql 'select * from nothing'": FAILED,
    "simulate spot --policy Best": USE, "simulate warm --trace nothing.csv": FAILED, "simulate weather": USE,
    "spot interrupt nothing": FAILED, "spot interrupt spot-a --notice soon": USE, "spot chaos --rate often": USE,
    "bench word": USE, "test word": USE, "completion powershell": USE, "gc please": USE, "help nothing": USE,
    "list --server localhost:1": FAILED, "list --server http://127.0.0.1:1": FAILED, "list --server ftp://x": USE,
    "list --server 'not a url'": USE, "list --server http://127.0.0.1:99999": USE, "doctor --store gopher://x": USE,
    "list --context nothing": USE, "images --push 'no registry'": USE,
}.items():
    COMMANDS[line] = code


def one_line(text):
    return " ".join(text.split())


def faults_of(text):
    """What is wrong with the words of an answer, whatever the mistake."""
    if not text.strip():
        yield "it is empty"
    if TRACE.search(text):
        yield "it shows a stack trace or a class"
    lines = [line.strip() for line in text.splitlines() if len(line.strip()) > 30]
    if len(lines) != len(set(lines)):
        yield "it says the same twice"
    if len(text) > 4000:
        yield "it has %d characters" % len(text)


class Run:
    def __init__(self, server, only):
        self.server, self.only, self.count, self.bad = server, only, 0, 0

    def wanted(self, name):
        return self.only in name

    def told(self, name, answer, faults):
        self.count += 1
        faults = list(faults)
        self.bad += bool(faults)
        print("%-4s %s\n     %s" % ("BAD" if faults else "ok", name, "\n     ".join(answer.strip()[:1500].splitlines())))
        for fault in faults:
            print("     >>> " + fault)
        sys.stdout.flush()

    def command(self, arguments, name, code, environment=None):
        try:
            done = subprocess.run([str(REPOSITORY / "knabla"), *arguments], capture_output=True, text=True, timeout=120,
                                  check=False, env={**os.environ, "KNABLA_SERVER": self.server, **(environment or {})})
        except subprocess.TimeoutExpired:
            self.told(name, "", ["it did not end in 120 s"])
            return
        faults = list(faults_of(done.stderr))
        if done.returncode != code:
            faults.append("exit code %d, expected %d" % (done.returncode, code))
        if done.stdout.strip():
            faults.append("on stdout: " + one_line(done.stdout)[:200])
        self.told("%s (exit code %d)" % (name, done.returncode), done.stderr, faults)

    def files(self, folder):
        for name, text in FILES.items():
            if not self.wanted("yaml: " + name):
                continue
            file = folder / "function.yaml"
            if isinstance(text, str):
                text = text.replace("MODEL", str(DIGITS)).replace("FOLDER", str(folder)).encode()
            file.write_bytes(text)
            self.command(["deploy", "-f", str(file), "-q"], "yaml: " + name, FAILED)

    def commands(self, folder):
        import shlex
        for line, code in COMMANDS.items():
            if not self.wanted("command: " + line):
                continue
            words = {"MODEL": str(DIGITS), "FOLDER": str(folder), "DIGITS": str(SAMPLES / "digits"),
                     "DIGIT": "mistake-target", "PICTURE": "mistake-picture", "TAKEN": self.server.rsplit(":", 1)[1]}
            arguments = [re.sub("|".join(words), lambda found: words[found[0]], word) for word in shlex.split(
                re.sub(r"\bDIGITS\b", words["DIGITS"], line))]
            self.command(arguments, "command: " + line, code, {"KNABLA_HOME": str(folder / "home")})

    def request(self, name, method, path, body=None, headers=None, status=(400,)):
        if not self.wanted("http: " + name):
            return
        request = urllib.request.Request(self.server + path, body, headers or {}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                code, text = answer.status, answer.read(3000).decode(errors="replace")
        except urllib.error.HTTPError as refused:
            code, text = refused.code, refused.read().decode(errors="replace")
        except OSError as failed:
            self.told("http: " + name, str(failed), ["no answer"])
            return
        faults = list(faults_of(text))
        if code not in status:
            faults.append("status %d, expected %s" % (code, " or ".join(map(str, status))))
        try:
            found = json.loads(text)
            if not (found.get("error") or found.get("detail")):
                faults.append("no error in it")
        except (ValueError, AttributeError):
            faults.append("it is no JSON object")
        self.told("http: %s (%d)" % (name, code), text, faults)

    def control(self):
        """Wrong bodies to every operation of the control API that takes one, and wrong names to all others."""
        with urllib.request.urlopen(self.server + "/q/openapi?format=json") as answer:
            document = json.load(answer)
        bodies = {"half of JSON": b'{"a": ', "a list": b"[1, 2]", "a text": b'"abc"', "null": b"null", "wrong types":
                  b'{"name": {"a": 1}, "spec": [], "traffic": "all", "version": "x", "notice": [], "model": 7}',
                  "no text": bytes(range(256)), "nothing": b"", "nested": b"[" * 100_000}
        for path, operations in document["paths"].items():
            filled = re.sub(r"\{[^}]*\}", "nothing", path)
            for method, operation in operations.items():
                if method not in ("get", "post", "put", "delete", "patch"):
                    continue
                if "requestBody" in operation:
                    kind = next(iter(operation["requestBody"]["content"]), "application/json")
                    optional = not operation["requestBody"].get("required") or path == "/api/v1/costs"
                    for name, body in bodies.items():
                        if optional and name in ("nothing", "null"):
                            continue
                        self.request("%s %s with %s" % (method.upper(), path, name), method.upper(), filled, body,
                                     {"Content-Type": kind}, (400, 404, 409, 413, 415, 422, 501))
                elif "{" in path:
                    self.request("%s %s of nothing" % (method.upper(), path), method.upper(), filled, status=(400, 404))
                for wrong in ("PATCH", "BREW"):
                    if wrong.lower() not in operations:
                        self.request("%s %s" % (wrong, path), wrong, filled, b"{}", status=(400, 404, 405, 501))

    def infer(self):
        path = "/v2/models/mistake-target/infer"
        good = {"name": "INPUT0", "datatype": "INT32", "shape": [1, 16], "data": list(range(16))}
        other = {**good, "name": "INPUT1"}

        def post(name, body, headers=None, where=path, status=(400,)):
            self.request("infer with " + name, "POST", where, body if isinstance(body, bytes) else json.dumps(body).encode(),
                         headers, status)

        def first(**more):
            return {"inputs": [{**good, **more}, other]}
        post("nothing", b"")
        post("half of JSON", b'{"inputs": [{"name"')
        post("a list", [])
        post("no inputs", {})
        post("inputs that are a text", {"inputs": "INPUT0"})
        post("one input of two", {"inputs": [good]})
        post("an input twice", {"inputs": [good, good, other]})
        post("an unknown input", first(name="INPUT"))
        post("another type", first(datatype="FP32"))
        post("an unknown type", first(datatype="INT33"))
        post("another shape", first(shape=[1, 15], data=list(range(15))))
        post("another rank", first(shape=[16]))
        post("a size below zero", first(shape=[-1, 16]))
        post("a size of 10^18", first(shape=[10 ** 18, 16]))
        post("a size that is a text", first(shape=["one", 16]))
        post("too few numbers", first(data=[1, 2]))
        post("too many numbers", first(data=list(range(17))))
        post("fractions for whole numbers", first(data=[0.5] * 16))
        post("texts for numbers", first(data=["a"] * 16))
        post("numbers too large", first(data=[2 ** 31] * 16))
        post("nested data of another form", first(data=[[1, 2], [3]]))
        post("an unknown output", {**first(), "outputs": [{"name": "OUTPUT7"}]})
        post("a priority", {**first(), "parameters": {"priority": 1}}, status=(501,))
        post("a timeout that is a text", {**first(), "parameters": {"timeout": "soon"}})
        post("a header longer than the body", b"{}", {"Inference-Header-Content-Length": "1000"})
        post("a header's length that is a text", b"{}", {"Inference-Header-Content-Length": "ten"})
        head = json.dumps({"inputs": [{**{k: v for k, v in good.items() if k != "data"}, "parameters": {"binary_data_size": 60}}, other]}).encode()
        post("binary data of another size", head + bytes(60), {"Inference-Header-Content-Length": str(len(head))})
        post("binary data that is cut off", head + bytes(10), {"Inference-Header-Content-Length": str(len(head))})
        post("gzip that is none", b"hello", {"Content-Encoding": "gzip"})
        post("an unknown coding", b"{}", {"Content-Encoding": "br"}, status=(400, 415))
        post("no such function", first(), where="/v2/models/nothing/infer", status=(404,))
        post("no such version", first(), where="/v2/models/mistake-target/versions/9/infer", status=(404,))
        post("a version that is a text", first(), where="/v2/models/mistake-target/versions/new/infer", status=(400, 404))
        post("a path above", first(), where="/v2/models/..%2f..%2fetc/infer", status=(400, 404))
        post("a shared region that nobody registered", {"inputs": [{**{k: v for k, v in good.items() if k != "data"}, "parameters": {
            "shared_memory_region": "r", "shared_memory_byte_size": 64}}, other]}, status=(400, 501))
        v1 = "/v1/models/mistake-target:predict"
        post("V1: nothing", {}, where=v1)
        post("V1: rows and columns", {"instances": [], "inputs": {}}, where=v1)
        post("V1: rows of numbers", {"instances": [1, 2]}, where=v1)
        post("V1: rows of other lengths", {"instances": [{"INPUT0": [1], "INPUT1": [1, 2]}]}, where=v1)
        post("V1: a column that is missing", {"inputs": {"INPUT0": [[1] * 16]}}, where=v1)
        root = "/functions/default/mistake-target/"
        for name in ("apply", "jacobian", "vector_jacobian_product", "hessian_vector_product", "abstract_eval"):
            post("Tesseract: %s of a text" % name, b'"x"', where=root + name, status=(400, 404, 422, 501))
            post("Tesseract: %s of nothing" % name, {}, where=root + name, status=(400, 404, 422, 501))
        self.request("no such path", "GET", "/v3/models", status=(404,))
        self.request("infer by GET", "GET", path, status=(405,))
        self.request("no such function's metadata", "GET", "/v2/models/nothing", status=(404,))
        self.request("a namespace that nobody has", "GET", "/functions/nobody/nothing/v2", status=(404,))
        self.request("shared memory of no file", "POST", "/v2/systemsharedmemory/region/r/register",
                     b'{"key": "/../etc/passwd", "offset": 0, "byte_size": 10}', status=(400, 403, 404, 501))

    def grpc(self):
        try:
            import grpc
        except ImportError as missing:
            print("skipped: gRPC: %s" % missing)
            return
        channel = grpc.insecure_channel(self.server.removeprefix("http://"))

        def field(number, payload):
            def varint(n):
                out = b""
                while n > 127:
                    out += bytes([n & 127 | 128])
                    n >>= 7
                return out + bytes([n])
            if isinstance(payload, int):
                return varint(number << 3) + varint(payload)
            payload = payload.encode() if isinstance(payload, str) else payload
            return varint(number << 3 | 2) + varint(len(payload)) + payload

        def tensor(name="INPUT0", datatype="INT32", shape=(1, 16), more=b""):
            return field(5, field(1, name) + field(2, datatype) + b"".join(field(3, size) for size in shape) + more)
        model, row = field(1, "mistake-target"), np.arange(16, dtype=np.int32).tobytes()
        both, raws = tensor() + tensor("INPUT1"), field(7, row) * 2
        messages = {
            "nothing": b"", "no message": b"\xff" * 40, "no model": both + raws, "an unknown model": field(1, "nothing") + both + raws,
            "no inputs": model, "an input without contents": model + both,
            "one of two contents": model + both + field(7, row), "contents of another size": model + both + field(7, row[:60]) * 2,
            "contents twice": model + tensor(more=field(5, field(2, row))) + tensor("INPUT1") + raws,
            "another type": model + tensor(datatype="FP32") + tensor("INPUT1") + raws,
            "an unknown type": model + tensor(datatype="INT33") + tensor("INPUT1") + raws,
            "a size below zero": model + tensor(shape=(2 ** 64 - 1, 16)) + tensor("INPUT1") + raws,
            "an unknown input": model + tensor("INPUT7") + tensor("INPUT1") + raws,
            "an unknown output": model + both + raws + field(6, field(1, "OUTPUT7")),
            "an unknown version": model + field(2, "9") + both + raws, "a version that is a text": model + field(2, "new") + both + raws,
            "a region that nobody registered": model + tensor(more=field(4, field(1, "shared_memory_region") + field(2, field(3, "r"))))
            + tensor("INPUT1") + field(7, row)}
        for name, message in messages.items():
            self.grpc_call(channel, "ModelInfer", "infer with " + name, message)
        self.grpc_call(channel, "ModelMetadata", "metadata of nothing", field(1, "nothing"))
        self.grpc_call(channel, "Nothing", "a method that there is not", b"")
        self.grpc_call(channel, "TraceSetting", "a method that is not offered", b"")
        channel.close()

    def grpc_call(self, channel, method, name, message):
        import grpc
        if not self.wanted("grpc: " + name):
            return
        call = channel.unary_unary("/inference.GRPCInferenceService/" + method, lambda raw: raw, lambda raw: raw)
        try:
            answer = call(message, timeout=60)
            self.told("grpc: " + name, repr(answer), ["it was taken"])
        except grpc.RpcError as error:
            faults = list(faults_of(error.details()))
            if error.code().name in ("INTERNAL", "UNKNOWN", "DEADLINE_EXCEEDED", "UNAVAILABLE"):
                faults.append("it is not the server's fault")
            self.told("grpc: %s (%s)" % (name, error.code().name), error.details(), faults)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--server", required=True)
    parser.add_argument("--only", default="", help="names that contain this word, such as yaml, command, http, grpc")
    options = parser.parse_args()
    run = Run(options.server, options.only)

    targets = {"mistake-target": SAMPLES / "add-sub/add-sub.onnx", "mistake-picture": DIGITS}

    def names():
        with urllib.request.urlopen(options.server + "/api/v1/functions") as answer:
            return sorted(one["name"] for one in json.load(answer)["items"])
    for name, file in targets.items():
        subprocess.run([str(REPOSITORY / "knabla"), "deploy", name, "--model", str(file), "--server", options.server, "-q"],
                       check=True, stdout=subprocess.DEVNULL)
    try:
        before = names()
        with tempfile.TemporaryDirectory() as folder:
            folder_of_files(pathlib.Path(folder))
            run.files(pathlib.Path(folder))
            run.commands(pathlib.Path(folder))
        run.control()
        run.infer()
        run.grpc()
        if names() != before:
            print(">>> functions were %s, now they are %s" % (before, names()))
            run.bad += 1
    finally:
        for name in targets:
            subprocess.run([str(REPOSITORY / "knabla"), "delete", name, "--server", options.server, "-q"],
                           check=False, stdout=subprocess.DEVNULL)
    print("%d mistakes, %d answers are bad" % (run.count, run.bad))
    return 1 if run.bad else 0


if __name__ == "__main__":
    sys.exit(main())
