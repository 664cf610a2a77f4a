package io.knabla.controller.gc;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.knabla.storage.Content;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;

/**
 * JSON document of a lease in the store.
 *
 * @param holder unique to this lease
 * @param what the holder does, for people
 * @param since when it began, by the holder's clock, for people
 * @param renewals number of writes, which makes consecutive documents differ
 * @param ended true once the lease was released, or was ended by others after it expired
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

    /** Empty if this version of Knabla cannot read it; such a lease counts as held until it expires. */
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
