"""Writes add-sub.onnx and its example: Triton's classic `simple` model, two INT32 rows in, sum and difference out.

Run: python make.py
"""

import json
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper

HERE = Path(__file__).parent
WIDTH = 16


def model() -> onnx.ModelProto:
    def tensor(name: str) -> onnx.ValueInfoProto:
        return helper.make_tensor_value_info(name, TensorProto.INT32, ["batch", WIDTH])

    graph = helper.make_graph(
        [
            helper.make_node("Add", ["INPUT0", "INPUT1"], ["OUTPUT0"], "sum"),
            helper.make_node("Sub", ["INPUT0", "INPUT1"], ["OUTPUT1"], "difference"),
        ],
        "add-sub",
        [tensor("INPUT0"), tensor("INPUT1")],
        [tensor("OUTPUT0"), tensor("OUTPUT1")],
    )
    made = helper.make_model(
        graph,
        producer_name="knabla-samples",
        opset_imports=[helper.make_opsetid("", 17)],
        ir_version=8,
    )
    onnx.checker.check_model(made, full_check=True)
    return made


def oip(name: str, values: np.ndarray) -> dict:
    return {
        "name": name,
        "datatype": "INT32",
        "shape": list(values.shape),
        "data": values.ravel().tolist(),
    }


def main() -> None:
    path = HERE / "add-sub.onnx"
    onnx.save(model(), path)

    # The very numbers of Triton's simple_http_infer_client: 0..15, and sixteen ones.
    first = np.arange(WIDTH, dtype=np.int32)[None, :]
    second = np.ones((1, WIDTH), dtype=np.int32)
    session = onnxruntime.InferenceSession(path)
    total, difference = session.run(None, {"INPUT0": first, "INPUT1": second})
    assert np.array_equal(total, first + second)
    assert np.array_equal(difference, first - second)

    request = {"inputs": [oip("INPUT0", first), oip("INPUT1", second)]}
    expected = {"outputs": [oip("OUTPUT0", total), oip("OUTPUT1", difference)]}
    (HERE / "request.json").write_text(json.dumps(request) + "\n")
    (HERE / "expected.json").write_text(json.dumps(expected) + "\n")


if __name__ == "__main__":
    main()
