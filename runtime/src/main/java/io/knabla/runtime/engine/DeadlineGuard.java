package io.knabla.runtime.engine;

import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession.RunOptions;

/** Runs the engine's native code under a request's deadline. */
interface DeadlineGuard {
    /** Native work that stops when its run options are terminated. */
    interface Work<T> {
        T run(RunOptions options) throws OrtException;
    }

    /** Runs the work and returns its result; throws an {@link EngineException} on failure or timeout. */
    <T> T run(Work<T> work);
}
