package io.knabla.controller.price;

import java.time.Instant;

/**
 * Where a price comes from.
 *
 * @param source as people can look it up: a file and its commit, or a call of an API
 * @param retrieved when the source said so
 */
public record Provenance(Quality quality, String source, Instant retrieved) {
    /** How near a price is to what is paid. */
    public enum Quality {
        /** On a bill or in a quote for this very hour. */
        MEASURED,
        /** Published for that time. */
        HISTORY,
        /** Computed from other prices. */
        DERIVED,
        /** A list price, or an average of spot prices, that is assumed to hold outside its time as well. */
        DEFAULT,
        /** Stated by the user. */
        DECLARED,
        /** Of a reference machine, for one that has no price of its own. */
        ASSUMED
    }
}
