package io.knabla.runtime.engine;

import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession.SessionOptions;
import ai.onnxruntime.OrtSession.SessionOptions.OptLevel;
import java.nio.file.Path;

/**
 * Lets the engine rewrite a graph once and for all. It fuses what it can but merges no equal nodes:
 * where a graph computes a value again, it does so to save memory. The result is run as it is, since
 * a second round of fusions would renumber the nodes, and with them change the order of the run.
 */
public final class OfflineOptimizer {
    private static final String WEIGHTS_FILE =
            "session.optimized_model_external_initializers_file_name";
    private static final String WEIGHTS_FROM =
            "session.optimized_model_external_initializers_min_size_in_bytes";

    /** As where packaging moves weights out of a graph's file. */
    private static final String LEAST_BYTES = "1024";

    private OfflineOptimizer() {}

    /**
     * Writes the rewritten graph.
     *
     * @param weights name of a file beside {@code to}, which is written where the graph has weights of
     *     at least 1 KiB
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
}
