"""Tensors as bytes: the binary extension of the Open Inference Protocol, and Tesseract's arrays. No network here."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

HEADER_LENGTH = "Inference-Header-Content-Length"

_DTYPES = {
    "BOOL": "?", "UINT8": "u1", "UINT16": "<u2", "UINT32": "<u4", "UINT64": "<u8",
    "INT8": "i1", "INT16": "<i2", "INT32": "<i4", "INT64": "<i8", "FP16": "<f2", "FP32": "<f4", "FP64": "<f8",
}

Arrays = dict[str, np.ndarray]


class Error(Exception):
    """The platform refused a call, or failed on it. The message is its own: what was wrong, where, what to do.

    status: of HTTP; retry_after: seconds after which the same call may succeed, or None.
    """

    def __init__(self, status: int, message: str, retry_after: float | None = None):
        super().__init__(message)
        self.status = status
        self.retry_after = retry_after


def cast(value: Any, tensor: Mapping[str, Any]) -> np.ndarray:
    """An array of the tensor's datatype; a float is never cast to an integer."""
    name, datatype = tensor["name"], tensor["datatype"]
    if datatype == "BYTES":
        return np.asarray(value, dtype=object)
    if datatype not in _DTYPES:
        raise TypeError(f"'{name}' is {datatype}, which numpy does not have")
    given, wanted = np.asarray(value), np.dtype(_DTYPES[datatype])
    allowed = np.can_cast(given.dtype, wanted, "same_kind") or (given.dtype.kind in "iu" and wanted.kind in "iu")
    if not allowed:
        raise TypeError(f"'{name}' is {datatype}; an array of {given.dtype} is not cast to that")
    if wanted.kind in "iu" and given.size and (given.min() < np.iinfo(wanted).min or given.max() > np.iinfo(wanted).max):
        raise ValueError(f"'{name}' is {datatype}, which does not hold all values from {given.min()} to {given.max()}")
    return given.astype(wanted, copy=False)


def encode(inputs: Iterable[tuple[Mapping[str, Any], np.ndarray]], outputs: Iterable[str]) -> tuple[bytes, dict[str, str]]:
    """Body and headers of a request: JSON, then the bytes of all tensors."""
    described, chunks = [], []
    for tensor, array in inputs:
        chunk = _texts(array) if tensor["datatype"] == "BYTES" else np.ascontiguousarray(array).tobytes()
        chunks.append(chunk)
        described.append({
            "name": tensor["name"], "datatype": tensor["datatype"], "shape": list(array.shape),
            "parameters": {"binary_data_size": len(chunk)},
        })
    document: dict[str, Any] = {"inputs": described, "parameters": {"binary_data_output": True}}
    wanted = [{"name": name, "parameters": {"binary_data": True}} for name in outputs]
    if wanted:
        document["outputs"] = wanted
    head = json.dumps(document).encode()
    return b"".join([head, *chunks]), {HEADER_LENGTH: str(len(head)), "Content-Type": "application/octet-stream"}


def decode(body: bytes, header_length: str | None) -> Arrays:
    """The outputs of an answer, in the form of encode."""
    at = len(body) if header_length is None else int(header_length)
    arrays: Arrays = {}
    for tensor in json.loads(body[:at])["outputs"]:
        size = tensor.get("parameters", {}).get("binary_data_size")
        if size is None:
            flat = np.asarray(tensor["data"], dtype=_DTYPES.get(tensor["datatype"], object)).ravel()
        else:
            flat = _flat(body[at:at + size], tensor["datatype"])
            at += size
        arrays[tensor["name"]] = flat.reshape(tensor["shape"])
    return arrays


def _flat(raw: bytes, datatype: str) -> np.ndarray:
    if datatype != "BYTES":
        return np.frombuffer(raw, _DTYPES[datatype])
    texts, at = [], 0
    while at < len(raw):
        end = at + 4 + int.from_bytes(raw[at:at + 4], "little")
        texts.append(raw[at + 4:end])
        at = end
    return np.array(texts, dtype=object)


def _texts(array: np.ndarray) -> bytes:
    encoded = [text if isinstance(text, bytes) else str(text).encode() for text in array.flat]
    return b"".join(len(text).to_bytes(4, "little") + text for text in encoded)


def pack(array: Any) -> dict[str, Any]:
    """An array as Tesseract clients send it."""
    array = np.ascontiguousarray(array).reshape(np.shape(array))
    little = array.astype(array.dtype.newbyteorder("<"), copy=False)
    data = {"buffer": base64.b64encode(little.tobytes()).decode(), "encoding": "base64"}
    return {"object_type": "array", "shape": list(array.shape), "dtype": array.dtype.name, "data": data}


def unpack(packed: Mapping[str, Any]) -> np.ndarray:
    dtype = np.dtype(packed["dtype"]).newbyteorder("<")
    return np.frombuffer(base64.b64decode(packed["data"]["buffer"]), dtype).reshape(packed["shape"])
