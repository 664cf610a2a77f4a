package io.knabla.controller.cluster.knative.manifest;

import io.knabla.functions.analyze.Analysis.Suggestion;
import io.knabla.functions.spec.FunctionSpec;
import io.knabla.functions.spec.FunctionSpec.Pool;
import io.knabla.functions.spec.FunctionSpec.Resources;
import java.util.Optional;

/**
 * What a replica's container asks for.
 *
 * @param milliCpu requested; a replica may use more where the node has it
 * @param memoryBytes requested, and its limit
 * @param gpu whole ones
 */
public record Size(long milliCpu, long memoryBytes, int gpu) {
    private static final long MIB = 1L << 20;

    /** What the analysis says of the smallest models. */
    private static final Suggestion SMALLEST = new Suggestion("cpu", 500, 256 * MIB, "");

    /**
     * @param analysed for what the spec leaves {@code auto}; empty for a unit that was packaged before analyses were
     *     kept
     */
    public static Size of(FunctionSpec spec, Optional<Suggestion> analysed) {
        Resources resources = spec.resources();
        Suggestion suggestion = analysed.orElse(SMALLEST);
        boolean onGpu = SlotPlan.pool(spec) == Pool.gpu;
        return new Size(
                resources.milliCpu().orElse(suggestion.milliCpu()),
                resources.memoryBytes().orElse(suggestion.memoryBytes()),
                onGpu ? Math.max(1, resources.gpu()) : 0);
    }

    Resources resources() {
        return new Resources(Optional.of(milliCpu), Optional.of(memoryBytes), gpu);
    }
}
