"""Packs ONNX's own backend cases: those with floats in and out (for the dot test), the training optimizers and the Gradient operator.

  python nodes.py     -> ../resources/onnx/{nodes.zip,training.zip}

The models and data are those of the installed onnx package, without doc strings. A model of a newer operator set than the engine
loads is marked as of the newest that it loads; it stays if the engine then computes what the case expects.
"""

import os
import warnings

import numpy as np
import onnx
from onnx import numpy_helper

import cases

ENGINE = 26  # the newest ai.onnx that ONNX Runtime 1.29 loads
IR = 13
LARGEST = 100_000
# Float operands that say how, not what: nothing is differentiated by them.
SETTINGS = {"Resize": (1, 2), "Upsample": (1,), "Dropout": (1,), "NonMaxSuppression": (0, 1, 3, 4), "RoiAlign": (1,), "Range": (0, 1, 2),
            "QuantizeLinear": (0, 1), "DequantizeLinear": (1,), "OneHot": (1,)}
# Operands that a real model holds as constants: here they become initializers.
CONSTANTS = {"Resize": (1, 2, 3), "Upsample": (1,), "DFT": (1, 2), "Unsqueeze": (1,), "Squeeze": (1,), "CenterCropPad": (1,),
             "Col2Im": (1, 2), "AffineGrid": (1,), "STFT": (1, 3)}
TRAINING = ("adagrad", "adam", "momentum", "nesterov")


def testcases():
    from onnx.backend.test.case.node import collect_testcases
    warnings.filterwarnings("ignore")
    return collect_testcases(None)


def constant(model, ins):
    """The model with its settings as initializers, and the inputs that are left."""
    if len(model.graph.node) != 1:
        return model, ins
    node, left = model.graph.node[0], []
    names = {node.input[i] for i in CONSTANTS.get(node.op_type, ()) if i < len(node.input)}
    values = list(zip(list(model.graph.input), ins))
    for value, array in values:
        if value.name in names:
            model.graph.initializer.append(numpy_helper.from_array(array, value.name))
            model.graph.input.remove(value)
        else:
            left.append(array)
    return model, left


def is_float(values):
    return any(isinstance(v, np.ndarray) and v.dtype == np.float32 for v in values)


def plain(values):
    return all(isinstance(v, np.ndarray) and v.dtype.kind in "fiub" and v.dtype != np.float16 for v in values)


def case(name, model, ins, outs):
    c = cases.Case(name, cases.strip(model), source=f"onnx backend test {name}")
    settings = {n.input[i] for n in model.graph.node for i in SETTINGS.get(n.op_type, ()) if i < len(n.input)}
    for value, array in zip(model.graph.input, ins):
        c.add("inputs", value.name, array, wrt=array.dtype == np.float32 and value.name not in settings)
    for value, array in zip(model.graph.output, outs):
        c.add("outputs", value.name, array)
    return c


def runs(c):
    """Whether the engine takes the model and agrees with the case: what it cannot run no gradient can be checked on."""
    feeds = {e["name"]: np.load(cases.io.BytesIO(c.files[e["file"]])) for e in c.about["inputs"]}
    try:
        got = cases.forward(onnx.load_from_string(c.files["model.onnx"]), feeds)
    except Exception:
        return False
    expected = [np.load(cases.io.BytesIO(c.files[e["file"]])) for e in c.about["outputs"]]
    return len(got) == len(expected) and all(
        isinstance(g, np.ndarray) and cases.error(g, e) < 1e-3 for g, e in zip(got, expected) if e.dtype == np.float32)


def lowered(model):
    for o in model.opset_import:
        if o.domain in ("", "ai.onnx"):
            o.version = min(o.version, ENGINE)
    model.ir_version = min(model.ir_version, IR)
    return model


def node_cases():
    packed, dropped = [], {}
    for t in testcases():
        if t.model is None or any(k in t.name for k in TRAINING):
            continue
        ins, outs = t.data_sets[0]
        if not (plain(ins) and plain(outs) and is_float(ins) and is_float(outs)):
            continue
        if "_expanded" in t.name or len(ins) != len(t.model.graph.input):
            continue
        model, ins = constant(lowered(t.model), ins)
        c = case(t.name, model, ins, outs)
        reason = ("large" if c.bytes() > LARGEST else "nothing to differentiate by" if not any(e["wrt"] for e in c.about["inputs"])
                  else "" if runs(c) else "not run alike by ONNX Runtime")
        if reason:
            dropped[t.name] = reason
        else:
            packed.append(c)
    return packed, dropped


def training_cases():
    packed = []
    for t in testcases():
        if t.model is not None and any(k in t.name for k in TRAINING):
            packed.append(case(t.name, t.model, *t.data_sets[0]))
    base = os.path.join(os.path.dirname(onnx.__file__), "backend", "test", "data", "simple")
    for name in ("test_gradient_of_add", "test_gradient_of_add_and_mul"):
        folder = os.path.join(base, name)
        model = onnx.load(os.path.join(folder, "model.onnx"))

        def tensors(kind, count):
            found = []
            for i in range(count):
                with open(os.path.join(folder, "test_data_set_0", f"{kind}_{i}.pb"), "rb") as f:
                    found.append(numpy_helper.to_array(onnx.TensorProto.FromString(f.read())))
            return found

        packed.append(case(name, model, tensors("input", len(model.graph.input)), tensors("output", len(model.graph.output))))
    return packed


def main():
    packed, dropped = node_cases()
    cases.write(cases.RESOURCES / "onnx" / "nodes.zip", packed)
    print(f"{len(packed)} node cases, {len({n.op_type for c in packed for n in onnx.load_from_string(c.files['model.onnx']).graph.node})} operators")
    for name, reason in sorted(dropped.items()):
        print(f"  left out {name}: {reason}")
    training = training_cases()
    cases.write(cases.RESOURCES / "onnx" / "training.zip", training)
    print(f"{len(training)} training cases")


if __name__ == "__main__":
    main()
