"""A function of the platform as a Python callable, with a connection that is kept."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

import httpx
import numpy as np

from ._calls import Call, Calls, Signature, gradient_outputs, split_gradient, training_outputs
from ._wire import Arrays

T = TypeVar("T")

#: Seconds; longer than a cold start. The function's own spec.timeout ends a call earlier.
TIMEOUT = 120.0


class Function:
    """Calls a function: outputs = Function(url, name)(x), arrays by position or by name.

    url: of the platform, with the function's name; or, without a name, the function's own, as deploy prints it.
    version: the one to call; None follows the function's traffic. token: default KNABLA_TOKEN of the environment.
    Thread-safe. Raises knabla.Error for what the platform refuses, and httpx.TransportError if it cannot be reached.
    """

    def __init__(self, url: str, name: str | None = None, *, namespace: str = "default", version: int | None = None,
                 token: str | None = None, timeout: float = TIMEOUT):
        self._calls = Calls(url, name, namespace, version, token)
        self._http = httpx.Client(headers=self._calls.headers, timeout=timeout)
        self._metadata: dict[str, Any] | None = None
        self._signature: Signature | None = None

    @property
    def name(self) -> str:
        return self._calls.name

    @property
    def metadata(self) -> dict[str, Any]:
        """Names, datatypes and shapes of the tensors, as the Open Inference Protocol gives them; read once."""
        if self._metadata is None:
            self._metadata = self._run(self._calls.metadata())
        return self._metadata

    @property
    def signature(self) -> Signature:
        """The tensors of the plain model; read once."""
        if self._signature is None:
            self._signature = self._run(self._calls.signature())
        return self._signature

    def __call__(self, *arrays: Any, **named: Any) -> Arrays:
        return self.infer(arrays, named)

    def infer(self, arrays: tuple = (), named: Mapping[str, Any] | None = None, outputs: Iterable[str] = ()) -> Arrays:
        """Like a call; outputs names those to compute, all if it is empty."""
        return self._run(self._calls.infer(self.metadata, arrays, named or {}, outputs))

    def gradient(self, *arrays: Any, **named: Any) -> tuple[np.ndarray, Arrays]:
        """The loss of a Gradient function, and its gradients by the names of what they belong to."""
        return split_gradient(self.infer(arrays, named, gradient_outputs(self.metadata)))

    def step(self, *arrays: Any, **named: Any) -> tuple[int, float]:
        """Runs one step of a TrainingStep function; returns its number and the loss."""
        outputs = self.infer(arrays, named, training_outputs(self.metadata))
        return int(outputs["step"].item()), float(outputs["loss"].item())

    def apply(self, **inputs: Any) -> Arrays:
        """The plain model's outputs, without the loss."""
        return self._run(self._calls.apply(inputs))

    def shapes(self, **inputs: Any) -> dict[str, tuple[tuple[int, ...], np.dtype]]:
        """Shapes and dtypes of the plain model's outputs for inputs that have a shape and a dtype."""
        return self._run(self._calls.shapes(inputs))

    def vjp(self, inputs: Mapping[str, Any], cotangents: Mapping[str, Any], of: Iterable[str] = ()) -> Arrays:
        """Cotangents of outputs times the Jacobian, by the inputs named in of; by default all differentiable ones."""
        return self._run(self._calls.vjp(inputs, cotangents, tuple(of) or self.signature.differentiable_inputs))

    def jvp(self, inputs: Mapping[str, Any], tangents: Mapping[str, Any], of: Iterable[str] = ()) -> Arrays:
        """The Jacobian times tangents of inputs, for the outputs named in of; by default all differentiable ones."""
        return self._run(self._calls.jvp(inputs, tangents, tuple(of) or self.signature.differentiable_outputs))

    def hvp(self, inputs: Mapping[str, Any], tangents: Mapping[str, Any]) -> Arrays:
        """The Hessian of the loss times tangents of inputs or parameters; inputs hold the loss's target, too."""
        return self._run(self._calls.hvp(inputs, tangents))

    def _run(self, call: Call[T]) -> T:
        return call.answer(self._http.request(
            call.method, self._calls.root + call.path, content=call.content, headers=dict(call.headers)))

    def close(self) -> None:
        self._http.close()

    def __enter__(self) -> Function:
        return self

    def __exit__(self, *ended: object) -> None:
        self.close()


class AsyncFunction:
    """Function for asyncio: outputs = await AsyncFunction(url, name)(x)."""

    def __init__(self, url: str, name: str | None = None, *, namespace: str = "default", version: int | None = None,
                 token: str | None = None, timeout: float = TIMEOUT):
        self._calls = Calls(url, name, namespace, version, token)
        self._http = httpx.AsyncClient(headers=self._calls.headers, timeout=timeout)
        self._metadata: dict[str, Any] | None = None
        self._signature: Signature | None = None

    @property
    def name(self) -> str:
        return self._calls.name

    async def metadata(self) -> dict[str, Any]:
        if self._metadata is None:
            self._metadata = await self._run(self._calls.metadata())
        return self._metadata

    async def signature(self) -> Signature:
        if self._signature is None:
            self._signature = await self._run(self._calls.signature())
        return self._signature

    async def __call__(self, *arrays: Any, **named: Any) -> Arrays:
        return await self.infer(arrays, named)

    async def infer(self, arrays: tuple = (), named: Mapping[str, Any] | None = None, outputs: Iterable[str] = ()) -> Arrays:
        return await self._run(self._calls.infer(await self.metadata(), arrays, named or {}, outputs))

    async def gradient(self, *arrays: Any, **named: Any) -> tuple[np.ndarray, Arrays]:
        return split_gradient(await self.infer(arrays, named, gradient_outputs(await self.metadata())))

    async def step(self, *arrays: Any, **named: Any) -> tuple[int, float]:
        outputs = await self.infer(arrays, named, training_outputs(await self.metadata()))
        return int(outputs["step"].item()), float(outputs["loss"].item())

    async def apply(self, **inputs: Any) -> Arrays:
        return await self._run(self._calls.apply(inputs))

    async def vjp(self, inputs: Mapping[str, Any], cotangents: Mapping[str, Any], of: Iterable[str] = ()) -> Arrays:
        wanted = tuple(of) or (await self.signature()).differentiable_inputs
        return await self._run(self._calls.vjp(inputs, cotangents, wanted))

    async def jvp(self, inputs: Mapping[str, Any], tangents: Mapping[str, Any], of: Iterable[str] = ()) -> Arrays:
        wanted = tuple(of) or (await self.signature()).differentiable_outputs
        return await self._run(self._calls.jvp(inputs, tangents, wanted))

    async def hvp(self, inputs: Mapping[str, Any], tangents: Mapping[str, Any]) -> Arrays:
        return await self._run(self._calls.hvp(inputs, tangents))

    async def _run(self, call: Call[T]) -> T:
        return call.answer(await self._http.request(
            call.method, self._calls.root + call.path, content=call.content, headers=dict(call.headers)))

    async def close(self) -> None:
        await self._http.aclose()

    async def __aenter__(self) -> AsyncFunction:
        return self

    async def __aexit__(self, *ended: object) -> None:
        await self.close()
