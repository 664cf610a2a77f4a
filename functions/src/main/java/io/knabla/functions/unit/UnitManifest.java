package io.knabla.functions.unit;

import java.util.List;

/**
 * What a unit consists of. A unit's own digest is the SHA-256 of this document's canonical JSON, so
 * the digest fixes every byte that a replica will run.
 *
 * @param schema version of this document; a reader refuses a newer one
 * @param graph the ONNX model; its large initializers are external data whose {@code location} is
 *     the hex digest of a blob in {@code weights} (offset 0, length = the blob's size)
 * @param inputs in the model's order, initializers excluded
 * @param batchable whether every input and output has the same variable first dimension, so that
 *     requests may be joined along it
 */
public record UnitManifest(
        int schema,
        Blob graph,
        List<Blob> weights,
        List<TensorSpec> inputs,
        List<TensorSpec> outputs,
        boolean batchable,
        ModelVersion model) {
    public static final int SCHEMA = 1;

    /** Versions that decide whether an engine can load the model. */
    public record ModelVersion(long irVersion, long opset) {}

    public UnitManifest {
        weights = List.copyOf(weights);
        inputs = List.copyOf(inputs);
        outputs = List.copyOf(outputs);
    }

    /** Bytes of weights outside the graph file. */
    public long weightBytes() {
        long sum = 0;
        for (Blob weight : weights) {
            sum += weight.size();
        }
        return sum;
    }
}
