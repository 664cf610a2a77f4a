"""Builds the requests of a function and reads their answers; Function and AsyncFunction send them."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar
from urllib.parse import quote, urlsplit

import httpx
import numpy as np

from . import _wire
from ._wire import Arrays, Error

T = TypeVar("T")


@dataclass(frozen=True)
class Signature:
    """The plain model of a function: names of tensors, and those that derivatives exist for."""

    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    differentiable_inputs: tuple[str, ...]
    differentiable_outputs: tuple[str, ...]


@dataclass(frozen=True)
class Call(Generic[T]):
    method: str
    path: str
    read: Callable[[httpx.Response], T]
    content: bytes | None = None
    headers: Mapping[str, str] = field(default_factory=dict)

    def answer(self, response: httpx.Response) -> T:
        if response.is_success:
            return self.read(response)
        raise Error(response.status_code, _sentence(response), _seconds(response.headers.get("Retry-After")))


def _sentence(response: httpx.Response) -> str:
    try:
        body = response.json()
        return str(body.get("error") or body["detail"])
    except (ValueError, KeyError, AttributeError):
        return response.text or f"HTTP {response.status_code}"


def _seconds(retry_after: str | None) -> float | None:
    return float(retry_after) if retry_after and retry_after.isdigit() else None


class Calls:
    """Where a function is, and the calls that it answers."""

    def __init__(self, url: str, name: str | None, namespace: str, version: int | None, token: str | None):
        url = url.rstrip("/")
        if name is None:
            parts = urlsplit(url)
            self.root = url
            self.name = parts.path.rpartition("/")[2] or (parts.hostname or "").partition(".")[0]
        else:
            self.root = f"{url}/functions/{quote(namespace)}/{quote(name)}"
            self.name = name
        self.model = f"/v2/models/{quote(self.name)}" + (f"/versions/{version}" if version is not None else "")
        token = token or os.environ.get("KNABLA_TOKEN")
        self.headers = {"Authorization": f"Bearer {token}"} if token else {}

    def metadata(self) -> Call[dict[str, Any]]:
        return Call("GET", self.model, httpx.Response.json)

    def signature(self) -> Call[Signature]:
        return Call("GET", "/openapi.json", lambda response: _signature(response.json()["components"]["schemas"]))

    def infer(self, metadata: Mapping[str, Any], args: tuple, named: Mapping[str, Any], outputs: Iterable[str]) -> Call[Arrays]:
        tensors = {tensor["name"]: tensor for tensor in metadata["inputs"]}
        given = _bound(tuple(tensors), args, named)
        content, headers = _wire.encode(
            [(tensors[key], _wire.cast(value, tensors[key])) for key, value in given.items()], outputs)
        read = lambda response: _wire.decode(response.content, response.headers.get(_wire.HEADER_LENGTH))
        return Call("POST", self.model + "/infer", read, content, headers)

    def apply(self, inputs: Mapping[str, Any]) -> Call[Arrays]:
        return self._arrays("/apply", {"inputs": _packed(inputs)})

    def shapes(self, inputs: Mapping[str, Any]) -> Call[dict[str, tuple[tuple[int, ...], np.dtype]]]:
        described = {key: {"shape": list(np.shape(value)), "dtype": str(value.dtype)} for key, value in inputs.items()}
        read = lambda response: {
            key: (tuple(spec["shape"]), np.dtype(spec["dtype"])) for key, spec in response.json().items()}
        return self._json("/abstract_eval", {"inputs": described}, read)

    def vjp(self, inputs: Mapping[str, Any], cotangents: Mapping[str, Any], of: Iterable[str]) -> Call[Arrays]:
        return self._arrays("/vector_jacobian_product", {
            "inputs": _packed(inputs), "vjp_inputs": list(of), "vjp_outputs": list(cotangents),
            "cotangent_vector": _packed(cotangents)})

    def jvp(self, inputs: Mapping[str, Any], tangents: Mapping[str, Any], of: Iterable[str]) -> Call[Arrays]:
        return self._arrays("/jacobian_vector_product", {
            "inputs": _packed(inputs), "jvp_inputs": list(tangents), "jvp_outputs": list(of),
            "tangent_vector": _packed(tangents)})

    def hvp(self, inputs: Mapping[str, Any], tangents: Mapping[str, Any]) -> Call[Arrays]:
        return self._arrays("/hessian_vector_product", {
            "inputs": _packed(inputs), "hvp_inputs": list(tangents), "tangent_vector": _packed(tangents)})

    def _arrays(self, path: str, document: Any) -> Call[Arrays]:
        return self._json(
            path, document, lambda response: {key: _wire.unpack(value) for key, value in response.json().items()})

    def _json(self, path: str, document: Any, read: Callable[[httpx.Response], T]) -> Call[T]:
        headers = {"Content-Type": "application/json", "Accept": "application/json+base64, application/json;q=0.5"}
        return Call("POST", path, read, json.dumps(document).encode(), headers)


def _packed(arrays: Mapping[str, Any]) -> dict[str, Any]:
    return {key: _wire.pack(value) for key, value in arrays.items()}


def _signature(schemas: Mapping[str, Any]) -> Signature:
    if "ApplyInputSchema" not in schemas:
        raise Error(501, "this function has no /apply: it is a TrainingStep, or has tensors of text")
    return Signature(
        tuple(schemas["Apply_InputSchema"]["required"]), tuple(schemas["Apply_OutputSchema"]["required"]),
        tuple(schemas["ApplyInputSchema"]["differentiable_arrays"]),
        tuple(schemas["ApplyOutputSchema"]["differentiable_arrays"]))


def _bound(names: tuple[str, ...], args: tuple, named: Mapping[str, Any]) -> dict[str, Any]:
    """Arguments by name, in the order of the inputs; the platform knows which of them may be absent."""
    if len(args) > len(names):
        raise TypeError(f"{len(args)} arrays are given, the inputs are {', '.join(names)}")
    given = dict(zip(names, args))
    for key, value in named.items():
        if key not in names:
            raise TypeError(f"there is no input '{key}'; the inputs are {', '.join(names)}")
        if key in given:
            raise TypeError(f"input '{key}' is given twice, by position and by name")
        given[key] = value
    return given


def split_gradient(outputs: Arrays) -> tuple[np.ndarray, Arrays]:
    """The loss, and the gradients by the names of what they belong to."""
    return outputs["loss"], {key[:-len("_grad")]: value for key, value in outputs.items() if key.endswith("_grad")}


def gradient_outputs(metadata: Mapping[str, Any]) -> list[str]:
    names = [tensor["name"] for tensor in metadata["outputs"]]
    if "loss" not in names or "step" in names:
        raise Error(501, f"{metadata['name']} is no Gradient function; its outputs are {', '.join(names)}")
    return [name for name in names if name == "loss" or name.endswith("_grad")]


def training_outputs(metadata: Mapping[str, Any]) -> list[str]:
    names = [tensor["name"] for tensor in metadata["outputs"]]
    if "step" not in names:
        raise Error(501, f"{metadata['name']} is no TrainingStep; its outputs are {', '.join(names)}")
    return ["loss", "step"]
