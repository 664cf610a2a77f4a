package io.knabla.runtime.engine;

import ai.onnxruntime.OrtException;
import java.util.List;

/** Thrown when a run yields no result; its code says whether to retry, change the request or fix the model. */
public final class EngineException extends RuntimeException {
    /** Why there is no result. */
    public enum Code {
        /** All slots and the queue are full; a retry may succeed. */
        BUSY,
        /** The request exceeded its timeout and the run was stopped. */
        TIMED_OUT,
        /** The engine rejected these inputs or failed on them. */
        FAILED,
        /** The inputs contain an out-of-range index. */
        BAD_INDEX,
        /** The model could not be loaded. */
        UNLOADABLE,
        /** The training step produced values that are not finite; the state is unchanged. */
        NOT_FINITE,
        /** The training step could not be stored; a retry may succeed. */
        NOT_KEPT,
        /** The GPU's memory, or this model's share of it, is full; a retry may succeed. */
        OUT_OF_DEVICE_MEMORY,
        /** The GPU, or this process's access to it, is lost; only another process may succeed. */
        DEVICE_LOST
    }

    private final Code code;

    private EngineException(Code code, String message, Throwable cause) {
        super(message, cause, false, code != Code.BUSY);
        this.code = code;
    }

    public Code code() {
        return code;
    }

    static EngineException busy(int concurrency, int queue) {
        return new EngineException(
                Code.BUSY,
                "all %d slots are busy and %d requests wait already; try again later, or raise scaling.max or scaling.concurrency"
                        .formatted(concurrency, queue),
                null);
    }

    static EngineException timedOut(long timeoutMillis) {
        return new EngineException(
                Code.TIMED_OUT,
                "the request was stopped after %d ms; send less at once, or raise timeout in function.yaml"
                        .formatted(timeoutMillis),
                null);
    }

    static EngineException failed(Throwable cause) {
        return new EngineException(
                Code.FAILED, "the engine failed on this request: " + explained(cause.getMessage()), cause);
    }

    /** @param inputs inputs of the failed run */
    static EngineException of(OrtException cause, List<Tensor> inputs) {
        return BadIndex.parse(cause.getMessage())
                .map(bad -> new EngineException(Code.BAD_INDEX, bad.sentence(inputs), cause))
                .orElseGet(() -> failed(cause));
    }

    static EngineException unloadable(Throwable cause) {
        return new EngineException(
                Code.UNLOADABLE, "the engine cannot load this model: " + explained(cause.getMessage()), cause);
    }

    /** @param sentence why the engine cannot be started, and what to do */
    static EngineException unloadable(String sentence) {
        return new EngineException(Code.UNLOADABLE, sentence, null);
    }

    /** A failure on a GPU while a model was loaded. */
    static EngineException ofLoad(CudaFailure failure, String sentence, OrtException cause) {
        return new EngineException(failure.kind().whenLoading(), sentence, cause);
    }

    /** A failure on a GPU in a run. */
    static EngineException ofRun(CudaFailure failure, String sentence, OrtException cause) {
        return new EngineException(failure.kind().whenRunning(), sentence, cause);
    }

    private static String explained(String message) {
        return MissingLocale.parse(message).map(MissingLocale::sentence).orElse(message);
    }

    static EngineException notFinite(String what) {
        return new EngineException(
                Code.NOT_FINITE,
                "the step was not taken, the state is as before: %s. Look for values in the inputs that are not finite or far too large, or lower the learning rate."
                        .formatted(what),
                null);
    }

    static EngineException raced(int times) {
        return new EngineException(
                Code.NOT_KEPT,
                "the step was not taken: other replicas changed the state %d times while it ran; call again, or set scaling.max to 1"
                        .formatted(times),
                null);
    }

    static EngineException notSaved(Throwable cause) {
        return new EngineException(
                Code.NOT_KEPT,
                "the step's state could not be saved, so it may not count: %s. Ask for the step number with the next call."
                        .formatted(cause.getMessage()),
                cause);
    }
}
