"""Writes exp.onnx, f(v) = (exp(v) + 1)·exp(v), and its derivative at 1.

Run: python make.py
"""

import json
import math
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

HERE = Path(__file__).parent


def scalar(name: str) -> onnx.ValueInfoProto:
    return helper.make_tensor_value_info(name, TensorProto.FLOAT, [])


def model() -> onnx.ModelProto:
    graph = helper.make_graph(
        [
            helper.make_node("Exp", ["v"], ["e"], "exp"),
            helper.make_node("Add", ["e", "one"], ["s"], "sum"),
            helper.make_node("Mul", ["s", "e"], ["y"], "product"),
        ],
        "exp",
        [scalar("v")],
        [scalar("y")],
        [numpy_helper.from_array(np.float32(1), "one")],
    )
    made = helper.make_model(
        graph,
        producer_name="knabla-samples",
        opset_imports=[helper.make_opsetid("", 17)],
        ir_version=8,
    )
    onnx.checker.check_model(made, full_check=True)
    return made


def oip(name: str, value: float) -> dict:
    return {"name": name, "datatype": "FP32", "shape": [], "data": [value]}


def main() -> None:
    onnx.save(model(), HERE / "exp.onnx")
    v = 1.0
    e = math.exp(v)
    values = {"loss": (e + 1) * e, "v_grad": 2 * e * e + e, "y": (e + 1) * e}
    expected = {"outputs": [oip(name, round(value, 6)) for name, value in values.items()]}
    (HERE / "request.json").write_text(json.dumps({"inputs": [oip("v", v)]}) + "\n")
    (HERE / "expected.json").write_text(json.dumps(expected) + "\n")


if __name__ == "__main__":
    main()
