"""What all fixture scripts share: the layout of a case, export, comparison, and zips that come out the same every time.

A zip holds folders, one a case: model.onnx, case.json and one .npy a tensor.
case.json: name, source, and lists of {name, file, ...}:
  inputs      what to feed; "wrt": true where a gradient is expected
  outputs     the expected forward; "ct": file of the cotangent where the output is differentiable
  gradients   expected vjp by input or parameter name
  tangents, jvp, hvp   (where torch has them) direction by input, forward derivative by output, derivative of the vjp along the direction
  error32     how far torch's own float32 gradient is from its float64 one (what is written is the float64 one, rounded)
"""

import io
import json
import pathlib
import zipfile

import numpy as np
import onnx
import onnxruntime as ort

RESOURCES = pathlib.Path(__file__).resolve().parent.parent / "resources"
OPSET = 20


class Refused(Exception):
    """An entry that cannot be a fixture; its text is the reason written to the coverage file."""


def strip(model):
    """Takes the exporter's notes away: they are most of the bytes and name files of the machine it ran on."""
    def graph(g):
        g.doc_string = ""
        del g.metadata_props[:]
        for v in [*g.value_info, *g.input, *g.output]:
            v.doc_string = ""
            del v.metadata_props[:]
        for t in g.initializer:
            t.doc_string = ""
            del t.metadata_props[:]
        nodes(g.node)

    def nodes(ns):
        for n in ns:
            n.doc_string = ""
            del n.metadata_props[:]
            for a in n.attribute:
                a.doc_string = ""
                if a.HasField("g"):
                    graph(a.g)
                for g in a.graphs:
                    graph(g)

    model.doc_string = ""
    del model.metadata_props[:]
    graph(model.graph)
    for f in model.functions:
        f.doc_string = ""
        del f.metadata_props[:]
        del f.value_info[:]
        nodes(f.node)
    return model


def session(model):
    options = ort.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = 1
    return ort.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])


def forward(model, feeds):
    s = session(model)
    wanted = {i.name for i in s.get_inputs()}
    return s.run(None, {k: v for k, v in feeds.items() if k in wanted})


def error(actual, expected, floor=1e-6):
    """Relative by norm; what is expected counts as no smaller than the floor."""
    a = np.asarray(actual, np.float64).ravel()
    e = np.asarray(expected, np.float64).ravel()
    if a.shape != e.shape:
        return float("inf")
    same = (a == e) | (np.isnan(a) & np.isnan(e))
    if same.all():
        return 0.0
    d = np.where(same, 0.0, a - e)
    e = np.where(np.isfinite(e), e, 0.0)
    r = float(np.linalg.norm(d) / max(np.linalg.norm(e), floor, 1e-30))
    return float("inf") if np.isnan(r) else r


class Case:
    """Files of one case, gathered before they are written."""

    def __init__(self, name, model, **about):
        self.name = name
        self.files = {"model.onnx": model.SerializeToString()}
        self.about = {"name": name, **about}

    def add(self, part, name, array, **more):
        """Adds a tensor to one of the lists of case.json."""
        entries = self.about.setdefault(part, [])
        file = f"{part}-{len(entries)}.npy"
        self.files[file] = npy(array)
        entries.append({"name": name, "file": file, **more})

    def attach(self, file, array):
        """Adds a tensor that an entry names itself."""
        self.files[file] = npy(array)
        return file

    def bytes(self):
        return sum(len(b) for b in self.files.values())


def npy(array):
    out = io.BytesIO()
    a = np.asarray(array)
    if a.ndim:
        a = np.ascontiguousarray(a)
    np.save(out, a, allow_pickle=False)
    return out.getvalue()


def write(path, cases):
    """Writes cases sorted by name, with a fixed date, so that the same cases give the same bytes."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as z:
        for case in sorted(cases, key=lambda c: c.name):
            files = dict(case.files)
            files["case.json"] = json.dumps(case.about, indent=1).encode()
            for name in sorted(files):
                entry = zipfile.ZipInfo(f"{case.name}/{name}", (2020, 1, 1, 0, 0, 0))
                entry.compress_type = zipfile.ZIP_DEFLATED
                z.writestr(entry, files[name])


def short(e):
    """The last telling line of an exception, without paths and addresses."""
    import re
    lines = [line.strip() for line in str(e).splitlines() if line.strip()]
    # The exporter puts its advice first and the cause last.
    cause = e.__cause__ or e.__context__
    if cause is not None and type(e).__module__.startswith("torch.onnx"):
        return short(cause)
    text = lines[0] if lines else ""
    text = re.sub(r"0x[0-9a-f]+", "0x…", re.sub(r"/[\w./-]+/", "…/", text))
    return f"{type(e).__name__}: {text}"[:200]
