"""Writes untrained.onnx (random weights), digits.gz (the data) and the expected first step.

Run: python make.py            writes the files
     python make.py --rehearse trains in PyTorch as train.py does over HTTP, for tuning
"""

import gzip
import json
import sys
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch.nn import functional

HERE = Path(__file__).parent
SEED = 20261121
BATCH = 64
EPOCHS = 12
CHANNELS = 12
HIDDEN = 32
HELD_OUT = 500


def weights() -> dict:
    """Uniform in ±1/√fan_in, as PyTorch begins."""
    random = np.random.default_rng(SEED)
    shapes = {
        "conv.weight": (CHANNELS, 1, 3, 3),
        "conv.bias": (CHANNELS,),
        "dense1.weight": (HIDDEN, CHANNELS * 16),
        "dense1.bias": (HIDDEN,),
        "dense2.weight": (10, HIDDEN),
        "dense2.bias": (10,),
    }
    made = {}
    for name, shape in shapes.items():
        if len(shape) > 1:
            bound = 1 / np.sqrt(np.prod(shape[1:]))
        made[name] = random.uniform(-bound, bound, shape).astype(np.float32)
    return made


def model() -> onnx.ModelProto:
    def tensor(name: str, *shape) -> onnx.ValueInfoProto:
        return helper.make_tensor_value_info(name, TensorProto.FLOAT, ["batch", *shape])

    graph = helper.make_graph(
        [
            helper.make_node(
                "Conv", ["image", "conv.weight", "conv.bias"], ["c"], "conv", pads=[1, 1, 1, 1]
            ),
            helper.make_node("Relu", ["c"], ["r1"], "relu1"),
            helper.make_node(
                "MaxPool", ["r1"], ["p"], "pool", kernel_shape=[2, 2], strides=[2, 2]
            ),
            helper.make_node("Flatten", ["p"], ["f"], "flatten", axis=1),
            helper.make_node(
                "Gemm", ["f", "dense1.weight", "dense1.bias"], ["d"], "dense1", transB=1
            ),
            helper.make_node("Relu", ["d"], ["r2"], "relu2"),
            helper.make_node(
                "Gemm", ["r2", "dense2.weight", "dense2.bias"], ["logits"], "dense2", transB=1
            ),
        ],
        "digits",
        [tensor("image", 1, 8, 8)],
        [tensor("logits", 10)],
        [numpy_helper.from_array(values, name) for name, values in weights().items()],
    )
    made = helper.make_model(
        graph,
        producer_name="knabla-samples",
        opset_imports=[helper.make_opsetid("", 17)],
        ir_version=8,
    )
    onnx.checker.check_model(made, full_check=True)
    return made


def logits(w: dict, image: torch.Tensor) -> torch.Tensor:
    features = functional.relu(
        functional.conv2d(image, w["conv.weight"], w["conv.bias"], padding=1)
    )
    features = functional.max_pool2d(features, 2).flatten(1)
    features = functional.relu(functional.linear(features, w["dense1.weight"], w["dense1.bias"]))
    return functional.linear(features, w["dense2.weight"], w["dense2.bias"])


def load() -> np.ndarray:
    """One row a digit, 64 grey levels from 0 to 16 and the label; the last 500 are held out."""
    data = load_digits()
    rows = np.concatenate([data.images.reshape(-1, 64), data.target[:, None]], 1).astype(np.uint8)
    fit, held_out = train_test_split(
        rows, test_size=HELD_OUT, random_state=SEED, stratify=data.target
    )
    return np.concatenate([fit, held_out])


def images(rows: np.ndarray) -> np.ndarray:
    return rows[:, :64].astype(np.float32).reshape(-1, 1, 8, 8) / 16


def oip(name: str, datatype: str, values: np.ndarray) -> dict:
    data = values.ravel().tolist()
    return {
        "name": name,
        "datatype": datatype,
        "shape": list(values.shape),
        "data": data if datatype == "INT64" else [round(v, 6) for v in data],
    }


def rehearse(rows: np.ndarray) -> None:
    w = {name: torch.from_numpy(v).requires_grad_() for name, v in weights().items()}
    optimizer = torch.optim.Adam(w.values(), lr=0.004)
    fit, held_out = rows[:-HELD_OUT], rows[-HELD_OUT:]
    for epoch in range(EPOCHS):
        for at in range(0, len(fit) - BATCH + 1, BATCH):
            batch = fit[at : at + BATCH]
            scores = logits(w, torch.from_numpy(images(batch)))
            loss = functional.cross_entropy(scores, torch.from_numpy(batch[:, 64].astype(np.int64)))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        with torch.no_grad():
            said = logits(w, torch.from_numpy(images(held_out))).argmax(1).numpy()
        print(epoch, float(loss), (said == held_out[:, 64]).mean())


def main() -> None:
    torch.set_num_threads(1)
    rows = load()
    if "--rehearse" in sys.argv:
        rehearse(rows)
        return
    onnx.save(model(), HERE / "untrained.onnx")
    (HERE / "digits.gz").write_bytes(gzip.compress(rows.tobytes(), 9, mtime=0))
    batch = rows[:8]
    pixels, labels = images(batch), batch[:, 64].astype(np.int64)
    w = {name: torch.from_numpy(v) for name, v in weights().items()}
    loss = functional.cross_entropy(logits(w, torch.from_numpy(pixels)), torch.from_numpy(labels))
    request = {"inputs": [oip("image", "FP32", pixels), oip("label", "INT64", labels)]}
    expected = {
        "outputs": [
            oip("loss", "FP32", loss.numpy()),
            oip("step", "INT64", np.array(1, np.int64)),
        ]
    }
    (HERE / "request.json").write_text(json.dumps(request) + "\n")
    (HERE / "expected.json").write_text(json.dumps(expected) + "\n")


if __name__ == "__main__":
    main()
