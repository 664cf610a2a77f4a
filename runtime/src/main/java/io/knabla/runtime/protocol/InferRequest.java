package io.knabla.runtime.protocol;

import io.knabla.runtime.engine.Tensor;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;

/**
 * A decoded {@code infer} request, validated against the model's signature.
 *
 * @param id request id, echoed in the response; null for none
 * @param inputs in the model's order
 * @param outputs in the order requested
 * @param timeout the request's own; zero for none
 */
public record InferRequest(String id, List<Tensor> inputs, List<RequestedOutput> outputs, Duration timeout) {
    /** A request without a timeout of its own. */
    public InferRequest(String id, List<Tensor> inputs, List<RequestedOutput> outputs) {
        this(id, inputs, outputs, Duration.ZERO);
    }

    /**
     * One requested output.
     *
     * @param index index into the model's outputs
     * @param shared where to write it; null if the response holds it
     */
    public record RequestedOutput(int index, boolean binary, SharedPart shared) {
        public RequestedOutput(int index, boolean binary) {
            this(index, binary, null);
        }
    }

    /** A part of a shared memory region. */
    public record SharedPart(String region, long offset, ByteBuffer memory) {
        /** Rejects an output of {@code size} bytes that is larger than this part. */
        void checkRoom(String output, long size) {
            if (size > memory.remaining()) {
                throw ProtocolException.bad(
                        "output '%s' has %d bytes, but its part of shared memory region '%s' has %d",
                        output, size, region, memory.remaining());
            }
        }
    }

    /** For each of the model's {@code count} outputs, whether it must be computed. */
    public boolean[] wanted(int count) {
        boolean[] wanted = new boolean[count];
        for (RequestedOutput asked : outputs) {
            wanted[asked.index()] = true;
        }
        return wanted;
    }
}
