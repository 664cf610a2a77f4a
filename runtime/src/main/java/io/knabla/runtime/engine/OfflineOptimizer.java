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
 * Lets the engine rewrite a graph once and for all. It fuses what it can but merges no equal nodes: where a graph
 * computes a value again, it does so to save memory. The result is run as it is, since a second round of fusions would
 * renumber the nodes, and with them change the order of the run.
 */
public final class OfflineOptimizer {
    private static final String WEIGHTS_FILE = "session.optimized_model_external_initializers_file_name";
    private static final String WEIGHTS_FROM = "session.optimized_model_external_initializers_min_size_in_bytes";

    /** As where packaging moves weights out of a graph's file. */
    private static final String LEAST_BYTES = "1024";

    private OfflineOptimizer() {}

    /**
     * Writes the rewritten graph.
     *
     * @param weights name of a file beside {@code to}, which is written where the graph has weights of at least 1 KiB
     */
    public static void optimize(Path graph, Path to, String weights) {
        OrtEnvironment environment = Sessions.environment();
        try (var options = new SessionOptions()) {
            // Above this level the result would be bound to this machine's instructions.
            options.setOptimizationLevel(OptLevel.EXTENDED_OPT);
            options.addConfigEntry(Sessions.WITHOUT, Sessions.MERGING);
            options.setOptimizedModelFilePath(to.toString());
            options.addConfigEntry(WEIGHTS_FILE, weights);
            options.addConfigEntry(WEIGHTS_FROM, LEAST_BYTES);
            environment.createSession(graph.toString(), options).close();
        } catch (OrtException refused) {
            throw EngineException.unloadable(refused);
        }
    }

    /**
     * The rewritten graph, beside the graph itself and kept there for the next start; empty where that folder cannot be
     * written.
     */
    static Optional<Path> beside(Path graph) {
        // Another version of the engine may fuse to other operators.
        String name = "optimized-" + Sessions.environment().getVersion() + "-";
        Path done = graph.resolveSibling(name + graph.getFileName());
        if (Files.exists(done)) {
            return Optional.of(done);
        }
        String own = Long.toUnsignedString(System.nanoTime(), Character.MAX_RADIX);
        String unique = ProcessHandle.current().pid() + "-" + own;
        Path half = graph.resolveSibling(name + unique + ".tmp");
        try {
            // Of several replicas that do this at once each writes weights of its own, and the last
            // wins.
            optimize(graph, half, name + unique + ".weights");
            Files.move(half, done, StandardCopyOption.ATOMIC_MOVE);
            return Optional.of(done);
        } catch (IOException | EngineException unwritable) {
            return Optional.empty();
        }
    }
}
