package io.knabla.controller.knative.status;

import java.util.Optional;
import java.util.stream.Stream;

/** Classifies error messages of the storage adapters; the messages already contain the remedy. */
enum StoreFaults {
    UnitMissing("is not in the store"),
    StoreForbidden("access denied (", "does not know these credentials", "there are no credentials"),
    CredentialsExpired("the credentials have expired"),
    BucketMissing("there is no bucket"),
    StoreUnavailable("in the store s3://", "cannot write to the store", "for the store s3://");

    private final String[] phrases;

    StoreFaults(String... phrases) {
        this.phrases = phrases;
    }

    /** Returns the first match; {@link #StoreUnavailable} matches every other error of the store. */
    static Optional<StoreFaults> of(String sentence) {
        return Stream.of(values())
                .filter(fault -> Stream.of(fault.phrases).anyMatch(sentence::contains))
                .findFirst();
    }
}
