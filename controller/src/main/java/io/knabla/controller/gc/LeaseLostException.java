package io.knabla.controller.gc;

/** A lease ran out, or was taken away, before its holder was done; the message says what to do. */
public final class LeaseLostException extends RuntimeException {
    LeaseLostException(LeaseDocument lease, String why) {
        super("%s lost its hold on the store (%s) and stopped. Nothing is damaged; try again."
                .formatted(lease.what(), why));
    }
}
