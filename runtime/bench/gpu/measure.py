"""The steps of run.sh: starts replicas on the CPU and on the GPU, compares their answers, times both, and loses one."""
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
ROWS = (1, 8, 32)
WINDOW_SECONDS = 3
STARTS = 5
NO_GPU = 3
running = []


class Failed(Exception):
    """A step that did not show what it should."""


def command(mode):
    java = [WORK + "/jvm/bin/java", "-XX:+UseSerialGC", "-XX:-UsePerfData", "--enable-native-access=ALL-UNNAMED"]
    engine = ["-Donnxruntime.native.path=" + WORK + "/replica/native", "-jar", WORK + "/replica/replica.jar"]
    return java + engine + ([mode] if mode else [])


def environment(**more):
    return {**os.environ, "ORT_DISABLE_TELEMETRY": "1", **more}


class Replica:
    """A process that serves one unit; its events are JSON lines."""

    def __init__(self, unit, device, **more):
        began = time.monotonic()
        settings = environment(
            KNABLA_UNIT=unit, KNABLA_STORE="file://" + WORK + "/store", KNABLA_CACHE=WORK + "/cache", PORT="0",
            KNABLA_HOST="127.0.0.1", KNABLA_MODEL_NAME=MODEL, KNABLA_DEVICE=device, **more)
        self.process = subprocess.Popen(
            command(""), env=settings, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        running.append(self.process)
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


def largest():
    """The unit that times and limits are about: the sample digits, or what is there in its place."""
    return next((one for one in units() if one[0] == "digits"), units()[0])


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


def answers():
    told, wrong = [], []
    for name, unit, kind in units():
        try:
            told += compare(name, unit, TOLERANCE[kind])
        except Failed as failed:
            wrong.append("%s: %s" % (name, failed))
    if wrong:
        raise Failed("; ".join(wrong))
    return ", ".join(told)


def compare(name, unit, tolerance):
    """Errors of all float outputs of a sample."""
    cpu, gpu = Replica(unit, "cpu"), Replica(unit, "cuda")
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


def rows_per_second(replica, body, headers, rows):
    for _ in range(20):
        replica.send(body, headers)
    began, runs = time.monotonic(), 0
    while time.monotonic() - began < WINDOW_SECONDS:
        replica.send(body, headers)
        runs += 1
    return rows * runs / (time.monotonic() - began)


def speed():
    """One connection from this Python, whose own time is in the figures: they compare devices, not servers."""
    name, unit, _ = largest()
    one = request(name)["inputs"][0]
    lines = []
    for device in ("cpu", "cuda"):
        replica = Replica(unit, device)
        for rows in ROWS:
            body, headers = binary(one, rows)
            lines.append("%s b=%d %.0f rows/s" % (device, rows, rows_per_second(replica, body, headers, rows)))
        replica.end()
    return ", ".join(lines)


def cold():
    name, unit, _ = units()[0]
    lines = []
    for device in ("cpu", "cuda"):
        seconds = []
        for _ in range(STARTS):
            replica = Replica(unit, device)
            replica.answer(request(name))
            seconds.append(replica.seconds)
            phases = replica.phases
            replica.end()
        lines.append("%s %s s, last phases in ms %s" % (device, "/".join("%.2f" % s for s in seconds), phases))
    return "; ".join(lines)


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
    signal.alarm(limit)
    began = time.monotonic()
    try:
        told, passed = act(), True
    except (Failed, OSError, http.client.HTTPException) as failed:
        told, passed = str(failed), False
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
        ("2 answers and gradients against the CPU", 60, answers),
        ("3 rows a second", 150, speed),
        ("5 cold start, five times", 60, cold),
        ("6 memory limit, two replicas, one killed", 45, limits),
    ]
    passed = [step(title, limit, act) for title, limit, act in steps]
    print("not in this program yet: 1 calibration, 3 and 4 beside PyTorch, 7 half precision, cold start of a pool member")
    sys.exit(0 if all(passed) else 1)


main()
