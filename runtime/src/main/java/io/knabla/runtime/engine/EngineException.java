package io.knabla.runtime.engine;

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
        /** The model could not be loaded. */
        UNLOADABLE
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
                Code.FAILED, "the engine failed on this request: " + cause.getMessage(), cause);
    }

    static EngineException unloadable(Throwable cause) {
        return new EngineException(
                Code.UNLOADABLE, "the engine cannot load this model: " + cause.getMessage(), cause);
    }
}
