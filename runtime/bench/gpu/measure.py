"""The steps of run.sh: measures the GPU, starts replicas on the CPU and on the GPU, compares their answers, times both beside PyTorch, and loses one."""
import array
import http.client
import json
import math
import os
import signal
import subprocess
import sys
import time

WORK = sys.argv[1]
MODEL = "m"
# Relative to the norm of the CPU's answer; TF32 rounds products of float32 to 10 bits.
TOLERANCE = {"Inference": 1e-3, "Gradient": 1e-4}
HALF_TOLERANCE = 1e-2
ROWS = (1, 8, 32)
# Limits of steps are for a machine that does nothing else; tests of this program run beside others, and measure less.
LIMIT_FACTOR = int(os.environ.get("KNABLA_LIMIT_FACTOR", "1"))
WINDOW_SECONDS = float(os.environ.get("KNABLA_WINDOW_SECONDS", "3"))
STARTS = 5
NO_GPU = 3
running = []
# Rows a second of the GPU by the rows of a run, as step 3 measured them.
measured = {}


class Failed(Exception):
    """A step that did not show what it should."""


def command(mode):
    java = [WORK + "/jvm/bin/java", "-XX:+UseSerialGC", "-XX:-UsePerfData", "--enable-native-access=ALL-UNNAMED"]
    engine = ["-Donnxruntime.native.path=" + WORK + "/replica/native", "-jar", WORK + "/replica/replica.jar"]
    return java + engine + ([mode] if mode else [])


def environment(**more):
    return {**os.environ, "ORT_DISABLE_TELEMETRY": "1", **more}


def start(words, settings, **more):
    """A process that ends with its step."""
    process = subprocess.Popen(
        words, env=settings, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, **more)
    running.append(process)
    return process


class Replica:
    """A process that serves one unit; its events are JSON lines."""

    def __init__(self, unit, device, pooled=False, **more):
        own = dict(
            KNABLA_UNIT=unit, KNABLA_STORE="file://" + WORK + "/store", KNABLA_CACHE=WORK + "/cache", PORT="0",
            KNABLA_HOST="127.0.0.1", KNABLA_MODEL_NAME=MODEL, KNABLA_DEVICE=device, **more)
        began = time.monotonic()
        if pooled:
            self.process = start(command("pooled"), environment(KNABLA_DEVICE=device), stdin=subprocess.PIPE)
            self.await_member()
            began = time.monotonic()
            self.process.stdin.write("".join("%s=%s\0" % entry for entry in own.items()) + "\0")
            self.process.stdin.flush()
        else:
            self.process = start(command(""), environment(**own))
        self.await_ready(began)

    def await_member(self):
        for line in self.process.stdout:
            if line.startswith("{") and json.loads(line).get("event") == "pooled":
                return
        raise Failed("the member of the pool ended with exit code %d before it could serve" % self.process.wait())

    def await_ready(self, began):
        port = None
        for line in self.process.stdout:
            event = json.loads(line) if line.startswith("{") else {}
            port = event.get("port", port)
            if event.get("event") == "ready":
                self.seconds = time.monotonic() - began
                self.phases = event["phases"]
                self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
                return
            if event.get("event") == "failed":
                raise Failed(event["error"])
        raise Failed("the replica ended with exit code %d before it was ready" % self.process.wait())

    def send(self, body, headers):
        self.connection.request("POST", "/v2/models/%s/infer" % MODEL, body, headers)
        answer = self.connection.getresponse()
        content = answer.read()
        if answer.status != 200:
            raise Failed("status %d: %s" % (answer.status, content.decode(errors="replace")[:300]))
        return content

    def answer(self, request):
        return json.loads(self.send(json.dumps(request), {"Content-Type": "application/json"}))

    def end(self):
        self.process.kill()
        self.process.wait()


def units():
    with open(WORK + "/units.tsv") as table:
        return [line.rstrip("\n").split("\t") for line in table]


def request(name):
    with open(WORK + "/requests/%s.json" % name) as file:
        return json.load(file)


def unit_named(name):
    return next((one for one in units() if one[0] == name), None)


def largest():
    """The unit that times and limits are about: the one that PyTorch computes too, or what is there in its place."""
    return unit_named("mlp") or units()[0]


def error(found, right):
    """Relative error by norm; NaN never passes a comparison with a tolerance."""
    difference = math.sqrt(sum((float(a) - float(b)) ** 2 for a, b in zip(found, right)))
    return difference / max(math.sqrt(sum(float(b) ** 2 for b in right)), 1e-30)


