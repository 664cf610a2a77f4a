"""Writes the request and the expected gradients of digits-gradient, computed by PyTorch's autograd.

Run: python make.py
"""

import json
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch.nn import functional

HERE = Path(__file__).parent
DIGITS = HERE.parent / "digits"


def logits(weights: dict, image: torch.Tensor) -> torch.Tensor:
    """The digits sample's network, written out."""
    features = functional.relu(
        functional.conv2d(image, weights["conv1.weight"], weights["conv1.bias"], padding=1)
    )
    features = functional.relu(
        functional.conv2d(features, weights["conv2.weight"], weights["conv2.bias"], padding=1)
    )
    features = functional.max_pool2d(features, 2).flatten(1)
    features = functional.relu(
        functional.linear(features, weights["dense1.weight"], weights["dense1.bias"])
    )
    return functional.linear(features, weights["dense2.weight"], weights["dense2.bias"])


def oip(name: str, datatype: str, values: np.ndarray) -> dict:
    data = values.ravel().tolist()
    return {
        "name": name,
        "datatype": datatype,
        "shape": list(values.shape),
        "data": data if datatype == "INT64" else [round(v, 6) for v in data],
    }


def main() -> None:
    torch.set_num_threads(1)
    initializers = onnx.load(DIGITS / "digits.onnx").graph.initializer
    weights = {
        i.name: torch.from_numpy(numpy_helper.to_array(i).copy()).requires_grad_()
        for i in initializers
    }
    sent = json.loads((DIGITS / "request.json").read_text())["inputs"][0]
    pixels = np.array(sent["data"], np.float32).reshape(sent["shape"])
    image = torch.from_numpy(pixels).requires_grad_()
    # Not the digit that it is: the gradient of a right and certain answer is almost nothing.
    label = np.array([8], np.int64)
    scores = logits(weights, image)
    loss = functional.cross_entropy(scores, torch.from_numpy(label))
    loss.backward()

    request = {"inputs": [oip("image", "FP32", pixels), oip("label", "INT64", label)]}
    outputs = [
        ("loss", loss),
        ("image_grad", image.grad),
        ("dense2.bias_grad", weights["dense2.bias"].grad),
        ("logits", scores),
    ]
    expected = {"outputs": [oip(name, "FP32", v.detach().numpy()) for name, v in outputs]}
    (HERE / "request.json").write_text(json.dumps(request) + "\n")
    (HERE / "expected.json").write_text(json.dumps(expected) + "\n")


if __name__ == "__main__":
    main()
