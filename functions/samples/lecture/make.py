"""Writes lecture.onnx, f(x1, x2) = ln x1 + x1·x2 − sin x2, and its gradient at (2, 5).

Run: python make.py
"""

import json
import math
from pathlib import Path

import onnx
from onnx import TensorProto, helper

HERE = Path(__file__).parent


def scalar(name: str) -> onnx.ValueInfoProto:
    return helper.make_tensor_value_info(name, TensorProto.FLOAT, [])


def model() -> onnx.ModelProto:
    graph = helper.make_graph(
        [
            helper.make_node("Log", ["x1"], ["v1"], "ln"),
            helper.make_node("Mul", ["x1", "x2"], ["v2"], "product"),
            helper.make_node("Sin", ["x2"], ["v3"], "sin"),
            helper.make_node("Add", ["v1", "v2"], ["v4"], "sum"),
            helper.make_node("Sub", ["v4", "v3"], ["y"], "difference"),
        ],
        "lecture",
        [scalar("x1"), scalar("x2")],
        [scalar("y")],
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
    onnx.save(model(), HERE / "lecture.onnx")
    x1, x2 = 2.0, 5.0
    # By hand, as in the lecture: df/dx1 = 1/x1 + x2, df/dx2 = x1 − cos x2.
    y = math.log(x1) + x1 * x2 - math.sin(x2)
    gradient = {"x1_grad": 1 / x1 + x2, "x2_grad": x1 - math.cos(x2)}
    request = {"inputs": [oip("x1", x1), oip("x2", x2)]}
    values = {"loss": y, **gradient, "y": y}
    expected = {"outputs": [oip(name, round(value, 6)) for name, value in values.items()]}
    (HERE / "request.json").write_text(json.dumps(request) + "\n")
    (HERE / "expected.json").write_text(json.dumps(expected) + "\n")


if __name__ == "__main__":
    main()
