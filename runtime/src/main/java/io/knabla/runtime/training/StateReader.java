package io.knabla.runtime.training;

import io.knabla.functions.unit.safetensors.Header;
import io.knabla.functions.unit.safetensors.SafeTensors;
import io.knabla.functions.unit.safetensors.TensorEntry;
import io.knabla.runtime.engine.Tensor;
import io.knabla.storage.ObjectKey;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads a state object, which must contain exactly the tensors that the unit trains. */
final class StateReader {
    private final ObjectKey key;
    private final Map<String, Tensor> state = new HashMap<>();

    StateReader(ObjectKey key, List<Tensor> state) {
        this.key = key;
        state.forEach(tensor -> this.state.put(tensor.name(), tensor));
    }

    /** Fills the tensors and returns the number of steps. */
    long read(InputStream in) throws IOException {
        Header header = SafeTensors.readHeader(in);
        if (header.entries().size() != state.size()) {
            throw unfit("it holds %d tensors, the unit has %d"
                    .formatted(header.entries().size(), state.size()));
        }
        SafeTensors.readData(in, header, this::place);
        String step = header.metadata().get(StateObject.STEP);
        try {
            return Long.parseLong(step);
        } catch (NumberFormatException missing) {
            throw unfit("its metadata 'step' is " + step);
        }
    }

    private ByteBuffer place(TensorEntry slot) {
        Tensor tensor = state.get(slot.name());
        if (tensor == null) {
            throw unfit("it holds '%s', which the unit does not train".formatted(slot.name()));
        }
        checkFits(key.toString(), slot, tensor);
        return tensor.data().duplicate();
    }

    private IllegalStateException unfit(String what) {
        return unfit(key.toString(), what);
    }

    private static IllegalStateException unfit(String where, String what) {
        return new IllegalStateException(
                "the state '%s' does not fit this unit: %s. Deploy the function under a new name, or delete the state."
                        .formatted(where, what));
    }

    static void checkFits(String where, TensorEntry slot, Tensor tensor) {
        long[] shape = slot.shape().stream().mapToLong(Long::longValue).toArray();
        if (slot.type() != tensor.type() || !Arrays.equals(shape, tensor.shape())) {
            throw unfit(
                    where,
                    "'%s' is %s %s, the unit has %s %s"
                            .formatted(
                                    slot.name(),
                                    slot.type(),
                                    slot.shape(),
                                    tensor.type(),
                                    Arrays.toString(tensor.shape())));
        }
    }
}
