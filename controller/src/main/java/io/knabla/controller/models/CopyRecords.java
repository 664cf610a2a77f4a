package io.knabla.controller.models;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.knabla.functions.unit.Digest;
import io.knabla.storage.Content;
import io.knabla.storage.ExternalAddress;
import io.knabla.storage.ObjectStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** Records the digest of each object copied from another bucket, in {@code sources/<hex>.json}. */
final class CopyRecords {
    private static final ObjectMapper JSON = new ObjectMapper();

    /**
     * @param uri of the object
     * @param etag of the object when it was copied
     * @param model digest of the copy under {@code models/}
     * @param locations weight files that the model names; null if not read yet
     */
    @JsonIgnoreProperties(ignoreUnknown = true)
    record CopyRecord(int schema, String uri, String etag, long size, String model, List<String> locations) {
        static final int SCHEMA = 1;

        CopyRecord {
            Objects.requireNonNull(uri, "uri");
            Objects.requireNonNull(etag, "etag");
            locations = locations == null ? null : List.copyOf(locations);
            model = new Digest(model).value();
        }

        Digest digest() {
            return new Digest(model);
        }

        CopyRecord withLocations(List<String> found) {
            return new CopyRecord(schema, uri, etag, size, model, found);
        }
    }

    private final ObjectStore store;

    CopyRecords(ObjectStore store) {
        this.store = store;
    }

    /** The record of the object in this state; empty if it changed or the copy was deleted. */
    Optional<CopyRecord> of(ExternalAddress address, String etag) {
        return store.read(ModelKeys.source(address))
                .flatMap(object -> parse(object.bytes()))
                .filter(seen ->
                        seen.uri().equals(address.toString()) && seen.etag().equals(etag))
                .filter(seen -> store.stat(ModelKeys.model(seen.digest())).isPresent());
    }

    void write(ExternalAddress address, CopyRecord seen) {
        try {
            store.write(ModelKeys.source(address), Content.of(JSON.writeValueAsBytes(seen)));
        } catch (IOException impossible) {
            throw new UncheckedIOException("a record must be writable", impossible);
        }
    }

    /** A damaged document counts as absent: the object is copied again. */
    private static Optional<CopyRecord> parse(byte[] bytes) {
        try {
            CopyRecord seen = JSON.readValue(bytes, CopyRecord.class);
            return seen.schema() == CopyRecord.SCHEMA ? Optional.of(seen) : Optional.empty();
        } catch (IOException damaged) {
            return Optional.empty();
        }
    }
}
