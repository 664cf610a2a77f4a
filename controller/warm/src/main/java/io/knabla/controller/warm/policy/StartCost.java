package io.knabla.controller.warm.policy;

/**
 * What a start takes and what the started replica holds, by layer.
 *
 * @param sandboxSeconds to place the replica and start its container
 * @param runtimeSeconds to start the process with its engine
 * @param modelSeconds to fetch and load the model
 * @param sandboxGb memory of an empty container, in GB of 10^9 bytes
 * @param runtimeGb what the process adds
 * @param modelGb what the model adds
 */
public record StartCost(
        double sandboxSeconds,
        double runtimeSeconds,
        double modelSeconds,
        double sandboxGb,
        double runtimeGb,
        double modelGb) {
    private static final double SANDBOX_GB = 0.010;
    private static final double RUNTIME_GB = 0.030;

    public StartCost {
        if (!(sandboxSeconds >= 0 && runtimeSeconds >= 0 && modelSeconds >= 0)) {
            throw new IllegalArgumentException("phases of a start must not be negative");
        }
        if (!(sandboxGb >= 0 && runtimeGb >= 0 && modelGb >= 0 && sandboxGb + runtimeGb + modelGb > 0)) {
            throw new IllegalArgumentException("memory must not be negative, and in sum positive");
        }
    }

    /**
     * The wake of a function of 1 MB on a quiet test cluster, measured by {@code ./knabla bench cluster}: 1,349 ms, of
     * them boot 187, fetch 226 and load 10; a generic replica without a model holds 40 MB.
     */
    public static StartCost measured(double replicaGb) {
        double sandbox = Math.min(SANDBOX_GB, replicaGb);
        double runtime = Math.min(RUNTIME_GB, replicaGb - sandbox);
        return new StartCost(0.926, 0.187, 0.236, sandbox, runtime, replicaGb - sandbox - runtime);
    }

    public double seconds() {
        return sandboxSeconds + runtimeSeconds + modelSeconds;
    }

    public double gb() {
        return sandboxGb + runtimeGb + modelGb;
    }
}
