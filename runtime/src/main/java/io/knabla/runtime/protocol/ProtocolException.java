package io.knabla.runtime.protocol;

/** A request that is answered with a status and a sentence instead of tensors. */
public final class ProtocolException extends RuntimeException {
    private final int status;

    public ProtocolException(int status, String message) {
        // No stack trace: these are the caller's faults, they come in floods, and the sentence says
        // all.
        super(message, null, false, false);
        this.status = status;
    }

    public int status() {
        return status;
    }

    static ProtocolException bad(String format, Object... arguments) {
        return new ProtocolException(400, format.formatted(arguments));
    }
}
