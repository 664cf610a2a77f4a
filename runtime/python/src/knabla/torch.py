"""A function as a differentiable operation of PyTorch; its derivatives are computed by the platform."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from torch.autograd.function import once_differentiable

from ._function import Function


def differentiable(function: Function) -> Callable[..., dict[str, torch.Tensor]]:
    """A callable of named tensors that returns the plain model's outputs by name, for forward and backward passes.

    Derivatives exist for function.signature.differentiable_inputs; for a function without any, backward fails as
    PyTorch does. Tensors on other devices are copied to the CPU, and results back.
    """
    signature = function.signature

    class Remote(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, names: tuple[str, ...], *tensors: torch.Tensor) -> tuple[torch.Tensor, ...]:
            ctx.names = names
            ctx.save_for_backward(*tensors)
            outputs = function.apply(**dict(zip(names, map(_array, tensors))))
            results = tuple(_tensor(outputs[name], tensors[0]) for name in signature.outputs)
            fixed = [
                result for name, result in zip(signature.outputs, results)
                if name not in signature.differentiable_outputs]
            ctx.mark_non_differentiable(*fixed)
            ctx.set_materialize_grads(False)
            return results

        @staticmethod
        @once_differentiable
        def backward(ctx: Any, *gradients: torch.Tensor | None) -> tuple[torch.Tensor | None, ...]:
            tensors = ctx.saved_tensors
            cotangents = {
                name: _array(gradient) for name, gradient in zip(signature.outputs, gradients)
                if gradient is not None and name in signature.differentiable_outputs}
            wanted = [
                name for name, needed in zip(ctx.names, ctx.needs_input_grad[1:])
                if needed and name in signature.differentiable_inputs]
            if not cotangents or not wanted:
                return (None, *(None for _ in tensors))
            products = function.vjp(dict(zip(ctx.names, map(_array, tensors))), cotangents, wanted)
            return (None, *(
                _tensor(products[name], tensor).to(tensor.dtype) if name in products else None
                for name, tensor in zip(ctx.names, tensors)))

    def call(**inputs: torch.Tensor) -> dict[str, torch.Tensor]:
        return dict(zip(signature.outputs, Remote.apply(tuple(inputs), *inputs.values())))

    return call


def _array(tensor: torch.Tensor) -> np.ndarray:
    return tensor.detach().cpu().numpy()


def _tensor(array: np.ndarray, like: torch.Tensor) -> torch.Tensor:
    return torch.from_numpy(array.copy()).to(like.device)
