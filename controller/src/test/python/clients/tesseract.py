"""Tesseract's client, and its functions in JAX with jit, grad, jacobians and vmap, on exp: f(v) = (exp(v) + 1) exp(v)."""

import jax
import numpy as np
from tesseract_core import Tesseract
from tesseract_jax import apply_tesseract

from targets import TARGETS


def value(v):
    return (np.exp(v) + 1) * np.exp(v)


def slope(v):
    return 2 * np.exp(v) ** 2 + np.exp(v)


def f(v):
    return apply_tesseract(tesseract, {"v": v}, vmap_method="sequential")["y"]


tesseract = Tesseract.from_url(TARGETS["exp"])
V = np.float32(0.5)
assert tesseract.health()["status"] == "ok"
np.testing.assert_allclose(tesseract.apply({"v": V})["y"], value(V), rtol=1e-5)
np.testing.assert_allclose(tesseract.jacobian({"v": V}, ["v"], ["y"])["y"]["v"], slope(V), rtol=1e-5)
assert np.isnan(tesseract.apply({"v": np.float32("nan")})["y"])

ROW = np.array([0.0, 0.5, 1.0], np.float32)
np.testing.assert_allclose(f(V), value(V), rtol=1e-5)
np.testing.assert_allclose(jax.jit(f)(V), value(V), rtol=1e-5)
np.testing.assert_allclose(jax.grad(f)(V), slope(V), rtol=1e-5)
np.testing.assert_allclose(jax.jit(jax.grad(f))(V), slope(V), rtol=1e-5)
np.testing.assert_allclose(jax.jvp(f, (V,), (np.float32(2),))[1], 2 * slope(V), rtol=1e-5)
np.testing.assert_allclose(jax.vmap(f)(ROW), value(ROW), rtol=1e-5)
np.testing.assert_allclose(jax.vmap(jax.grad(f))(ROW), slope(ROW), rtol=1e-5)
