"""A function as a differentiable operation of JAX; its derivatives are computed by the platform."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import jax
import numpy as np

from ._function import Function


def differentiable(function: Function) -> Callable[..., dict[str, jax.Array]]:
    """A callable of named arrays that returns the plain model's outputs by name; works in jit, grad and vmap.

    Derivatives exist for function.signature.differentiable_inputs; those by other inputs are zero. Shapes are asked of
    the platform while JAX traces.
    """
    signature = function.signature

    def run(inputs: Mapping[str, jax.Array]) -> dict[str, jax.Array]:
        shapes = {
            key: jax.ShapeDtypeStruct(shape, jax.dtypes.canonicalize_dtype(dtype))
            for key, (shape, dtype) in function.shapes(**inputs).items()}
        return jax.pure_callback(
            lambda given: _cast(function.apply(**_host(given)), shapes), shapes, dict(inputs), vmap_method="sequential")

    def forward(inputs: Mapping[str, jax.Array]):
        return run(inputs), inputs

    def backward(inputs: Mapping[str, jax.Array], cotangents: Mapping[str, jax.Array]):
        wanted = [key for key in inputs if key in signature.differentiable_inputs]
        chosen = {key: cotangents[key] for key in signature.differentiable_outputs}
        shapes = {key: jax.ShapeDtypeStruct(inputs[key].shape, inputs[key].dtype) for key in wanted}
        products = jax.pure_callback(
            lambda given, vectors: _cast(function.vjp(_host(given), _host(vectors), wanted), shapes),
            shapes, dict(inputs), chosen, vmap_method="sequential") if wanted and chosen else {}
        return ({key: products[key] if key in products else _zero(value) for key, value in inputs.items()},)

    call = jax.custom_vjp(run)
    call.defvjp(forward, backward)
    return lambda **inputs: call({key: jax.numpy.asarray(value) for key, value in inputs.items()})


def _host(arrays: Mapping[str, jax.Array]) -> dict[str, np.ndarray]:
    return {key: np.asarray(value) for key, value in arrays.items()}


def _cast(arrays: Mapping[str, np.ndarray], like: Mapping[str, jax.ShapeDtypeStruct]) -> dict[str, np.ndarray]:
    return {key: value.astype(like[key].dtype, copy=False) for key, value in arrays.items()}


def _zero(value: jax.Array):
    """JAX wants a cotangent of type float0 for integers."""
    real = jax.numpy.issubdtype(value.dtype, jax.numpy.inexact)
    return jax.numpy.zeros_like(value) if real else np.zeros(value.shape, jax.dtypes.float0)
