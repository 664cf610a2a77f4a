package io.knabla.controller.cli.tensors;

import io.knabla.controller.cli.CliFailure;
import io.knabla.functions.compiler.onnx.NumpyArray;
import io.knabla.functions.unit.DataType;

/** Reads a {@code .npy} file, NumPy's format for one array, as an input tensor. */
final class NumpyFile {
    private NumpyFile() {}

    static Tensor tensor(String name, byte[] file) {
        try {
            NumpyArray array = NumpyArray.read(file);
            DataType type = DataType.ofOnnx(array.element().number()).orElseThrow();
            return new Tensor(name, type.name(), array.shape(), array.bytes());
        } catch (IllegalArgumentException unusable) {
            throw CliFailure.failed("the .npy file %s", unusable.getMessage());
        }
    }
}
