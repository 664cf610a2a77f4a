import numpy as np
import pytest

from knabla import _wire


@pytest.mark.parametrize("datatype, array", [
    ("FP32", np.array([[1.5, np.nan], [np.inf, -0.0]], np.float32)),
    ("INT64", np.arange(6).reshape(2, 3)[:, ::-1]),
    ("BOOL", np.array([True, False])),
    ("FP16", np.float16(0.5)),
    ("UINT8", np.zeros((0, 4), np.uint8)),
    ("BYTES", np.array([b"", b"two", "drei ü".encode()], object)),
])
def test_what_is_encoded_is_decoded(datatype, array):
    tensor = {"name": "x", "datatype": datatype}
    body, headers = _wire.encode([(tensor, _wire.cast(array, tensor))], [])
    answer = body.replace(b'"inputs"', b'"outputs"', 1)

    decoded = _wire.decode(answer, str(int(headers[_wire.HEADER_LENGTH]) + 1))["x"]

    assert decoded.shape == np.shape(array)
    np.testing.assert_array_equal(decoded, array)


def test_texts_are_sent_in_utf8():
    tensor = {"name": "x", "datatype": "BYTES"}
    body, _ = _wire.encode([(tensor, _wire.cast(["ü"], tensor))], [])
    assert body.endswith(b"\x02\x00\x00\x00\xc3\xbc")


@pytest.mark.parametrize("array", [np.float32(2), np.arange(4, dtype=">i4").reshape(2, 2), np.array([True])])
def test_arrays_of_tesseract_keep_shape_and_values(array):
    packed = _wire.pack(array)

    assert packed["dtype"] in ("float32", "int32", "bool")
    np.testing.assert_array_equal(_wire.unpack(packed), array)


@pytest.mark.parametrize("value, datatype", [([0.5], "INT32"), (["a"], "FP32"), ([1], "BOOL"), ([1.0], "BF16")])
def test_nothing_is_cast_that_would_change(value, datatype):
    with pytest.raises(TypeError, match="'x'"):
        _wire.cast(value, {"name": "x", "datatype": datatype})
