package io.knabla.runtime.train;

import io.knabla.functions.unit.safetensors.Header;
import io.knabla.functions.unit.safetensors.SafeTensors;
import io.knabla.runtime.units.TestReplica;
import io.knabla.storage.ObjectStore;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.Map;

/** Training state in the store, read without the replica's own reader. */
record StoredState(long step, Map<String, float[]> tensors) {
    static StoredState read(ObjectStore store) throws IOException {
        var in = new ByteArrayInputStream(
                store.read(TestReplica.STATE).orElseThrow().bytes());
        Header header = SafeTensors.readHeader(in);
        var bytes = new HashMap<String, ByteBuffer>();
        SafeTensors.readData(in, header, slot -> {
            var one = ByteBuffer.allocate((int) slot.bytes()).order(ByteOrder.LITTLE_ENDIAN);
            bytes.put(slot.name(), one);
            return one;
        });
        var tensors = new HashMap<String, float[]>();
        bytes.forEach((name, buffer) -> {
            float[] values = new float[buffer.capacity() / 4];
            buffer.flip().asFloatBuffer().get(values);
            tensors.put(name, values);
        });
        return new StoredState(Long.parseLong(header.metadata().get("step")), tensors);
    }
}
