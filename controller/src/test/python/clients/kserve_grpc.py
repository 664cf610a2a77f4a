"""KServe's gRPC client, with raw and with typed contents."""

import asyncio

import numpy as np
from kserve import InferenceGRPCClient, InferInput, InferRequest

from targets import SERVER, TARGETS

ADDRESS = (SERVER or TARGETS["add-sub"]).removeprefix("http://").rstrip("/")
ROW = np.arange(16, dtype=np.int32).reshape(1, 16)


def request(raw):
    inputs = []
    for name in ("INPUT0", "INPUT1"):
        if raw:
            one = InferInput(name, [1, 16], "INT32")
            one.set_data_from_numpy(ROW, binary_data=True)
        else:
            one = InferInput(name, [1, 16], "INT32", ROW.reshape(-1).tolist())
        inputs.append(one)
    return InferRequest("add-sub", inputs)


async def main():
    client = InferenceGRPCClient(ADDRESS)
    assert await client.is_server_live() and await client.is_server_ready()
    assert await client.is_model_ready("add-sub")
    for raw in (False, True):
        answer = await client.infer(request(raw))
        sums = next(output for output in answer.outputs if output.name == "OUTPUT0").as_numpy()
        np.testing.assert_array_equal(sums, 2 * ROW)
    await client.close()


asyncio.run(main())
