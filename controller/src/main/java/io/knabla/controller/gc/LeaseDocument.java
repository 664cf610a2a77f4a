package io.knabla.controller.gc;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.knabla.storage.Content;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;

/**
 * What a lease says in the store.
 *
 * @param holder a name that no other lease has
 * @param what the holder does, for people
 * @param since when it began, by the holder's clock, for people
 * @param renewals how often it was written, so that equal bytes never follow each other
 * @param ended that nobody holds it any more: given back, or taken away as it was not renewed
 */
@JsonIgnoreProperties(ignoreUnknown = true)
record LeaseDocument(int schema, String holder, String what, String since, long renewals, boolean ended) {
    private static final int SCHEMA = 1;
    private static final ObjectMapper JSON = new ObjectMapper();

    static LeaseDocument first(String holder, String what, String since) {
        return new LeaseDocument(SCHEMA, holder, what, since, 0, false);
    }

    LeaseDocument renewed() {
        return new LeaseDocument(schema, holder, what, since, renewals + 1, false);
    }

    LeaseDocument asEnded() {
        return new LeaseDocument(schema, holder, what, since, renewals + 1, true);
    }

    Content content() {
        try {
            return Content.of(JSON.writeValueAsBytes(this));
        } catch (IOException impossible) {
            throw new UncheckedIOException("a record must be writable", impossible);
        }
    }

    /** Empty for what this Knabla cannot read, which counts as held until it is too old. */
    static Optional<LeaseDocument> parse(byte[] bytes) {
        try {
            return Optional.ofNullable(JSON.readValue(bytes, LeaseDocument.class))
                    .filter(document -> document.schema() == SCHEMA && document.holder() != null);
        } catch (IOException damaged) {
            return Optional.empty();
        }
    }

    @Override
    public String toString() {
        return "%s since %s".formatted(what, since);
    }
}
