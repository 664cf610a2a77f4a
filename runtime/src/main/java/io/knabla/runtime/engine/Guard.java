package io.knabla.runtime.engine;

import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession.RunOptions;

/** Runs the engine's native code under a request's deadline. */
interface Guard {
    /** Native work that stops when its options say so. */
    interface Work<T> {
        T run(RunOptions options) throws OrtException;
    }

    /** What the work gave; an {@link EngineException} when it failed or was too late. */
    <T> T run(Work<T> work);
}
