package io.knabla.runtime.protocol;

/** Rejects a request with an HTTP status and an error message. */
public final class ProtocolException extends RuntimeException {
    private final int status;

    public ProtocolException(int status, String message) {
        // No stack trace: these are the caller's faults, may be many, and the message is enough.
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
