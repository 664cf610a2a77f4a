"""Trains digits.onnx on real handwritten digits and writes the example images and requests.

Run: python make.py             trains on all of the training part, then looks at the held-out part once
     python make.py --validate  trains on 4/5 of the training part and scores the other 1/5; for tuning
"""

import json
import sys
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import torch
from PIL import Image
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch import nn
from torch.nn import functional

HERE = Path(__file__).parent
SEED = 20261121
EPOCHS = 60
BATCH = 64
EXAMPLES_PER_DIGIT = 2


class Digits(nn.Module):
    """Two convolutions, one pooling, two dense layers: about 42,000 weights."""

    def __init__(self) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(1, 16, 3, padding=1)
        self.conv2 = nn.Conv2d(16, 32, 3, padding=1)
        self.dropout = nn.Dropout(0.3)
        self.dense1 = nn.Linear(32 * 4 * 4, 72)
        self.dense2 = nn.Linear(72, 10)

    def forward(self, image: torch.Tensor) -> torch.Tensor:
        features = functional.relu(self.conv1(image))
        features = functional.relu(self.conv2(features))
        features = functional.max_pool2d(features, 2).flatten(1)
        features = functional.relu(self.dense1(self.dropout(features)))
        return self.dense2(self.dropout(features))


def load() -> tuple:
    """All 1797 digits as 8-bit images, so that what was trained on is what a PNG can hold."""
    data = load_digits()
    pixels = np.round(data.images * 255 / 16).astype(np.uint8)
    return train_test_split(
        pixels, data.target, test_size=500, random_state=SEED, stratify=data.target
    )


def tensor(pixels: np.ndarray) -> torch.Tensor:
    """White ink on black, 0 = paper, 1 = ink."""
    return torch.from_numpy(pixels.astype(np.float32) / 255)[:, None]


def jitter(images: torch.Tensor) -> torch.Tensor:
    """Turns, scales and moves each image a little, for nobody writes twice alike."""
    count = len(images)
    angle = (torch.rand(count) - 0.5) * 0.5
    scale = 1 + (torch.rand(count) - 0.5) * 0.2
    move = (torch.rand(count, 2) - 0.5) * 0.35
    cos, sin = torch.cos(angle) * scale, torch.sin(angle) * scale
    matrix = torch.stack(
        [torch.stack([cos, -sin, move[:, 0]], 1), torch.stack([sin, cos, move[:, 1]], 1)], 1
    )
    grid = functional.affine_grid(matrix, images.shape, align_corners=False)
    return functional.grid_sample(images, grid, align_corners=False)


def train(images: torch.Tensor, labels: torch.Tensor) -> Digits:
    model = Digits()
    optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3, weight_decay=1e-3)
    steps = EPOCHS * ((len(images) + BATCH - 1) // BATCH)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, 4e-3, total_steps=steps)
    for _ in range(EPOCHS):
        for chosen in torch.randperm(len(images)).split(BATCH):
            loss = functional.cross_entropy(model(jitter(images[chosen])), labels[chosen])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
    return model.eval()


def accuracy(logits: np.ndarray, labels: np.ndarray) -> float:
    return float((logits.argmax(1) == labels).mean())


def validate(pixels: np.ndarray, labels: np.ndarray) -> None:
    fit, check, fit_labels, check_labels = train_test_split(
        pixels, labels, test_size=0.2, random_state=SEED, stratify=labels
    )
    model = train(tensor(fit), torch.from_numpy(fit_labels))
    with torch.no_grad():
        print(f"validation accuracy {accuracy(model(tensor(check)).numpy(), check_labels):.4f}")


def export(model: Digits, path: Path) -> None:
    torch.onnx.export(
        model,
        (torch.zeros(1, 1, 8, 8),),
        path,
        input_names=["image"],
        output_names=["logits"],
        dynamic_axes={"image": {0: "batch"}, "logits": {0: "batch"}},
        opset_version=17,
        dynamo=False,
    )
    onnx.checker.check_model(onnx.load(path), full_check=True)


def write_examples(session, pixels: np.ndarray, labels: np.ndarray) -> None:
    """The first held-out images of each digit, whatever the model says about them."""
    folder = HERE / "images"
    folder.mkdir(exist_ok=True)
    chosen = [i for d in range(10) for i in np.flatnonzero(labels == d)[:EXAMPLES_PER_DIGIT]]
    for number, index in enumerate(chosen):
        Image.fromarray(pixels[index]).save(folder / f"{number:02d}-{labels[index]}.png")
    inputs = tensor(pixels[chosen[:1]]).numpy()
    logits = session.run(None, {"image": inputs})[0]
    request = {"inputs": [oip("image", inputs)]}
    (HERE / "request.json").write_text(json.dumps(request) + "\n")
    (HERE / "expected.json").write_text(json.dumps({"outputs": [oip("logits", logits)]}) + "\n")
    said = session.run(None, {"image": tensor(pixels[chosen]).numpy()})[0].argmax(1)
    print(f"example images classified rightly: {(said == labels[chosen]).sum()} of {len(chosen)}")


def oip(name: str, values: np.ndarray) -> dict:
    return {
        "name": name,
        "datatype": "FP32",
        "shape": list(values.shape),
        "data": [round(v, 6) for v in values.ravel().tolist()],
    }


def main() -> None:
    torch.manual_seed(SEED)
    torch.set_num_threads(1)
    torch.use_deterministic_algorithms(True)
    pixels, held_out, labels, held_out_labels = load()
    if "--validate" in sys.argv:
        validate(pixels, labels)
        return
    model = train(tensor(pixels), torch.from_numpy(labels))
    path = HERE / "digits.onnx"
    export(model, path)

    session = onnxruntime.InferenceSession(path)
    logits = session.run(None, {"image": tensor(held_out).numpy()})[0]
    with torch.no_grad():
        difference = np.abs(model(tensor(held_out)).numpy() - logits).max()
    assert difference < 1e-4, f"ONNX Runtime differs from PyTorch by {difference}"
    print(f"held-out accuracy {accuracy(logits, held_out_labels):.4f} of {len(held_out)}")
    print(f"largest difference between PyTorch and ONNX Runtime {difference:.2e}")
    write_examples(session, held_out, held_out_labels)


if __name__ == "__main__":
    main()