def doctor():
    """Ends the program where there is no GPU."""
    ran = subprocess.run(command("gpu"), env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    events = [json.loads(line) for line in ran.stdout.splitlines() if line.startswith("{")]
    report = next((event for event in events if event.get("event") == "gpu"), None)
    if report is None:
        raise SystemExit("the replica's program cannot run here: " + ran.stderr[-500:])
    required = [one for one in report["missing"] if one["required"]]
    lacks = [one["found"] for one in required] + ([report["trouble"]] if "trouble" in report else [])
    if lacks:
        print("no GPU found that Knabla can compute on: " + "; ".join(lacks))
        for fix in dict.fromkeys(one["fix"] for one in required):
            # The folder of this run is gone after it.
            print("  to mend it: " + fix.replace(WORK + "/cuda", "FOLDER") + (
                ", then run it again with KNABLA_CUDA_HOME=FOLDER" if WORK in fix else ""))
        raise SystemExit(NO_GPU)
    missing = [one["found"] for one in report["missing"]]
    return "the GPU can be used" + ("; " + "; ".join(missing) if missing else "")


def calibration():
    process = start(command("calibrate"), environment(KNABLA_DEVICE="cuda"))
    events = [json.loads(line) for line in process.stdout if line.startswith("{")]
    event = events[-1] if events else {}
    if event.get("event") != "calibrated":
        raise Failed(event.get("error", "it ended with exit code %d" % process.wait()))
    told = ["%s %.3g" % rate for rate in event["rates"].items()] + ["no %s (%s)" % one for one in event["failures"].items()]
    return event["device"] + ": " + ", ".join(told)


def answers():
    told, wrong = [], []
    for name, unit, kind in units():
        try:
            # Half precision has a step of its own.
            told += [] if name.endswith("-half") else compare(name, unit, unit, TOLERANCE[kind])
        except Failed as failed:
            wrong.append("%s: %s" % (name, failed))
    if wrong:
        raise Failed("; ".join(wrong))
    return ", ".join(told)


def compare(name, reference, unit, tolerance):
    """Errors of all float outputs of a sample on the GPU, by those of the reference on the CPU."""
    cpu, gpu = Replica(reference, "cpu"), Replica(unit, "cuda")
    right = cpu.answer(request(name))["outputs"]
    found = {one["name"]: one["data"] for one in gpu.answer(request(name))["outputs"]}
    cpu.end()
    gpu.end()
    told = []
    for output in right:
        if output["datatype"].startswith("FP"):
            off = error(found[output["name"]], output["data"])
            if not off <= tolerance:
                raise Failed("%s is off by %.1e, allowed is %.0e" % (output["name"], off, tolerance))
            told.append("%s %s %.1e" % (name, output["name"], off))
    return told


def binary(one, rows):
    data = array.array("f", one["data"] * rows)
    if sys.byteorder != "little":
        data.byteswap()
    values = data.tobytes()
    head = json.dumps({
        "inputs": [{"name": one["name"], "datatype": "FP32", "shape": [rows] + one["shape"][1:],
                    "parameters": {"binary_data_size": len(values)}}],
        "parameters": {"binary_data_output": True}}).encode()
    return head + values, {
        "Content-Type": "application/octet-stream", "Inference-Header-Content-Length": str(len(head))}


def rows_per_second(run, rows):
    for _ in range(20):
        run()
    began, runs = time.monotonic(), 0
    while time.monotonic() - began < WINDOW_SECONDS:
        run()
        runs += 1
    return rows * runs / (time.monotonic() - began)


def replica_speed(name, unit, device):
    """By rows of a run. One connection from this Python, whose own time is in the figures."""
    one = request(name)["inputs"][0]
    replica = Replica(unit, device)
    speed = {}
    for rows in ROWS:
        body, headers = binary(one, rows)
        speed[rows] = rows_per_second(lambda: replica.send(body, headers), rows)
    replica.end()
    return speed


def told_speed(what, speed):
    return ", ".join("%s b=%d %.0f rows/s" % (what, rows, speed[rows]) for rows in ROWS)


def speed():
    name, unit, _ = largest()
    cpu = replica_speed(name, unit, "cpu")
    measured.update(replica_speed(name, unit, "cuda"))
    return told_speed("cpu", cpu) + ", " + told_speed("cuda", measured)


def torch_speed():
    """Prints the rows a second of PyTorch for the model mlp, in a process of its own."""
    import torch

    layers = torch.nn.Sequential(
        torch.nn.Linear(784, 1024), torch.nn.ReLU(), torch.nn.Linear(1024, 1024), torch.nn.ReLU(),
        torch.nn.Linear(1024, 10)).cuda().eval()
    with torch.inference_mode():
        for what, model in (("eager", layers), ("compiled", torch.compile(layers))):
            for rows in ROWS:
                batch = torch.full((rows, 784), 0.5)
                print(what, rows, rows_per_second(lambda: model(batch.cuda()).cpu(), rows), flush=True)


def beside_torch():
    asked = start(
        [sys.executable, "-c", "import torch; print(torch.cuda.is_available())"], environment())
    sees = asked.stdout.read().strip()
    if sees != "True":
        return "skipped: no torch" if sees == "" else "skipped: torch sees no GPU"
    if not unit_named("mlp"):
        return "skipped: the unit mlp was not packed"
    process = start([sys.executable, __file__, WORK, "torch"], environment())
    lines = [line.split() for line in process.stdout]
    if process.wait() != 0 or not lines:
        raise Failed("PyTorch ended with exit code %d after %s" % (process.returncode, lines))
    return ", ".join(
        "torch %s b=%s %.0f rows/s (ours %.2f of it)" % (
            what, rows, float(found), measured.get(int(rows), math.nan) / float(found))
        for what, rows, found in lines)


def half():
    full, reduced = unit_named("mlp"), unit_named("mlp-half")
    if not full or not reduced:
        return "skipped: the unit mlp-half was not packed"
    told = told_speed("cuda half", replica_speed("mlp", reduced[1], "cuda"))
    return ", ".join([told] + compare("mlp", full[1], reduced[1], HALF_TOLERANCE))


def starts(device, pooled):
    name, unit, _ = units()[0]
    seconds = []
    for _ in range(STARTS):
        replica = Replica(unit, device, pooled)
        replica.answer(request(name))
        seconds.append(replica.seconds)
        phases = replica.phases
        replica.end()
    return "%s %s s, last phases in ms %s" % (device, "/".join("%.2f" % s for s in seconds), phases)


def cold():
    return starts("cpu", False) + "; " + starts("cuda", False)


def pooled():
    return starts("cpu", True) + "; " + starts("cuda", True)


def limits():
    name, unit, _ = largest()
    try:
        Replica(unit, "cuda", KNABLA_GPU_MEMORY_BYTES=str(1 << 16)).end()
    except Failed as refused:
        sentence = str(refused)
    else:
        raise Failed("a model was loaded into 64 KiB of device memory")
    if "device memory" not in sentence:
        raise Failed("too little device memory was answered with: " + sentence)
    first, second = Replica(unit, "cuda"), Replica(unit, "cuda")
    first.answer(request(name))
    second.answer(request(name))
    first.process.send_signal(signal.SIGKILL)
    first.process.wait()
    second.answer(request(name))
    second.end()
    return "a limit is refused with a sentence; a replica serves on while another one on its GPU is killed"


def stop(*_):
    raise Failed("it took longer than its limit")


def step(title, limit, act):
    """Whether it passed. Ends all its processes."""
    signal.alarm(limit * LIMIT_FACTOR)
    began = time.monotonic()
    try:
        told, passed = act(), True
    except Exception as failed:
        told, passed = str(failed) if isinstance(failed, Failed) else repr(failed), False
    finally:
        signal.alarm(0)
        while running:
            process = running.pop()
            process.kill()
            process.wait()
    print("%s  %s (%.0f s): %s" % ("passed" if passed else "FAILED", title, time.monotonic() - began, told), flush=True)
    return passed


def main():
    signal.signal(signal.SIGALRM, stop)
    steps = [
        ("0 doctor", 15, doctor),
        ("1 calibration", 30, calibration),
        ("2 answers and gradients against the CPU", 60, answers),
        ("3 rows a second", 75, speed),
        ("4 beside PyTorch", 75, beside_torch),
        ("5 cold start, five times", 60, cold),
        ("5 start of a member of a pool, five times", 45, pooled),
        ("6 memory limit, two replicas, one killed", 45, limits),
        ("7 half precision", 45, half),
    ]
    passed = [step(title, limit, act) for title, limit, act in steps]
    sys.exit(0 if all(passed) else 1)


if sys.argv[2:] == ["torch"]:
    torch_speed()
else:
    main()
