package io.knabla.controller.cluster.knative.diagnose;

import java.util.Optional;
import java.util.stream.Stream;

/** Which fault of the store a sentence of the storage adapters tells; they write the cure themselves. */
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

    /** The first that fits: the last one takes whatever else went wrong there. */
    static Optional<StoreFaults> of(String sentence) {
        return Stream.of(values())
                .filter(fault -> Stream.of(fault.phrases).anyMatch(sentence::contains))
                .findFirst();
    }
}
