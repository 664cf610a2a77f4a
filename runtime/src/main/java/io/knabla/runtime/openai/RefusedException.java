package io.knabla.runtime.openai;

/** A request is refused; thrown where it is read, answered where it is handled. */
final class RefusedException extends RuntimeException {
    private final transient ApiError error;

    RefusedException(ApiError error) {
        super(error.message(), null, false, false);
        this.error = error;
    }

    ApiError error() {
        return error;
    }
}
