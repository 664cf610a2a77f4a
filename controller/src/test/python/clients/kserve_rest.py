"""KServe's REST client, in the protocols v1 and v2."""

import asyncio

import numpy as np
from kserve import InferenceRESTClient, InferInput, InferRequest, RESTConfig

from targets import TARGETS

ADD_SUB, EXP = TARGETS["add-sub"], TARGETS["exp"]
ROW = list(range(16))


async def v2():
    client = InferenceRESTClient(RESTConfig(protocol="v2"))
    assert await client.is_server_live(ADD_SUB) and await client.is_server_ready(ADD_SUB)
    assert await client.is_model_ready(ADD_SUB, "add-sub")
    for binary in (False, True):
        inputs = []
        for name in ("INPUT0", "INPUT1"):
            one = InferInput(name, [1, 16], "INT32")
            one.set_data_from_numpy(np.array([ROW], np.int32), binary_data=binary)
            inputs.append(one)
        answer = await client.infer(ADD_SUB, InferRequest("add-sub", inputs), model_name="add-sub")
        sums = next(output for output in answer.outputs if output.name == "OUTPUT0").as_numpy()
        np.testing.assert_array_equal(sums, 2 * np.array([ROW], np.int32))
    for value, expected in (("nan", "nan"), ("100", "inf")):
        one = InferInput("v", [], "FP32")
        one.set_data_from_numpy(np.array(value, np.float32), binary_data=False)
        answer = await client.infer(EXP, InferRequest("exp", [one]), model_name="exp")
        found = next(output for output in answer.outputs if output.name == "y").as_numpy()
        np.testing.assert_array_equal(found, np.float32(expected))
    await client.close()


async def v1():
    client = InferenceRESTClient(RESTConfig(protocol="v1"))
    assert await client.is_model_ready(ADD_SUB, "add-sub")
    rows = [{"INPUT0": ROW, "INPUT1": [1] * 16}, {"INPUT0": ROW, "INPUT1": [2] * 16}]
    answer = await client.infer(ADD_SUB, {"instances": rows}, model_name="add-sub")
    assert [row["OUTPUT1"][0] for row in answer["predictions"]] == [-1, -2], answer
    columns = {"INPUT0": [ROW], "INPUT1": [[1] * 16]}
    answer = await client.infer(ADD_SUB, {"inputs": columns}, model_name="add-sub")
    assert answer["outputs"]["OUTPUT0"][0] == [value + 1 for value in ROW], answer
    await client.close()


asyncio.run(v2())
asyncio.run(v1())
