package io.knabla.runtime.engine;

import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtLoggingLevel;
import ai.onnxruntime.OrtSession;
import ai.onnxruntime.OrtSession.SessionOptions;
import java.nio.file.Path;

/** Opens ONNX Runtime sessions the way a replica wants them: quick to start, quiet when idle. */
final class Sessions {
    /**
     * Packing weights for the matrix kernels copies all of them. Above this size a start is faster
     * without (100 MB: 4 ms against 76), and the pages stay shared between replicas; below it
     * packing costs a millisecond or two and each run is up to a third faster.
     */
    static final long PREPACK_BELOW_BYTES = 16L << 20;

    private Sessions() {}

    /** Loads the engine itself, which is most of the time before a first session. */
    static OrtEnvironment environment() {
        return OrtEnvironment.getEnvironment(OrtLoggingLevel.ORT_LOGGING_LEVEL_ERROR, "knabla");
    }

    static OrtSession open(Path graph, long weightBytes, int threads) throws OrtException {
        OrtEnvironment environment = environment();
        try (var options = new SessionOptions()) {
            options.setIntraOpNumThreads(threads);
            options.setInterOpNumThreads(1);
            // A spinning thread pool wins microseconds and burns a core of an idle replica.
            options.addConfigEntry("session.intra_op.allow_spinning", "0");
            if (weightBytes >= PREPACK_BELOW_BYTES) {
                options.addConfigEntry("session.disable_prepacking", "1");
            }
            return environment.createSession(graph.toString(), options);
        }
    }
}
