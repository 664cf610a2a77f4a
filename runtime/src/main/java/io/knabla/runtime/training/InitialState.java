package io.knabla.runtime.training;

import io.knabla.functions.unit.safetensors.Header;
import io.knabla.functions.unit.safetensors.SafeTensors;
import io.knabla.functions.unit.safetensors.TensorEntry;
import io.knabla.runtime.engine.Tensor;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Loads the state before the first step: the tensors in the unit's file, zeros for the rest. */
final class InitialState {
    private InitialState() {}

    static void load(Path file, List<Tensor> state) {
        state.forEach(InitialState::clear);
        try (InputStream in = new BufferedInputStream(Files.newInputStream(file))) {
            Header header = SafeTensors.readHeader(in);
            SafeTensors.readData(in, header, slot -> place(file, slot, state));
        } catch (IOException failed) {
            throw new UncheckedIOException("cannot read the initial state in " + file.getParent(), failed);
        }
    }

    private static ByteBuffer place(Path file, TensorEntry slot, List<Tensor> state) {
        for (Tensor tensor : state) {
            if (tensor.name().equals(slot.name())) {
                StateReader.checkFits(file.toString(), slot, tensor);
                return tensor.data().duplicate();
            }
        }
        throw new IllegalStateException(
                "the initial state holds '%s', which this unit does not train; deploy the function again"
                        .formatted(slot.name()));
    }

    private static void clear(Tensor tensor) {
        ByteBuffer data = tensor.data().duplicate();
        while (data.remaining() >= Long.BYTES) {
            data.putLong(0);
        }
        while (data.hasRemaining()) {
            data.put((byte) 0);
        }
    }
}
