package io.knabla.controller.knative.manifest;

import io.knabla.functions.compiler.analyze.Analysis.Suggestion;
import io.knabla.functions.spec.FunctionSpec;
import io.knabla.functions.spec.FunctionSpec.Pool;
import io.knabla.functions.spec.FunctionSpec.Resources;
import java.util.Optional;

/**
 * CPU, memory and GPUs of a replica's container, and the size of the unit that it fetches.
 *
 * @param milliCpu request; a replica may use idle CPU of the node beyond it
 * @param memoryBytes request and limit
 * @param gpu number of GPUs, or a share of one
 * @param unitBytes of the unit's files; 0 if unknown
 */
public record ReplicaSize(long milliCpu, long memoryBytes, double gpu, long unitBytes) {
    private static final long MIB = 1L << 20;

    /** A quarter of the {@code /dev/shm} that container runtimes give a pod. */
    private static final long MOST_IN_MEMORY = 16 * MIB;

    private static final int MEMORY_SHARE = 8;

    /** Suggestion of the analysis for the smallest models. */
    private static final Suggestion SMALLEST = new Suggestion("cpu", 500, 256 * MIB, "");

    /** @param analysed values for {@code auto} in the spec; empty for a unit packaged before analyses were stored */
    public static ReplicaSize of(FunctionSpec spec, Optional<Suggestion> analysed, long unitBytes) {
        Resources resources = spec.resources();
        Suggestion suggestion = analysed.orElse(SMALLEST);
        boolean onGpu = spec.chosenPool() == Pool.gpu;
        return new ReplicaSize(
                resources.milliCpu().orElse(suggestion.milliCpu()),
                resources.memoryBytes().orElse(suggestion.memoryBytes()),
                onGpu ? gpus(resources) : 0,
                unitBytes);
    }

    private static double gpus(Resources resources) {
        return resources.gpu() == 0 ? 1 : resources.gpu();
    }

    /**
     * Whether the unit is kept in memory instead of on a volume. A pod with a volume starts 0.3 s later: that is how
     * long the kubelet waits before it looks a second time whether the volumes are mounted (Kubernetes 1.34,
     * {@code podAttachAndMountRetryInterval}). A training step writes files of its own.
     */
    boolean keepsUnitInMemory(FunctionSpec spec) {
        boolean small = unitBytes <= Math.min(MOST_IN_MEMORY, memoryBytes / MEMORY_SHARE);
        return unitBytes > 0 && small && !spec.writesToStore();
    }

    Resources resources() {
        return new Resources(Optional.of(milliCpu), Optional.of(memoryBytes), gpu);
    }
}
