"""The functions that the tests call: samples of the repository, deployed on the platform at KNABLA_SERVER."""

import json
import os
import pathlib

import numpy as np
import pytest

import knabla

SAMPLES = pathlib.Path(__file__).resolve().parents[3] / "functions" / "samples"


@pytest.fixture(scope="session")
def server():
    return os.environ["KNABLA_SERVER"]


@pytest.fixture
def function(server):
    """Opens functions of the platform by name, and closes them after the test."""
    opened = []

    def open_function(name, **options):
        opened.append(knabla.Function(server, name, **options))
        return opened[-1]

    yield open_function
    for one in opened:
        one.close()


@pytest.fixture
def request_of():
    """The arrays of a sample's request, by name."""
    dtypes = {"FP32": np.float32, "INT64": np.int64, "INT32": np.int32}

    def arrays(sample):
        inputs = json.loads((SAMPLES / sample / "request.json").read_text())["inputs"]
        return {i["name"]: np.array(i["data"], dtypes[i["datatype"]]).reshape(i["shape"]) for i in inputs}

    return arrays
