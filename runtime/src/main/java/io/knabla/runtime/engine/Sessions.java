package io.knabla.runtime.engine;

import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtLoggingLevel;
import ai.onnxruntime.OrtSession;
import ai.onnxruntime.OrtSession.SessionOptions;
import ai.onnxruntime.OrtSession.SessionOptions.OptLevel;
import io.knabla.functions.unit.Optimization;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Opens ONNX Runtime sessions tuned for a replica: fast to start, no CPU when idle. */
final class Sessions {
    /**
     * Models with at least this many weight bytes are mapped as they are and not prepacked for the matrix kernels:
     * packing copies all weights into private memory of this replica. CPU time that packing adds until the first
     * answer, and the cost of a run without it relative to one with it (MLPs; medians of 7 interleaved starts for one
     * row, of 3 for 32 rows):
     *
     * <pre>
     *          start     1 row   32 rows
     *  1 MB    1.3 ms    1.16
     *  4 MB    3.8 ms    1.00    1.57
     * 16 MB   20   ms    1.02    1.57
     * 32 MB   36   ms    0.97
     * 64 MB   78   ms    1.07
     * </pre>
     *
     * <p>A whole start takes 110 ms of CPU time. Up to this limit packing adds less than a fifth and speeds up every
     * batch; far above it a start would miss its target.
     */
    static final long PREPACK_BELOW_BYTES = 16L << 20;

    /** Session option that lists the optimisers to disable. */
    static final String DISABLED_OPTIMIZERS_KEY = "optimization.disable_specified_optimizers";

    /** Optimiser that merges equal nodes, including values that a graph recomputes to save memory. */
    static final String CSE_OPTIMIZER = "CommonSubexpressionElimination";

    /**
     * Optimisers that can make of a valid graph one that the engine rejects (seen with 1.29): the one that moves
     * transposes, and the one that folds constants, which drops a value whose shape is known though a branch of an If
     * with a constant condition reads it.
     */
    private static final List<String> SPOILERS = List.of("TransposeOptimizer", "ConstantFolding");

    private static volatile boolean requested;

    private Sessions() {}

    /** Whether the native library is loaded, or is being loaded. */
    static boolean isRequested() {
        return requested;
    }

    /** Loads the native library on first use, which takes most of the time before the first session. */
    static OrtEnvironment environment() {
        requested = true;
        return OrtEnvironment.getEnvironment(OrtLoggingLevel.ORT_LOGGING_LEVEL_ERROR, "knabla");
    }

    /**
     * @param lean whether to save memory at the cost of more allocator calls. The engine's memory pattern allocates one
     *     block for all values beside those of the first run, which doubles the process's memory (12-layer GPT step:
     *     611 MB instead of 296)
     */
    static OrtSession open(Path graph, Optimization optimization, long weightBytes, int threads, boolean lean)
            throws OrtException {
        return open(graph, optimization, weightBytes, threads, lean, Device.CPU);
    }

    /**
     * The same on a device.
     *
     * @param lean also whether the device computes with all digits: what saves memory are gradients and training
     */
    static OrtSession open(
            Path graph, Optimization optimization, long weightBytes, int threads, boolean lean, Device device)
            throws OrtException {
        if (optimization == Optimization.NO_CSE) {
            Optional<Path> rewritten = OfflineOptimizer.optimizedCopy(graph, device);
            if (rewritten.isPresent()) {
                return open(rewritten.get(), Optimization.NONE, weightBytes, threads, lean, device);
            }
        }
        String without = optimization == Optimization.NO_CSE ? CSE_OPTIMIZER + ";" : "";
        try (SessionOptions options = options(optimization, weightBytes, threads, lean, device)) {
            return open(graph, options, without);
        } catch (OrtException refused) {
            // The graph itself may be valid: try again without an optimiser that can break it.
            for (String spoiler : optimization == Optimization.NONE ? List.<String>of() : SPOILERS) {
                try (SessionOptions options = options(optimization, weightBytes, threads, lean, device)) {
                    return open(graph, options, without + spoiler);
                } catch (OrtException again) {
                    refused.addSuppressed(again);
                }
            }
            throw refused;
        }
    }

    private static SessionOptions options(
            Optimization optimization, long weightBytes, int threads, boolean lean, Device device) throws OrtException {
        var options = new SessionOptions();
        options.setIntraOpNumThreads(threads);
        options.setInterOpNumThreads(1);
        options.setMemoryPatternOptimization(!lean);
        // A spinning thread pool saves microseconds but burns a core of an idle replica.
        options.addConfigEntry("session.intra_op.allow_spinning", "0");
        device.configure(options, weightBytes, lean);
        if (optimization == Optimization.NONE) {
            options.setOptimizationLevel(OptLevel.NO_OPT);
        }
        return options;
    }

    /** @param without names of the optimisers to disable */
    private static OrtSession open(Path graph, SessionOptions options, String without) throws OrtException {
        if (!without.isEmpty()) {
            options.addConfigEntry(DISABLED_OPTIMIZERS_KEY, without);
        }
        return environment().createSession(graph.toString(), options);
    }
}
