package io.knabla.runtime.engine;

import ai.onnxruntime.OrtException;
import java.util.List;

/** A run that gave no answer; the code says whose turn it is to act. */
public final class EngineException extends RuntimeException {
    /** Why there is no answer. */
    public enum Code {
        /** All slots and the queue are taken; trying again later may work. */
        BUSY,
        /** The request's time was up and the engine was stopped. */
        TIMED_OUT,
        /** The engine refused or failed on these inputs. */
        FAILED,
        /** These inputs ask for what the model does not have; others may do. */
        BAD_INDEX,
        /** The model could not be loaded. */
        UNLOADABLE,
        /** A training step that would have spoilt the state, which was kept. */
        NOT_FINITE,
        /** A training step that was not kept; trying again may work. */
        NOT_KEPT
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
        return new EngineException(Code.FAILED, "the engine failed on this request: " + cause.getMessage(), cause);
    }

    /** @param inputs of the run that failed so */
    static EngineException of(OrtException cause, List<Tensor> inputs) {
        return BadIndex.in(cause.getMessage())
                .map(bad -> new EngineException(Code.BAD_INDEX, bad.sentence(inputs), cause))
                .orElseGet(() -> failed(cause));
    }

    static EngineException unloadable(Throwable cause) {
        return new EngineException(Code.UNLOADABLE, "the engine cannot load this model: " + cause.getMessage(), cause);
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
