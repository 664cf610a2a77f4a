"""Triton's HTTP client: sync and asyncio, JSON and binary, compression, statistics, configuration, shared memory."""

import asyncio
import os

import numpy as np
import tritonclient.http as triton
import tritonclient.http.aio as triton_aio
import tritonclient.utils.shared_memory as shm
from tritonclient.utils import InferenceServerException

from targets import SERVER, TARGETS

ADD_SUB = TARGETS["add-sub"].removeprefix("http://")
EXP = TARGETS["exp"].removeprefix("http://")
# Shared memory belongs to the server, not to one of its functions.
SHARED = (SERVER or TARGETS["add-sub"]).removeprefix("http://").rstrip("/")
A = np.arange(16, dtype=np.int32).reshape(1, 16)
B = np.full((1, 16), 2, np.int32)
OUTPUTS = ("OUTPUT0", "OUTPUT1")


def inputs(library, binary):
    made = []
    for name, array in (("INPUT0", A), ("INPUT1", B)):
        one = library.InferInput(name, list(array.shape), "INT32")
        one.set_data_from_numpy(array, binary_data=binary)
        made.append(one)
    return made


def outputs(library, binary):
    return [library.InferRequestedOutput(name, binary_data=binary) for name in OUTPUTS]


def check(result):
    np.testing.assert_array_equal(result.as_numpy("OUTPUT0"), A + B)
    np.testing.assert_array_equal(result.as_numpy("OUTPUT1"), A - B)


def calls(client):
    assert client.is_server_live() and client.is_server_ready() and client.is_model_ready("add-sub")
    assert client.get_model_metadata("add-sub")["name"] == "add-sub"
    for binary in (False, True):
        for coding in (None, "gzip", "deflate"):
            check(
                client.infer(
                    "add-sub",
                    inputs(triton, binary),
                    outputs=outputs(triton, binary),
                    request_compression_algorithm=coding,
                    response_compression_algorithm=coding,
                    timeout=10_000_000,
                    priority=0,
                )
            )
    check(client.async_infer("add-sub", inputs(triton, True)).get_result())
    try:
        client.infer("add-sub", inputs(triton, True), priority=1)
        raise AssertionError("a priority was taken")
    except InferenceServerException as refused:
        assert "priority" in str(refused), refused


def statistics(client):
    """Statistics grow by what is called, and add up."""
    config = client.get_model_config("add-sub")
    assert config["max_batch_size"] == 16 and config["input"][0]["data_type"] == "TYPE_INT32", config
    before = client.get_inference_statistics("add-sub")["model_stats"][0]
    for _ in range(3):
        client.infer("add-sub", inputs(triton, True))
    after = client.get_inference_statistics("add-sub")["model_stats"][0]
    assert after["inference_count"] - before["inference_count"] == 3, (before, after)
    times = after["inference_stats"]
    assert times["success"]["count"] - before["inference_stats"]["success"]["count"] == 3, (before, after)
    parts = sum(times[part]["ns"] for part in ("queue", "compute_input", "compute_infer", "compute_output"))
    assert times["success"]["ns"] == parts, times
    assert sum(one["batch_size"] * one["compute_infer"]["count"] for one in after["batch_stats"]) == after["inference_count"]
    assert client.get_inference_statistics()["model_stats"]


def repository(client):
    client.load_model("add-sub")
    assert {"name": "add-sub", "version": "1", "state": "READY", "reason": ""} in client.get_model_repository_index()


def non_finite():
    """exp overflows, in both forms of the answer and of the request."""
    client = triton.InferenceServerClient(EXP)
    for value in (np.float32("nan"), np.float32("inf"), np.float32(100)):
        for binary in (False, True):
            one = triton.InferInput("v", [], "FP32")
            one.set_data_from_numpy(np.array(value, np.float32), binary_data=binary)
            wanted = [triton.InferRequestedOutput("y", binary_data=binary)]
            found = client.infer("exp", [one], outputs=wanted).as_numpy("y")
            np.testing.assert_array_equal(found, np.float32("nan") if np.isnan(value) else np.float32("inf"))
    client.close()


def shared_memory():
    """As Triton's own example: inputs and outputs in regions, and nothing in the messages."""
    client = triton.InferenceServerClient(SHARED)
    client.unregister_system_shared_memory()
    client.unregister_cuda_shared_memory()
    key = f"/knabla-clients-{os.getpid()}"
    handle = shm.create_shared_memory_region("data", key, 4 * A.nbytes)
    try:
        shm.set_shared_memory_region(handle, [A, B])
        client.register_system_shared_memory("data", key, 4 * A.nbytes)
        assert client.get_system_shared_memory_status()[0]["name"] == "data"
        given = [triton.InferInput(name, [1, 16], "INT32") for name in ("INPUT0", "INPUT1")]
        wanted = [triton.InferRequestedOutput(name) for name in OUTPUTS]
        for i, one in enumerate(given + wanted):
            one.set_shared_memory("data", A.nbytes, offset=i * A.nbytes)
        result = client.infer("add-sub", given, outputs=wanted)
        assert result.get_output("OUTPUT0")["parameters"]["shared_memory_byte_size"] == A.nbytes
        for i, expected in ((2, A + B), (3, A - B)):
            found = shm.get_contents_as_numpy(handle, np.int32, [1, 16], offset=i * A.nbytes)
            np.testing.assert_array_equal(found, expected)
        client.unregister_system_shared_memory("data")
        assert client.get_system_shared_memory_status() == []
    finally:
        shm.destroy_shared_memory_region(handle)
        client.close()


async def aio():
    async with triton_aio.InferenceServerClient(ADD_SUB) as client:
        assert await client.is_server_ready()
        assert (await client.get_model_config("add-sub"))["name"] == "add-sub"
        for coding in (None, "gzip", "deflate"):
            check(
                await client.infer(
                    "add-sub",
                    inputs(triton_aio, True),
                    outputs=outputs(triton_aio, True),
                    request_compression_algorithm=coding,
                    response_compression_algorithm=coding,
                )
            )


with_client = triton.InferenceServerClient(ADD_SUB)
for part in (calls, statistics, repository):
    part(with_client)
with_client.close()
non_finite()
shared_memory()
asyncio.run(aio())
if SERVER:
    server = triton.InferenceServerClient(SHARED)
    server.unload_model("add-sub")
    # The next request starts a replica again.
    check(server.infer("add-sub", inputs(triton, True)))
    server.close()
