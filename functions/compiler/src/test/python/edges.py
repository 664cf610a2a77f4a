"""Derivatives where a function has none or where PyTorch has chosen one: kinks, ties, bounds, zeros.

  python edges.py     -> ../resources/edges/edges.zip

Each function is exported as users export it (dynamo exporter, default optimisation), and PyTorch says what the gradient of the sum of its
outputs is, weighted by 1, 2, 3, …; in float32, since bounds of float32 are no bounds in float64. NaN and infinities are kept.
"""

import sys

import torch
from torch.nn import functional as F

import cases

EQUAL = [[2.0, 2.0, 2.0], [1.0, 2.0, 4.0]]
ZEROS = [[0.0, 0.0, 0.0], [1.0, 0.0, 2.0]]
TIES = [[1.0, 3.0, 3.0], [2.0, 2.0, 2.0]]
SIGNS = [-1.0, 0.0, 1.0]
PRODUCTS = [[0.0, 2.0, 3.0], [0.0, 0.0, 3.0]]

EDGES = {
    "std": (lambda x: torch.std(x, 1), EQUAL),
    "std_biased": (lambda x: torch.std(x, 1, correction=0), EQUAL),
    "std_all": (lambda x: torch.std(x), [2.0, 2.0]),
    "std_mean": (lambda x: torch.std_mean(x, 1)[0], EQUAL),
    "var": (lambda x: torch.var(x, 1), EQUAL),
    "normalized_by_std": (lambda x: (x - x.mean(1, keepdim=True)) / (x.std(1, keepdim=True) + 1e-3), EQUAL),
    "root_of_squares": (lambda x: x.square().sum(1).sqrt(), ZEROS),
    "root_of_mean_square": (lambda x: x.pow(2).mean(1).sqrt(), ZEROS),
    "atan2": (torch.atan2, [1.0, -1.0, 0.0, 2.0], [0.0, 0.0, 2.0, -1.0]),
    "atan2_half_line": (torch.atan2, [0.0], [-1.0]),
    "atan2_origin": (torch.atan2, [0.0], [0.0]),
    "angle_of_vector": (lambda x: torch.atan2(x[:, 0], x[:, 1]), [[3.0, 0.0], [0.0, 1.0]]),
    "hypot": (torch.hypot, [0.0, 3.0], [0.0, 0.0]),
    "norm_2": (lambda x: torch.linalg.vector_norm(x, 2, 1), ZEROS),
    "norm_1": (lambda x: torch.linalg.vector_norm(x, 1, 1), ZEROS),
    "norm_max": (lambda x: torch.linalg.vector_norm(x, float("inf"), 1), TIES),
    "norm_3": (lambda x: torch.linalg.vector_norm(x, 3, 1), ZEROS),
    "norm_frobenius": (lambda x: torch.linalg.matrix_norm(x), [[0.0, 0.0], [0.0, 0.0]]),
    "normalize": (lambda x: F.normalize(x, dim=1), ZEROS),
    "cosine_similarity": (lambda x: F.cosine_similarity(x, torch.ones(2, 3), 1), ZEROS),
    "pairwise_distance": (lambda x: F.pairwise_distance(x, torch.tensor(ZEROS)), ZEROS),
    "cdist": (lambda x: torch.cdist(x, torch.tensor(ZEROS)), ZEROS),
    "maximum": (torch.maximum, [1.0, 2.0, 3.0], [2.0, 2.0, 2.0]),
    "minimum": (torch.minimum, [1.0, 2.0, 3.0], [2.0, 2.0, 2.0]),
    "maximum_constant": (lambda x: torch.maximum(x, torch.zeros(3)), SIGNS),
    "max_all": (lambda x: x.max(), [1.0, 3.0, 3.0]),
    "max_axis": (lambda x: x.max(1).values, TIES),
    "min_axis": (lambda x: x.min(1).values, TIES),
    "amax": (lambda x: x.amax(1), TIES),
    "amin": (lambda x: x.amin(1), TIES),
    "aminmax": (lambda x: torch.add(*torch.aminmax(x, dim=1)), TIES),
    "sort": (lambda x: x.sort(1).values, TIES),
    "sort_stable": (lambda x: x.sort(dim=1, stable=True).values, TIES),
    "topk": (lambda x: x.topk(2, 1).values, TIES),
    "median": (lambda x: x.median(1).values, TIES),
    "kthvalue": (lambda x: x.kthvalue(2, 1).values, TIES),
    "cummax": (lambda x: x.cummax(1).values, TIES),
    "max_pool": (lambda x: F.max_pool1d(x[None], 2, 1)[0], TIES),
    "adaptive_max_pool": (lambda x: F.adaptive_max_pool1d(x[None], 1)[0], TIES),
    "clamp": (lambda x: x.clamp(-1.0, 1.0), [-2.0, -1.0, 0.0, 1.0, 2.0]),
    "clamp_min": (lambda x: x.clamp(min=0.0), SIGNS),
    "clamp_tensors": (lambda x, low: x.clamp(low, torch.ones(3)), [0.0, 1.0, 2.0], [0.0, 0.0, 0.0]),
    "clamp_crossed": (lambda x: x.clamp(1.0, -1.0), [-2.0, 0.0, 2.0]),
    "relu": (F.relu, SIGNS),
    "relu6": (F.relu6, [-1.0, 0.0, 3.0, 6.0, 7.0]),
    "leaky_relu": (lambda x: F.leaky_relu(x, 0.1), SIGNS),
    "prelu": (lambda x, a: F.prelu(x, a), SIGNS, [0.25]),
    "elu": (F.elu, SIGNS),
    "celu": (F.celu, SIGNS),
    "selu": (F.selu, SIGNS),
    "hardtanh": (F.hardtanh, [-2.0, -1.0, 0.0, 1.0, 2.0]),
    "hardsigmoid": (F.hardsigmoid, [-4.0, -3.0, 0.0, 3.0, 4.0]),
    "hardswish": (F.hardswish, [-4.0, -3.0, 0.0, 3.0, 4.0]),
    "hardshrink": (F.hardshrink, [-1.0, -0.5, 0.0, 0.5, 1.0]),
    "softshrink": (F.softshrink, [-1.0, -0.5, 0.0, 0.5, 1.0]),
    "threshold": (lambda x: F.threshold(x, 0.5, 2.0), [0.0, 0.5, 1.0]),
    "abs": (torch.abs, SIGNS),
    "sign": (lambda x: torch.sign(x) * x, SIGNS),
    "sqrt": (torch.sqrt, [0.0, 1.0]),
    "rsqrt": (torch.rsqrt, [0.0, 1.0]),
    "reciprocal": (torch.reciprocal, [0.0, 1.0]),
    "log": (torch.log, [0.0, 1.0]),
    "log1p": (torch.log1p, [-1.0, 0.0]),
    "xlogy": (torch.xlogy, [0.0, 0.0, 1.0], [0.0, 1.0, 2.0]),
    "entropy": (lambda x: torch.special.entr(x), [0.0, 1.0]),
    "pow_half": (lambda x: x**0.5, [0.0, 1.0]),
    "pow_one": (lambda x: x**1.0, [0.0, 1.0]),
    "pow_zero": (lambda x: x**0.0, [0.0, 1.0]),
    "pow_three_halves": (lambda x: x**1.5, [0.0, 1.0]),
    "pow_both": (torch.pow, [0.0, 0.0, 0.0, 2.0], [0.0, 1.0, 2.0, 0.0]),
    "asin": (torch.asin, [-1.0, 0.0, 1.0]),
    "acos": (torch.acos, [-1.0, 0.0, 1.0]),
    "acosh": (torch.acosh, [1.0, 2.0]),
    "atanh": (torch.atanh, [-1.0, 0.0, 1.0]),
    "prod": (lambda x: x.prod(1), PRODUCTS),
    "cumprod": (lambda x: x.cumprod(1), PRODUCTS),
    "logsumexp": (lambda x: x.logsumexp(1), [[-float("inf")] * 2, [0.0, 0.0]]),
    "logaddexp": (torch.logaddexp, [0.0, -float("inf")], [0.0, 0.0]),
    "softmax_masked": (lambda x: F.softmax(x.masked_fill(torch.tensor([[True, True], [True, False]]), -float("inf")), 1)[1],
                       [[1.0, 2.0], [1.0, 2.0]]),
    "fmod": (lambda x: torch.fmod(x, 2.0), [-2.0, 0.0, 3.0]),
    "remainder": (lambda x: torch.remainder(x, 2.0), [-2.0, 0.0, 3.0]),
    "round": (lambda x: torch.round(x) * x, [0.5, 1.0]),
    "l1_loss": (lambda x: F.l1_loss(x, torch.zeros(3)), SIGNS),
    "smooth_l1_loss": (lambda x: F.smooth_l1_loss(x, torch.zeros(5)), [-2.0, -1.0, 0.0, 1.0, 2.0]),
    "huber_loss": (lambda x: F.huber_loss(x, torch.zeros(5)), [-2.0, -1.0, 0.0, 1.0, 2.0]),
    "margin_ranking_loss": (lambda x: F.margin_ranking_loss(x, torch.zeros(3), torch.ones(3)), SIGNS),
    "hinge_embedding_loss": (lambda x: F.hinge_embedding_loss(x, -torch.ones(3)), [0.0, 1.0, 2.0]),
    "layer_norm": (lambda x: F.layer_norm(x, (3,)), EQUAL),
    "nan_to_num": (lambda x: torch.nan_to_num(x), [float("nan"), float("inf"), 1.0]),
}


