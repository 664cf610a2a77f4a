"""Writes losses.json and optimizers.json: what PyTorch's losses and optimizers give on small inputs.

Run by hand in an environment of requirements.txt: python losses.py OUTPUT_FOLDER
"""

import json
import sys
from pathlib import Path

import torch
import torch.nn.functional as F

torch.manual_seed(7)


def tensor(t):
    return {"dims": list(t.shape), "values": [float(v) for v in t.detach().flatten()]}


def loss_case(name, spec, output, target, value):
    output = output.clone().requires_grad_(True)
    loss = value(output)
    loss.sum().backward()
    return {
        "name": name,
        "loss": spec,
        "output": tensor(output),
        "target": tensor(target.double()),
        "labels": not target.is_floating_point(),
        "expected": {"loss": tensor(loss), "gradient": tensor(output.grad)},
    }


def distances():
    x, t = torch.randn(3, 4), torch.randn(3, 4)
    share = torch.rand(3, 4)
    for reduction in ["mean", "sum", "none"]:
        r = {"reduction": reduction.capitalize()}
        yield loss_case(f"mse-{reduction}", {"function": "MSE", **r}, x, t, lambda o: F.mse_loss(o, t, reduction=reduction))
        yield loss_case(f"mae-{reduction}", {"function": "MAE", **r}, x, t, lambda o: F.l1_loss(o, t, reduction=reduction))
        for delta in [1.0, 0.3]:
            yield loss_case(f"huber-{delta}-{reduction}", {"function": "Huber", "delta": delta, **r}, x, t,
                            lambda o: F.huber_loss(o, t, reduction=reduction, delta=delta))
        yield loss_case(f"bce-{reduction}", {"function": "BCEWithLogits", **r}, 20 * x, share,
                        lambda o: F.binary_cross_entropy_with_logits(o, share, reduction=reduction))
        ones = torch.ones(3)
        yield loss_case(f"cosine-{reduction}", {"function": "Cosine", **r}, x, t,
                        lambda o: F.cosine_embedding_loss(o, t, ones, reduction=reduction))


def classes():
    weights = torch.tensor([0.5, 2.0, 1.0, 0.25, 3.0])
    for shape in [(6, 5), (2, 5, 3)]:
        x = torch.randn(*shape)
        labels = torch.randint(0, 5, (shape[0], *shape[2:]))
        share = torch.softmax(torch.randn(*shape), 1)
        logs = torch.log_softmax(x, 1)
        for reduction in ["mean", "sum", "none"]:
            for smoothing in [0.0, 0.2]:
                for weighted in [False, True]:
                    for ignored in [None, 1]:
                        spec = {"function": "SoftmaxCrossEntropy", "reduction": reduction.capitalize(), "labelSmoothing": smoothing}
                        options = {"reduction": reduction, "label_smoothing": smoothing}
                        if weighted:
                            spec["classWeights"] = weights.tolist()
                            options["weight"] = weights
                        if ignored is not None:
                            spec["ignoreIndex"] = ignored
                            options["ignore_index"] = ignored
                        name = f"{len(shape)}d-{reduction}-{smoothing}-{weighted}-{ignored}"
                        yield loss_case("ce-" + name, spec, x, labels, lambda o: F.cross_entropy(o, labels, **options))
                        if ignored is None:
                            yield loss_case("ce-soft-" + name, {**spec, "targetForm": "Probabilities"}, x, share,
                                            lambda o: F.cross_entropy(o, share, **options))
                        if smoothing == 0:
                            nll = {k: v for k, v in spec.items() if k != "labelSmoothing"}
                            plain = {k: v for k, v in options.items() if k != "label_smoothing"}
                            yield loss_case("nll-" + name, {**nll, "function": "NLL"}, logs, labels,
                                            lambda o: F.nll_loss(o, labels, **plain))


def last_axis():
    x, labels = torch.randn(2, 3, 5), torch.randint(0, 5, (2, 3))
    for reduction in ["mean", "none"]:
        yield loss_case(f"ce-last-{reduction}", {"function": "SoftmaxCrossEntropy", "reduction": reduction.capitalize(), "axis": -1},
                        x, labels, lambda o: F.cross_entropy(o.transpose(1, 2), labels, reduction=reduction))


