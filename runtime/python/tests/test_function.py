import asyncio

import numpy as np
import pytest

import knabla


def test_calls_by_position_and_by_name(function):
    add_sub = function("add-sub")
    a, b = np.arange(16, dtype=np.int32).reshape(1, 16), np.ones((1, 16), np.int32)

    by_position, by_name = add_sub(a, b), add_sub(INPUT1=b, INPUT0=a)

    np.testing.assert_array_equal(by_position["OUTPUT0"], a + b)
    np.testing.assert_array_equal(by_name["OUTPUT1"], a - b)
    assert by_position["OUTPUT0"].dtype == np.int32


def test_casts_what_fits_and_refuses_the_rest(function):
    add_sub = function("add-sub")
    numbers = [list(range(16))]

    np.testing.assert_array_equal(add_sub(numbers, numbers)["OUTPUT1"], np.zeros((1, 16)))
    with pytest.raises(TypeError, match="INPUT0.*INT32.*float64"):
        add_sub(np.full((1, 16), 0.5), numbers)
    with pytest.raises(ValueError, match="does not hold"):
        add_sub(np.full((1, 16), 2**40), numbers)
    with pytest.raises(TypeError, match="no input 'INPUT2'; the inputs are INPUT0, INPUT1"):
        add_sub(INPUT2=numbers)
    with pytest.raises(TypeError, match="given twice"):
        add_sub(numbers, INPUT0=numbers)


def test_passes_the_sentence_of_the_platform_on(server, function):
    with pytest.raises(knabla.Error, match="INPUT1") as missing:
        function("add-sub")(np.zeros((1, 16), np.int32))
    assert missing.value.status == 400
    with pytest.raises(knabla.Error, match="add-sub") as unknown:
        function("add-subb")(1)
    assert unknown.value.status == 404
    with pytest.raises(knabla.Error, match="no Gradient function"):
        function("add-sub").gradient(1, 2)


def test_takes_the_url_that_deploy_printed(server):
    with knabla.Function(server + "/functions/default/add-sub") as add_sub:
        assert add_sub.name == "add-sub"
        assert [tensor["name"] for tensor in add_sub.metadata["inputs"]] == ["INPUT0", "INPUT1"]
    with knabla.Function(server, "add-sub", version=1) as first:
        assert first(np.ones((1, 16)).astype(int), np.ones((1, 16), int))["OUTPUT0"].sum() == 32


def test_chooses_outputs(function, request_of):
    outputs = function("add-sub").infer(named=request_of("add-sub"), outputs=["OUTPUT1"])
    assert list(outputs) == ["OUTPUT1"]


def test_returns_loss_and_gradients(function):
    # f(x1, x2) = ln x1 + x1 x2 - sin x2
    loss, gradients = function("lecture").gradient(x1=2.0, x2=5.0)

    assert loss == pytest.approx(11.652071, abs=1e-4)
    assert gradients["x1"] == pytest.approx(5.5, abs=1e-4)
    assert gradients["x2"] == pytest.approx(2 - np.cos(5), abs=1e-4)


def test_products_with_the_jacobian(function):
    lecture = function("lecture")
    inputs = {"x1": np.float32(2), "x2": np.float32(5)}

    assert lecture.signature.differentiable_inputs == ("x1", "x2")
    assert lecture.apply(**inputs)["y"] == pytest.approx(11.652071, abs=1e-4)
    assert lecture.vjp(inputs, {"y": np.float32(2)}, of=["x1"])["x1"] == pytest.approx(11, abs=1e-4)
    assert lecture.jvp(inputs, {"x1": np.float32(1), "x2": np.float32(0)})["y"] == pytest.approx(5.5, abs=1e-4)


def test_trains_by_steps(function, request_of):
    training, batch = function("digits-training"), request_of("digits-training")

    first, second = training.step(**batch), training.step(**batch)

    assert second[0] == first[0] + 1
    assert second[1] < first[1]


def test_is_a_layer_of_torch(function):
    torch = pytest.importorskip("torch")
    import knabla.torch

    layer = knabla.torch.differentiable(function("lecture"))
    x1, x2 = torch.tensor(2.0, requires_grad=True), torch.tensor(5.0, requires_grad=True)

    (3 * layer(x1=x1 * 1, x2=x2)["y"]).backward()

    assert x1.grad.item() == pytest.approx(16.5, abs=1e-3)
    assert x2.grad.item() == pytest.approx(3 * (2 - np.cos(5)), abs=1e-3)
    assert torch.autograd.gradcheck(
        lambda a: layer(x1=a, x2=torch.tensor(5.0))["y"], x1, eps=1e-2, atol=1e-2, nondet_tol=1e-4)


def test_is_a_function_of_jax(function):
    jax = pytest.importorskip("jax")
    import knabla.jax

    lecture = knabla.jax.differentiable(function("lecture"))
    y = lambda x1, x2: 3 * lecture(x1=x1, x2=x2)["y"]

    by_x1, by_x2 = jax.jit(jax.grad(y, argnums=(0, 1)))(2.0, 5.0)
    many = jax.vmap(jax.grad(y), in_axes=(0, None))(jax.numpy.array([1.0, 2.0, 4.0]), 5.0)

    assert by_x1 == pytest.approx(16.5, abs=1e-3)
    assert by_x2 == pytest.approx(3 * (2 - np.cos(5)), abs=1e-3)
    np.testing.assert_allclose(many, 3 * (1 / np.array([1, 2, 4]) + 5), rtol=1e-4)


async def test_asynchronously(server, request_of):
    batch = request_of("digits-gradient")
    async with knabla.AsyncFunction(server, "digits-gradient") as gradient:
        both = await asyncio.gather(gradient(**batch), gradient.gradient(**batch))
        names = (await gradient.signature()).outputs

    assert names == ("logits",)
    np.testing.assert_allclose(both[0]["loss"], both[1][0], rtol=1e-5)
    assert both[1][1]["image"].shape == batch["image"].shape


def test_does_not_need_torch_or_jax():
    import subprocess
    import sys

    loaded = subprocess.run(
        [sys.executable, "-c", "import sys, knabla; print('torch' in sys.modules, 'jax' in sys.modules)"],
        capture_output=True, text=True, check=True).stdout
    assert loaded.split() == ["False", "False"]
