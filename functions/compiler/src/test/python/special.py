"""Derivatives where naive formulas overflow, divide zero by zero or cancel.

  python special.py     -> ../resources/special/special.zip

The points of the elementary functions are those of JAX's own tests (tests/lax_autodiff_test.py, GRAD_SPECIAL_VALUE_TEST_RECORDS), more
were added for activations and sums of exponentials. Expected: PyTorch in float64, and JAX agrees.
"""

import math

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper
from torch.nn import functional as F

import cases

PI = math.pi
ELEMENTWISE = {
    "Sinh": (torch.sinh, [0.0]),
    "Tanh": (torch.tanh, [0.0, 1000.0, -1000.0]),
    "Asinh": (torch.asinh, [0.0, 1000.0]),
    "Acosh": (torch.acosh, [1000.0]),
    "Sin": (torch.sin, [0.0, PI, PI / 2, PI / 4]),
    "Cos": (torch.cos, [0.0, PI, PI / 2, PI / 4]),
    "Tan": (torch.tan, [0.0, PI]),
    "Asin": (torch.asin, [0.0]),
    "Acos": (torch.acos, [0.0]),
    "Atan": (torch.atan, [0.0, 1000.0]),
    "Erf": (torch.erf, [0.0, 10.0]),
    "Sigmoid": (torch.sigmoid, [0.0, 1000.0, -1000.0, 88.0, -88.0]),
    "Softplus": (F.softplus, [0.0, 80.0, -80.0]),
    "Softsign": (F.softsign, [0.0, 1e6, -1e6]),
    "Gelu": (F.gelu, [0.0, 20.0, -20.0]),
    "Mish": (F.mish, [0.0, 80.0, -80.0]),
    "Elu": (F.elu, [1.0, 80.0, -80.0]),
    "Selu": (F.selu, [1.0, 80.0, -80.0]),
    "Exp": (torch.exp, [0.0, -1000.0]),
    "Log": (torch.log, [1e-30, 1e30]),
    "Sqrt": (torch.sqrt, [1e-20, 1e20]),
    "Reciprocal": (torch.reciprocal, [1e-10, 1e15]),
}
ROWS = torch.tensor([[1000.0, 0.0, -1000.0], [-1000.0, -1000.0, -1000.0], [0.0, 80.0, 81.0]])
OVER_AXIS = {
    "Softmax": (lambda x: F.softmax(x, -1), {"axis": -1}),
    "LogSoftmax": (lambda x: F.log_softmax(x, -1), {"axis": -1}),
    "ReduceLogSumExp": (lambda x: torch.logsumexp(x, -1, keepdim=True), {"axes": [-1]}),
    "ReduceL2": (lambda x: torch.linalg.vector_norm(x, dim=-1, keepdim=True), {"axes": [-1]}),
}
POWERS = [(0.0, 2.0), (2.0, 0.0), (-2.0, 2.0), (-3.0, 3.0), (1e-10, 1.0)]


def model(op, shape, attributes=None, constants=()):
    attributes = dict(attributes or {})
    extra = list(constants)
    if "axes" in attributes:
        extra.append(("axes", np.asarray(attributes.pop("axes"), np.int64)))
    node = helper.make_node(op, ["x0", *[n for n, _ in extra]], ["y0"], **attributes)
    value = helper.make_tensor_value_info("x0", TensorProto.FLOAT, shape)
    graph = helper.make_graph([node], op, [value], [helper.make_tensor_value_info("y0", TensorProto.FLOAT, None)],
                              [onnx.numpy_helper.from_array(a, n) for n, a in extra])
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", cases.OPSET)])
    made.ir_version = 10
    return onnx.shape_inference.infer_shapes(made)


def case(name, made, function, x):
    generator = torch.Generator().manual_seed(1)
    exact = x.double().requires_grad_()
    y = function(exact)
    ct = 1 + torch.rand(y.shape, generator=generator)
    tangent = 1 + torch.rand(x.shape, generator=generator)
    grad, = torch.autograd.grad(y, exact, ct.double(), create_graph=True)
    jvp = torch.func.jvp(function, (x.double(),), (tangent.double(),))[1]
    hvp = torch.autograd.grad(grad, exact, tangent.double())[0] if grad.requires_grad else torch.zeros_like(x)
    found = {"gradients": grad.detach(), "jvp": jvp, "hvp": hvp}
    c = cases.Case(name, made, source="special values, expected by PyTorch in float64")
    c.add("inputs", "x0", x.numpy(), wrt=True)
    c.add("outputs", "y0", y.detach().float().numpy(), ct=c.attach("ct.npy", ct.numpy()))
    c.add("tangents", "x0", tangent.numpy())
    for part, value in found.items():
        assert torch.isfinite(value).all(), (name, part, value)
        c.add(part, "y0" if part == "jvp" else "x0", value.float().numpy())
    return c


def agree_with_jax(c):
    """A second opinion on the first derivatives that JAX has under the same name."""
    import jax
    import jax.numpy as jnp
    jax.config.update("jax_enable_x64", True)
    known = {"erf": jax.scipy.special.erf, "sigmoid": jax.nn.sigmoid, "softplus": jax.nn.softplus, "elu": jax.nn.elu,
             "selu": jax.nn.selu, "mish": jax.nn.mish}
    name = c.name.lower()
    function = known.get(name) or getattr(jnp, name, None)
    if function is None or c.name in OVER_AXIS:
        return False
    def read(part, key="file"):
        return np.load(cases.io.BytesIO(c.files[c.about[part][0][key]])).astype(np.float64)
    gradient = jax.grad(lambda x: (function(x) * read("outputs", "ct")).sum())(read("inputs"))
    assert cases.error(gradient, read("gradients")) < 1e-6, (c.name, gradient)
    return True


def main():
    packed = [case(op, model(op, [len(points)]), f, torch.tensor(points)) for op, (f, points) in ELEMENTWISE.items()]
    for op, (f, attributes) in OVER_AXIS.items():
        packed.append(case(op, model(op, list(ROWS.shape), attributes), f, ROWS))
    for i, (base, exponent) in enumerate(POWERS):
        made = model("Pow", [1], constants=[("p", np.asarray([exponent], np.float32))])
        packed.append(case(f"Pow_{i}", made, lambda x, p=exponent: x**p, torch.tensor([base])))
    seconded = sum(agree_with_jax(c) for c in packed)
    cases.write(cases.RESOURCES / "special" / "special.zip", packed)
    print(f"{len(packed)} cases, {seconded} confirmed by JAX")


if __name__ == "__main__":
    main()
