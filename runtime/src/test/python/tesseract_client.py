"""Drives a replica with Tesseract's own client (pip install tesseract-core), by hand.

    python tesseract_client.py URL            checks every endpoint of ManualServer's function
    python tesseract_client.py URL --record F also writes each exchange as JSON lines to F

The function is y = tanh(x W), s = sum(y), with the W below. The lines are replayed by
TesseractEndpointsReplayTest, so that the client's requests stay answered without Python.
"""

import json
import sys

import numpy as np
import requests
from pydantic import ValidationError
from tesseract_core import Tesseract

W = np.array([[0.5, -0.3], [0.2, 0.8], [-0.6, 0.1]], np.float32)
X = np.array([[1.0, -2.0, 0.5], [0.25, 0.0, -1.5]], np.float32)


def record(root, path):
    """Writes every exchange of the client's HTTP session to a file."""
    lines = open(path, "w", encoding="utf-8")
    send = requests.Session.request

    def recorded(self, method, url, data=None, headers=None, **more):
        answer = send(self, method=method, url=url, data=data, headers=headers, **more)
        line = {
            "method": method,
            "path": url.removeprefix(root),
            "accept": (headers or {}).get("Accept"),
            "request": data.decode() if data else None,
            "status": answer.status_code,
            "type": answer.headers["Content-Type"],
            "answer": answer.text,
        }
        lines.write(json.dumps(line) + "\n")
        lines.flush()
        return answer

    requests.Session.request = recorded


def close(actual, expected):
    expected = np.asarray(expected, np.float32)
    assert actual.dtype == np.float32, actual.dtype
    assert actual.shape == expected.shape, (actual.shape, expected.shape)
    np.testing.assert_allclose(actual, expected, rtol=2e-6, atol=2e-7)


def refused(call, *words):
    try:
        call()
    except (ValidationError, RuntimeError) as error:
        for word in words:
            assert word in str(error), (word, str(error))
        return
    raise AssertionError("was not refused")


def check(tesseract):
    y = np.tanh(X @ W)
    slope = 1 - y * y
    inputs = {"x": X}
    jacobian = np.einsum("na,ka,nm->namk", slope, W, np.eye(2))

    assert tesseract.health()["status"] == "ok"
    assert set(tesseract.available_endpoints) == {
        "apply",
        "jacobian",
        "jacobian_vector_product",
        "vector_jacobian_product",
        "abstract_eval",
        "health",
    }
    shapes = tesseract.abstract_eval({"x": {"shape": [7, 3], "dtype": "float32"}})
    assert shapes == {
        "y": {"shape": [7, 2], "dtype": "float32"},
        "s": {"shape": [], "dtype": "float32"},
    }, shapes
    for one in (tesseract, tesseract.with_encoding(output_format="json+base64")):
        answer = one.apply(inputs)
        close(answer["y"], y)
        close(answer["s"], y.sum())
        close(one.apply({"x": X.tolist()})["y"], y)

        answer = one.jacobian(inputs, ["x"], ["y", "s"])
        close(answer["y"]["x"], jacobian)
        close(answer["s"]["x"], jacobian.sum((0, 1)))

        v = np.array([[0.5, 1, -1], [2, 0, 0.125]], np.float32)
        answer = one.jacobian_vector_product(inputs, ["x"], ["y", "s"], {"x": v})
        close(answer["y"], slope * (v @ W))
        close(answer["s"], (slope * (v @ W)).sum())

        c = np.array([[1, 0.5], [-2, 0.25]], np.float32)
        answer = one.vector_jacobian_product(inputs, ["x"], ["y"], {"y": c})
        close(answer["x"], (slope * c) @ W.T)
        answer = one.vector_jacobian_product(
            inputs, ["x"], ["y", "s"], {"y": c, "s": np.float32(3)}
        )
        close(answer["x"], (slope * (c + 3)) @ W.T)

    refused(lambda: tesseract.apply({"z": X}), "Field required", "no input 'z'")
    refused(lambda: tesseract.apply({"x": X[:, :2]}), "(None, 3)", "(2, 2)")
    refused(lambda: tesseract.jacobian(inputs, ["w"], ["y"]), "jac_inputs", "'w'")
    refused(
        lambda: tesseract.vector_jacobian_product(inputs, ["x"], ["y"], {"s": X}),
        "its keys must be [y]",
    )
    refused(
        lambda: tesseract.jacobian(
            {"x": np.zeros((3000, 3), np.float32)}, ["x"], ["y"]
        ),
        "413",
        "at most",
    )


if __name__ == "__main__":
    address = sys.argv[1].rstrip("/")
    if len(sys.argv) > 3 and sys.argv[2] == "--record":
        record(address, sys.argv[3])
    check(Tesseract.from_url(address))
    print("all of Tesseract's calls agree")