def weighted(y):
    return torch.arange(1, y.numel() + 1, dtype=y.dtype).reshape(y.shape)


def case(name, function, points):
    class Edge(torch.nn.Module):
        def forward(self, *x):
            return function(*x)

    xs = [torch.tensor(p) for p in points]
    names = [f"x{i}" for i in range(len(xs))]
    program = torch.onnx.export(Edge().eval(), tuple(xs), dynamo=True, verbose=False, opset_version=cases.OPSET,
                                input_names=names, output_names=["y0"])
    exact = [x.clone().requires_grad_() for x in xs]
    y = function(*exact)
    grads = torch.autograd.grad(y, exact, weighted(y.detach()), allow_unused=True)
    c = cases.Case(name, cases.strip(program.model_proto), source=f"torch {torch.__version__}, dynamo exporter")
    for n, x in zip(names, xs):
        c.add("inputs", n, x.numpy(), wrt=True)
    c.add("outputs", "y0", y.detach().numpy(), ct=c.attach("ct.npy", weighted(y.detach()).numpy()))
    for n, x, g in zip(names, xs, grads):
        c.add("gradients", n, (torch.zeros_like(x) if g is None else g).numpy())
    return c


def main():
    packed = []
    for name, (function, *points) in EDGES.items():
        try:
            packed.append(case(name, function, points))
        except Exception as e:
            print(name, "is left out:", cases.short(e), file=sys.stderr)
    cases.write(cases.RESOURCES / "edges" / "edges.zip", packed)
    print(f"{len(packed)} cases of {len(EDGES)}")


if __name__ == "__main__":
    main()
