package io.knabla.controller.gc;

/** A lease expired or was taken over while its holder still worked; the message says what to do. */
public final class LeaseLostException extends RuntimeException {
    LeaseLostException(LeaseDocument lease, String why) {
        super("%s lost its lease on the store (%s) and stopped. Nothing is damaged; try again."
                .formatted(lease.what(), why));
    }
}
