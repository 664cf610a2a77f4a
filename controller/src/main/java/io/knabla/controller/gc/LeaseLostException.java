package io.knabla.controller.gc;

/** Signals that a lease expired or was taken over while its holder still worked; the message states the remedy. */
public final class LeaseLostException extends RuntimeException {
    LeaseLostException(LeaseDocument lease, String why) {
        super("%s lost its lease on the store (%s) and stopped. Nothing is damaged; try again."
                .formatted(lease.what(), why));
    }
}
