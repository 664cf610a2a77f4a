package io.knabla.runtime.protocol;

import static io.knabla.runtime.protocol.ProtocolException.bad;

import io.knabla.functions.unit.DataType;
import io.knabla.functions.unit.TensorSpec;
import io.knabla.runtime.engine.Tensor;
import io.knabla.runtime.engine.TensorLease;
import io.knabla.runtime.engine.TensorPool;
import io.knabla.runtime.protocol.InferRequest.RequestedOutput;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Decodes the body of an {@code infer} request into tensors, or rejects it with a {@link ProtocolException}. */
public final class RequestDecoder {
    private final Signature signature;
    private final TensorPool pool;

    public RequestDecoder(Signature signature, TensorPool pool) {
        this.signature = signature;
        this.pool = pool;
    }

    /**
     * Decodes the first {@code length} bytes of {@code body}.
     *
     * @param headerLength the value of {@code Inference-Header-Content-Length}; null if absent
     */
    public InferRequest decode(byte[] body, int length, String headerLength) {
        return decode(body, length, headerLength, SharedMemory.NONE);
    }

    /** The same for a client that may use shared memory. */
    public InferRequest decode(byte[] body, int length, String headerLength, SharedMemory shared) {
        int json = headerLength == null ? length : headerLength(headerLength, length);
        return decode(body, json, new BinaryBytes(body, json, length), headerLength != null, shared);
    }

    /**
     * Decodes a request whose first {@code json} bytes are in memory, while its binary tensors are still to be read.
     */
    public InferRequest decodeBefore(byte[] body, int json, BinaryBody binary) {
        return decode(body, json, binary, true, SharedMemory.NONE);
    }

    private InferRequest decode(byte[] body, int json, BinaryBody binary, boolean mayBeRaw, SharedMemory shared) {
        var lease = new TensorLease(pool);
        try {
            return json == 0 && mayBeRaw
                    ? raw(lease, binary)
                    : new RequestParser(signature, lease, body, json, binary, shared).parse();
        } catch (RuntimeException | Error refused) {
            lease.giveBack();
            throw refused;
        }
    }

    private static int headerLength(String text, int length) {
        long value = -1;
        if (!text.isEmpty() && text.length() <= 10 && text.chars().allMatch(c -> c >= '0' && c <= '9')) {
            value = Long.parseLong(text);
        }
        if (value < 0 || value > length) {
            throw bad(
                    "Inference-Header-Content-Length is '%s'; write the bytes of the JSON part, 0 to %d",
                    Signature.cut(text), length);
        }
        return (int) value;
    }

    /** Decodes a raw request: the whole body is the only input; its one open dimension follows from the size. */
    private InferRequest raw(TensorLease lease, BinaryBody body) {
        if (signature.inputs().size() != 1) {
            throw bad(
                    "a raw request (Inference-Header-Content-Length: 0) needs a model with one input; this one has %d",
                    signature.inputs().size());
        }
        TensorSpec spec = signature.inputs().getFirst();
        int length = (int) body.left();
        Tensor tensor = spec.datatype() == DataType.BYTES
                ? Tensor.texts(
                        spec.name(), oneElement(spec), new byte[][] {BinaryTensorReader.text(body.take(length), spec)})
                : BinaryTensorReader.read(body, length, spec, deduce(spec, length), lease);
        return new InferRequest(null, signature.complete(new Tensor[] {tensor}), allOutputs(signature, true));
    }

    private static long[] oneElement(TensorSpec spec) {
        long[] shape = new long[spec.shape().size()];
        Arrays.fill(shape, 1);
        Signature.checkShape(spec, shape);
        return shape;
    }

    private static long[] deduce(TensorSpec spec, int length) {
        long fixed = spec.datatype().bytes();
        int open = -1;
        long[] shape = new long[spec.shape().size()];
        for (int d = 0; d < shape.length; d++) {
            shape[d] = spec.shape().get(d);
            if (shape[d] >= 0) {
                fixed *= shape[d];
            } else if (open < 0) {
                open = d;
            } else {
                throw bad(
                        "the shape of input '%s' is %s; a raw request can leave one dimension open, not several",
                        spec.name(), spec.shape());
            }
        }
        if (open >= 0) {
            shape[open] = fixed == 0 ? 0 : length / fixed;
        }
        return shape;
    }

    static List<RequestedOutput> allOutputs(Signature signature, boolean binary) {
        var all = new ArrayList<RequestedOutput>();
        for (int i = 0; i < signature.outputs().size(); i++) {
            all.add(new RequestedOutput(i, binary));
        }
        return all;
    }
}
