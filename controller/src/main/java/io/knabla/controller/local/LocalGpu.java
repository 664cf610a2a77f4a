package io.knabla.controller.local;

import io.knabla.controller.machine.Node;
import io.knabla.controller.machine.Node.CapacityType;
import io.knabla.controller.platform.ReplicaEnvironment;
import io.knabla.functions.spec.FunctionSpec.Pool;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Whether this machine seems to have a GPU, and the environment of processes that compute on it; these find the
 * libraries themselves.
 */
final class LocalGpu {
    private static final String HOME = "KNABLA_CUDA_HOME";

    /** Makes the measurement of the GPU smaller, for tests. */
    private static final String CALIBRATION_DIVISOR = "KNABLA_CALIBRATION_DIVISOR";

    /** Variables by which such a process finds its libraries and its device, and holds to its memory. */
    private static final List<String> INHERITED =
            List.of(HOME, "KNABLA_GPU_MEMORY_BYTES", "CUDA_VISIBLE_DEVICES", "XDG_CACHE_HOME", CALIBRATION_DIVISOR);

    /** NVIDIA's driver makes it. */
    private static final Path DRIVER = Path.of("/dev/nvidiactl");

    /** Replicas share the GPU in time; how many it holds its memory tells. */
    private static final int SLOTS = 4;

    private static final int WHOLE = 1;

    private LocalGpu() {}

    /** Whether this machine seems to have one: a driver, or a folder of CUDA libraries that somebody named. */
    static boolean isExpected(Map<String, String> surroundings) {
        return !surroundings.getOrDefault(HOME, "").isBlank() || Files.exists(DRIVER);
    }

    /** The nodes, and one for the GPU if this machine seems to have one. */
    static List<Node> joined(List<Node> nodes, Map<String, String> surroundings) {
        List<Node> all = new ArrayList<>(nodes);
        if (isExpected(surroundings)) {
            all.add(new Node("gpu-a", Pool.gpu, CapacityType.OnDemand, "local", "local-a", SLOTS));
        }
        return List.copyOf(all);
    }

    /** @param taken the node of each workload that runs */
    static boolean hasFreeSlot(List<Node> nodes, List<String> taken) {
        return nodes.stream()
                .filter(node -> node.pool() == Pool.gpu)
                .anyMatch(node -> Collections.frequency(taken, node.name()) < node.slots());
    }

    /**
     * What a process gets that waits for a function on this pool, whose share of the GPU it learns with the function.
     */
    static Map<String, String> ofMember(Pool pool, Map<String, String> surroundings) {
        return environment(pool, WHOLE, surroundings);
    }

    /**
     * What a process that serves or tries a function on this pool gets besides.
     *
     * @param parts shares of the GPU, of whose memory it may have one
     * @param surroundings variables of this process
     */
    static Map<String, String> environment(Pool pool, int parts, Map<String, String> surroundings) {
        return switch (pool) {
            case cpu, auto -> Map.of();
            case gpu -> {
                Map<String, String> environment = new TreeMap<>(surroundings);
                environment.keySet().retainAll(INHERITED);
                environment.putAll(ReplicaEnvironment.ofDevice(pool, parts));
                yield environment;
            }
        };
    }
}
