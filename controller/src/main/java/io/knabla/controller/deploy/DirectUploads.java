package io.knabla.controller.deploy;

import io.knabla.controller.Settings;
import io.knabla.controller.StoreAccess;
import io.knabla.functions.unit.Digest;
import io.knabla.storage.ForeignAddress;
import io.knabla.storage.ForeignObjects;
import io.knabla.storage.ForeignObjects.Look;
import io.knabla.storage.ObjectKey;
import io.knabla.storage.ObjectStore;
import io.knabla.storage.PresignedUploads;
import io.knabla.storage.Stores;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * Model files that clients send straight to the store, part by part, where it takes that. They gather under
 * {@code incoming/}; only what was read whole and has the right digest is copied, within the store, to the models.
 */
@Singleton
public final class DirectUploads {
    /** A client that needs longer for its parts asks again. */
    private static final Duration VALID = Duration.ofHours(1);

    /** What a client may do. */
    public sealed interface Offer {
        /** Nothing: the model is there. */
        record There() implements Offer {}

        record Send(PresignedUploads.Upload upload) implements Offer {}

        record NotOffered(String sentence) implements Offer {}

        record TooLarge(String sentence) implements Offer {}

        record Invalid(String sentence) implements Offer {}
    }

    private final ObjectStore store;
    private final ForeignObjects byEtag;
    private final LocalModels models;
    private final long most;

    @Inject
    DirectUploads(ObjectStore store, StoreAccess access, LocalModels models, Settings settings) {
        this(
                store,
                Stores.foreign(access.environment()),
                models,
                settings.upload().mebibytes() << 20);
    }

    /**
     * @param byEtag reads one state of an object or nothing, which {@code store} does not promise
     * @param most bytes of one file
     */
    DirectUploads(ObjectStore store, ForeignObjects byEtag, LocalModels models, long most) {
        this.store = store;
        this.byEtag = byEtag;
        this.models = models;
        this.most = most;
    }

    @PreDestroy
    void close() {
        byEtag.close();
    }

    /** Begins, or goes on with what was begun: the answer names the parts that are not there. */
    public Offer begin(Digest digest, long size) {
        Optional<PresignedUploads> presigned = store.presigned();
        if (presigned.isEmpty()) {
            return new Offer.NotOffered(
                    "the store %s takes no uploads of its own; send the file with PUT /api/v1/models/{digest}"
                            .formatted(store.location()));
        }
        if (size < 1) {
            return new Offer.Invalid("the size is %d; it must be at least 1".formatted(size));
        }
        if (size > most) {
            return new Offer.TooLarge(ModelUploads.tooLarge(most));
        }
        return has(digest)
                ? new Offer.There()
                : new Offer.Send(presigned.get().begin(incoming(digest, size), size, VALID));
    }

    /**
     * Makes a model of the parts that have come.
     *
     * @param id of the upload, as {@link #begin} gave it
     */
    public Upload complete(Digest digest, String id, long size) {
        if (has(digest)) {
            return new Upload.Complete(false);
        }
        ObjectKey incoming = incoming(digest, size);
        Optional<PresignedUploads> presigned = store.presigned();
        Optional<String> etag = presigned.flatMap(uploads -> uploads.complete(incoming, id, size));
        if (etag.isEmpty()) {
            return again();
        }
        Optional<Digest> found = digest(incoming, new Look.Found(size, etag.get()));
        if (found.isEmpty()) {
            return again();
        }
        if (!found.get().equals(digest)) {
            store.delete(incoming);
            return new Upload.Invalid("the bytes have digest %s, not %s; nothing was kept, send the file again"
                    .formatted(found.get(), digest));
        }
        if (presigned
                .get()
                .promote(incoming, etag.get(), ModelKeys.model(digest))
                .isEmpty()) {
            return again();
        }
        store.delete(incoming);
        return new Upload.Complete(true);
    }

    private Upload.Conflict again() {
        return new Upload.Conflict(0, "parts of the file are not there; ask which, send them, and complete it again");
    }

    /** Of that very state; empty where it is another by now. */
    private Optional<Digest> digest(ObjectKey key, Look.Found state) {
        ForeignAddress address = ForeignAddress.parse(store.location() + "/" + key)
                .orElseThrow(() -> new IllegalStateException(store.location() + " is not in S3"));
        Path file = models.fresh("incoming", state.size());
        try {
            return Optional.of(models.fetch(new ForeignSource(byEtag, address, state), byEtag.parallelism(), file));
        } catch (ForeignSource.UnreadableException gone) {
            return Optional.empty();
        } finally {
            LocalModels.delete(file);
        }
    }

    private boolean has(Digest digest) {
        return store.stat(ModelKeys.model(digest)).isPresent();
    }

    /** By size too, as an upload is cut by it. */
    private static ObjectKey incoming(Digest digest, long size) {
        return ObjectKey.of("incoming", digest.hex() + "-" + size);
    }
}
