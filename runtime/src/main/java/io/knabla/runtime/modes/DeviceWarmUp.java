package io.knabla.runtime.modes;

import io.knabla.functions.unit.DataType;
import io.knabla.runtime.benchmark.TinyModel;
import io.knabla.runtime.engine.Device;
import io.knabla.runtime.engine.EngineException;
import io.knabla.runtime.engine.RawSession;
import io.knabla.runtime.engine.Tensor;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Runs the operators of most models once on a GPU, so that their kernels are loaded before a model comes. */
final class DeviceWarmUp {
    private static final int SIDE = 64;
    private static final int WINDOW = 3;

    private DeviceWarmUp() {}

    /**
     * @param folder for the models
     * @throws EngineException if the device cannot compute; without cuDNN it can, though no convolutions
     */
    static void run(Device device, Path folder) throws IOException {
        run(
                "MatMul",
                TinyModel.binary("MatMul"),
                List.of(zeros("a", SIDE, SIDE), zeros("b", SIDE, SIDE)),
                device,
                folder);
        run("Softmax", TinyModel.unary("Softmax"), List.of(zeros("a", SIDE, SIDE)), device, folder);
        try {
            run(
                    "Conv",
                    TinyModel.binary("Conv"),
                    List.of(zeros("a", 1, 1, SIDE, SIDE), zeros("b", 1, 1, WINDOW, WINDOW)),
                    device,
                    folder);
        } catch (EngineException failed) {
            switch (failed.code()) {
                case UNLOADABLE, FAILED, BAD_INDEX, NOT_FINITE, NOT_KEPT, BUSY, TIMED_OUT -> {}
                case OUT_OF_DEVICE_MEMORY, DEVICE_LOST -> throw failed;
            }
        }
    }

    private static void run(String name, byte[] model, List<Tensor> inputs, Device device, Path folder)
            throws IOException {
        Path file = Files.write(folder.resolve(name + ".onnx"), model);
        try (var session = RawSession.open(file, 1, device, false)) {
            session.run(inputs);
        } finally {
            inputs.forEach(Tensor::close);
        }
    }

    private static Tensor zeros(String name, long... shape) {
        long elements = 1;
        for (long size : shape) {
            elements *= size;
        }
        return Tensor.numbers(name, DataType.FP32, shape, ByteBuffer.allocateDirect((int) (elements * Float.BYTES)));
    }
}
