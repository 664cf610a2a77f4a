package io.knabla.runtime.engine;

import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession.SessionOptions;
import ai.onnxruntime.OrtSession.SessionOptions.OptLevel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;

/**
 * Optimises a graph ahead of time with the engine's fusions, but without merging equal nodes: a graph that computes a
 * value twice does so to save memory. The result must run without further optimisation, because a second round of
 * fusions renumbers the nodes and so changes their execution order.
 */
public final class OfflineOptimizer {
    private static final String WEIGHTS_FILE = "session.optimized_model_external_initializers_file_name";
    private static final String WEIGHTS_FROM = "session.optimized_model_external_initializers_min_size_in_bytes";

    /** The threshold at which packaging moves weights out of a graph's file. */
    private static final String LEAST_BYTES = "1024";

    private OfflineOptimizer() {}

    /**
     * Writes the optimised graph.
     *
     * @param weights name of the weights file beside {@code to}; written only if the graph has weights of at least 1
     *     KiB
     */
    public static void optimize(Path graph, Path to, String weights) {
        optimize(graph, to, weights, Device.CPU);
    }

    private static void optimize(Path graph, Path to, String weights, Device device) {
        OrtEnvironment environment = Sessions.environment();
        try (var options = new SessionOptions()) {
            // Higher levels bind the result to this machine's instruction set.
            options.setOptimizationLevel(OptLevel.EXTENDED_OPT);
            options.addConfigEntry(Sessions.DISABLED_OPTIMIZERS_KEY, Sessions.CSE_OPTIMIZER);
            device.configure(options, 0, true);
            options.setOptimizedModelFilePath(to.toString());
            options.addConfigEntry(WEIGHTS_FILE, weights);
            options.addConfigEntry(WEIGHTS_FROM, LEAST_BYTES);
            environment.createSession(graph.toString(), options).close();
        } catch (OrtException refused) {
            throw device.unloadable(refused);
        }
    }

    /**
     * Returns the optimised copy of a graph, which is kept beside it for the next start; writes it if missing. Empty if
     * that folder is not writable.
     */
    static Optional<Path> optimizedCopy(Path graph, Device device) {
        // Another engine version, or another device, may fuse into other operators.
        String name = "optimized-" + device.fileMark() + Sessions.environment().getVersion() + "-";
        Path done = graph.resolveSibling(name + graph.getFileName());
        if (Files.exists(done)) {
            return Optional.of(done);
        }
        String own = Long.toUnsignedString(System.nanoTime(), Character.MAX_RADIX);
        String unique = ProcessHandle.current().pid() + "-" + own;
        Path half = graph.resolveSibling(name + unique + ".tmp");
        try {
            // Concurrent replicas each write their own weights file; the last rename wins.
            optimize(graph, half, name + unique + ".weights", device);
            Files.move(half, done, StandardCopyOption.ATOMIC_MOVE);
            return Optional.of(done);
        } catch (IOException | EngineException unwritable) {
            return Optional.empty();
        }
    }
}
