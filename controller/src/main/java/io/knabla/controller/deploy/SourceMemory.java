package io.knabla.controller.deploy;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.knabla.functions.unit.Digest;
import io.knabla.storage.Content;
import io.knabla.storage.ForeignAddress;
import io.knabla.storage.ObjectStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** Which bytes an object of another bucket had when it was copied here: {@code sources/<hex>.json}. */
final class SourceMemory {
    private static final ObjectMapper JSON = new ObjectMapper();

    /**
     * @param uri of the object
     * @param etag it had then
     * @param model digest of its bytes, which lie under {@code models/}
     * @param locations the files of weights that it names, as a model; null where nobody asked
     */
    @JsonIgnoreProperties(ignoreUnknown = true)
    record Seen(int schema, String uri, String etag, long size, String model, List<String> locations) {
        static final int SCHEMA = 1;

        Seen {
            Objects.requireNonNull(uri, "uri");
            Objects.requireNonNull(etag, "etag");
            locations = locations == null ? null : List.copyOf(locations);
            model = new Digest(model).value();
        }

        Digest digest() {
            return new Digest(model);
        }

        Seen naming(List<String> found) {
            return new Seen(schema, uri, etag, size, model, found);
        }
    }

    private final ObjectStore store;

    SourceMemory(ObjectStore store) {
        this.store = store;
    }

    /** What is remembered of that object as it is now, where its bytes are here still. */
    Optional<Seen> of(ForeignAddress address, String etag) {
        return store.read(ModelKeys.source(address))
                .flatMap(object -> parse(object.bytes()))
                .filter(seen ->
                        seen.uri().equals(address.toString()) && seen.etag().equals(etag))
                .filter(seen -> store.stat(ModelKeys.model(seen.digest())).isPresent());
    }

    void write(ForeignAddress address, Seen seen) {
        try {
            store.write(ModelKeys.source(address), Content.of(JSON.writeValueAsBytes(seen)));
        } catch (IOException impossible) {
            throw new UncheckedIOException("a record must be writable", impossible);
        }
    }

    /** A damaged one is as good as none: the object is copied again. */
    private static Optional<Seen> parse(byte[] bytes) {
        try {
            Seen seen = JSON.readValue(bytes, Seen.class);
            return seen.schema() == Seen.SCHEMA ? Optional.of(seen) : Optional.empty();
        } catch (IOException damaged) {
            return Optional.empty();
        }
    }
}
