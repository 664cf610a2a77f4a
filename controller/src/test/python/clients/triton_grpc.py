"""Triton's gRPC client: sync and asyncio, streams, shared memory, the repository, compression, deadlines, errors, metadata."""

import asyncio
import os
import queue

import numpy as np
import tritonclient.grpc as triton
import tritonclient.grpc.aio as triton_aio
import tritonclient.utils.shared_memory as shm
from tritonclient.utils import InferenceServerException

from targets import SERVER, TARGETS

ADDRESS = (SERVER or TARGETS["add-sub"]).removeprefix("http://").rstrip("/")
A = np.arange(16, dtype=np.int32).reshape(1, 16)
OUTPUTS = ("OUTPUT0", "OUTPUT1")


def inputs(library, second=2):
    made = []
    for name, array in (("INPUT0", A), ("INPUT1", np.full((1, 16), second, np.int32))):
        one = library.InferInput(name, list(array.shape), "INT32")
        one.set_data_from_numpy(array)
        made.append(one)
    return made


def check(result, second=2):
    np.testing.assert_array_equal(result.as_numpy("OUTPUT0"), A + second)
    np.testing.assert_array_equal(result.as_numpy("OUTPUT1"), A - second)


def refused(call, status, words):
    try:
        call()
    except InferenceServerException as error:
        assert status in str(error.status()) and words in str(error), error
        return
    raise AssertionError("it was not refused")


def calls(client):
    assert client.is_server_live() and client.is_server_ready() and client.is_model_ready("add-sub")
    assert client.get_server_metadata().name == "knabla"
    metadata = client.get_model_metadata("add-sub", as_json=True)
    assert [one["name"] for one in metadata["inputs"]] == ["INPUT0", "INPUT1"], metadata
    assert any(one.name == "add-sub" for one in client.get_model_repository_index().models)
    assert client.get_model_config("add-sub").config.input[0].data_type == 8, "TYPE_INT32"
    before = client.get_inference_statistics("add-sub").model_stats[0].inference_stats.success.count
    client.infer("add-sub", inputs(triton))
    after = client.get_inference_statistics("add-sub").model_stats[0].inference_stats.success.count
    assert after == before + 1, (before, after)
    wanted = [triton.InferRequestedOutput(name) for name in OUTPUTS]
    for coding in (None, "gzip", "deflate"):
        result = client.infer(
            "add-sub",
            inputs(triton),
            outputs=wanted,
            request_id="7",
            client_timeout=20,
            compression_algorithm=coding,
            headers={"traceparent": "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"},
        )
        check(result)
        assert result.get_response().id == "7" and result.get_response().model_version == "1"
    # Only what is asked for is answered.
    only = client.infer("add-sub", inputs(triton), outputs=wanted[:1])
    assert only.as_numpy("OUTPUT1") is None
    refused(lambda: client.infer("nothing", inputs(triton)), "NOT_FOUND", "unknown model")
    refused(lambda: client.infer("add-sub", inputs(triton)[:1]), "INVALID_ARGUMENT", "INPUT1")
    refused(lambda: client.get_trace_settings(), "UNIMPLEMENTED", "is not offered")


def repository(client):
    client.load_model("add-sub")
    assert client.is_model_ready("add-sub")
    if SERVER:
        client.unload_model("add-sub")
        # The next request starts a replica again.
        check(client.infer("add-sub", inputs(triton)))


def shared_memory(client):
    """As Triton's own example; the second output comes in the message."""
    client.unregister_system_shared_memory()
    client.unregister_cuda_shared_memory()
    key = f"/knabla-clients-grpc-{os.getpid()}"
    handle = shm.create_shared_memory_region("data", key, 3 * A.nbytes)
    try:
        shm.set_shared_memory_region(handle, [A, np.full((1, 16), 2, np.int32)])
        client.register_system_shared_memory("data", key, 3 * A.nbytes)
        assert client.get_system_shared_memory_status().regions["data"].byte_size == 3 * A.nbytes
        given = [triton.InferInput(name, [1, 16], "INT32") for name in ("INPUT0", "INPUT1")]
        wanted = [triton.InferRequestedOutput(name) for name in OUTPUTS]
        for i, one in enumerate([*given, wanted[0]]):
            one.set_shared_memory("data", A.nbytes, offset=i * A.nbytes)
        result = client.infer("add-sub", given, outputs=wanted)
        np.testing.assert_array_equal(shm.get_contents_as_numpy(handle, np.int32, [1, 16], offset=2 * A.nbytes), A + 2)
        np.testing.assert_array_equal(result.as_numpy("OUTPUT1"), A - 2)
        client.unregister_system_shared_memory("data")
        assert not client.get_system_shared_memory_status().regions
    finally:
        shm.destroy_shared_memory_region(handle)


def callbacks(client):
    answers = queue.Queue()
    for i in range(50):
        client.async_infer("add-sub", inputs(triton, i), lambda result, error, i=i: answers.put((i, result, error)))
    for _ in range(50):
        i, result, error = answers.get(timeout=60)
        assert error is None, error
        check(result, i)


def stream(client):
    answers = queue.Queue()
    client.start_stream(lambda result, error: answers.put((result, error)))
    for i in range(50):
        client.async_stream_infer("nothing" if i == 20 else "add-sub", inputs(triton, i))
    for i in range(50):
        result, error = answers.get(timeout=60)
        if i == 20:
            assert "unknown model" in str(error), error
        else:
            check(result, i)
    client.stop_stream()


async def aio():
    async with triton_aio.InferenceServerClient(ADDRESS) as client:
        assert await client.is_server_ready()
        results = await asyncio.gather(*(client.infer("add-sub", inputs(triton_aio, i)) for i in range(50)))
        for i, result in enumerate(results):
            check(result, i)

        async def requests():
            for i in range(20):
                yield {"model_name": "add-sub", "inputs": inputs(triton_aio, i)}

        i = 0
        async for result, error in client.stream_infer(requests()):
            assert error is None, error
            check(result, i)
            i += 1
        assert i == 20


with triton.InferenceServerClient(ADDRESS) as with_client:
    for part in (calls, callbacks, stream, shared_memory, repository):
        part(with_client)
asyncio.run(aio())
