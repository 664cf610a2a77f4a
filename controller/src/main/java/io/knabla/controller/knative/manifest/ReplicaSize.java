package io.knabla.controller.knative.manifest;

import io.knabla.functions.compiler.analyze.Analysis.Suggestion;
import io.knabla.functions.spec.FunctionSpec;
import io.knabla.functions.spec.FunctionSpec.Pool;
import io.knabla.functions.spec.FunctionSpec.Resources;
import java.util.Optional;

/**
 * CPU, memory and GPUs of a replica's container.
 *
 * @param milliCpu request; a replica may use idle CPU of the node beyond it
 * @param memoryBytes request and limit
 * @param gpu number of GPUs
 */
public record ReplicaSize(long milliCpu, long memoryBytes, int gpu) {
    private static final long MIB = 1L << 20;

    /** Suggestion of the analysis for the smallest models. */
    private static final Suggestion SMALLEST = new Suggestion("cpu", 500, 256 * MIB, "");

    /** @param analysed values for {@code auto} in the spec; empty for a unit packaged before analyses were stored */
    public static ReplicaSize of(FunctionSpec spec, Optional<Suggestion> analysed) {
        Resources resources = spec.resources();
        Suggestion suggestion = analysed.orElse(SMALLEST);
        boolean onGpu = spec.chosenPool() == Pool.gpu;
        return new ReplicaSize(
                resources.milliCpu().orElse(suggestion.milliCpu()),
                resources.memoryBytes().orElse(suggestion.memoryBytes()),
                onGpu ? Math.max(1, resources.gpu()) : 0);
    }

    Resources resources() {
        return new Resources(Optional.of(milliCpu), Optional.of(memoryBytes), gpu);
    }
}