def optimizer_case(name, spec, make, schedule=None, clip=None):
    """Six steps on f(w) = sum(c * w^2) / 2 whose gradient is c * w."""
    w = torch.nn.Parameter(torch.tensor([1.0, -2.0, 0.5]))
    c = torch.tensor([1.0, 0.1, 4.0])
    optimizer = make([w])
    scheduler = schedule(optimizer) if schedule else None
    weights, every = [], spec.get("accumulate", 1)
    for call in range(6 * every):
        (0.5 * (c * w * w).sum() / every).backward()
        if (call + 1) % every == 0:
            if clip:
                clip([w])
            optimizer.step()
            optimizer.zero_grad()
            if scheduler:
                scheduler.step()
        weights.append(tensor(w))
    return {"name": name, "optimizer": spec, "curvature": tensor(c), "start": [1.0, -2.0, 0.5], "weights": weights}


def optimizers():
    from torch.optim import SGD, Adam, AdamW
    from torch.optim.lr_scheduler import CosineAnnealingLR, LambdaLR, StepLR
    from torch.nn.utils import clip_grad_norm_, clip_grad_value_

    yield optimizer_case("sgd", {"type": "SGD", "learningRate": 0.1}, lambda p: SGD(p, 0.1))
    yield optimizer_case("sgd-decay", {"type": "SGD", "learningRate": 0.1, "weightDecay": 0.05}, lambda p: SGD(p, 0.1, weight_decay=0.05))
    yield optimizer_case("momentum", {"type": "Momentum", "learningRate": 0.1, "momentum": 0.9}, lambda p: SGD(p, 0.1, momentum=0.9))
    yield optimizer_case("nesterov", {"type": "Momentum", "learningRate": 0.1, "momentum": 0.9, "nesterov": True},
                         lambda p: SGD(p, 0.1, momentum=0.9, nesterov=True))
    yield optimizer_case("adam", {"type": "Adam", "learningRate": 0.1}, lambda p: Adam(p, 0.1))
    yield optimizer_case("adam-all", {"type": "Adam", "learningRate": 0.1, "beta1": 0.8, "beta2": 0.95, "epsilon": 1e-4, "weightDecay": 0.1},
                         lambda p: Adam(p, 0.1, (0.8, 0.95), 1e-4, weight_decay=0.1))
    yield optimizer_case("adamw", {"type": "AdamW", "learningRate": 0.1, "weightDecay": 0.1}, lambda p: AdamW(p, 0.1, weight_decay=0.1))
    yield optimizer_case("accumulate", {"type": "Adam", "learningRate": 0.1, "accumulate": 3}, lambda p: Adam(p, 0.1))
    yield optimizer_case("step", {"type": "SGD", "learningRate": 0.1, "schedule": {"type": "Step", "stepSize": 2, "gamma": 0.5}},
                         lambda p: SGD(p, 0.1), lambda o: StepLR(o, 2, 0.5))
    yield optimizer_case("cosine", {"type": "SGD", "learningRate": 0.1, "schedule": {"type": "Cosine", "totalSteps": 4, "finalFactor": 0.0}},
                         lambda p: SGD(p, 0.1), lambda o: LambdaLR(o, lambda s: (1 + torch.cos(torch.tensor(min(s, 4) / 4 * torch.pi)).item()) / 2))
    yield optimizer_case("linear-warmup", {"type": "SGD", "learningRate": 0.1, "schedule": {"type": "Linear", "totalSteps": 6, "warmupSteps": 2, "finalFactor": 0.5}},
                         lambda p: SGD(p, 0.1), lambda o: LambdaLR(o, lambda s: (s + 1) / 2 if s < 2 else 1 - 0.5 * min((s - 2) / 4, 1)))
    yield optimizer_case("clip-norm", {"type": "SGD", "learningRate": 0.1, "clip": {"norm": 0.7}}, lambda p: SGD(p, 0.1), clip=lambda p: clip_grad_norm_(p, 0.7))
    yield optimizer_case("clip-value", {"type": "Adam", "learningRate": 0.1, "clip": {"value": 0.3}}, lambda p: Adam(p, 0.1), clip=lambda p: clip_grad_value_(p, 0.3))


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    losses = [*distances(), *classes(), *last_axis()]
    (folder / "losses.json").write_text("[\n" + ",\n".join(json.dumps(c) for c in losses) + "\n]\n")
    steps = list(optimizers())
    (folder / "optimizers.json").write_text("[\n" + ",\n".join(json.dumps(c) for c in steps) + "\n]\n")
    print(len(losses), "losses,", len(steps), "optimizers")
