package io.knabla.controller.models;

import io.knabla.controller.config.Settings;
import io.knabla.controller.home.StoreAccess;
import io.knabla.functions.unit.Digest;
import io.knabla.storage.ExternalAddress;
import io.knabla.storage.ExternalObjects;
import io.knabla.storage.ExternalObjects.StatResult;
import io.knabla.storage.ObjectKey;
import io.knabla.storage.ObjectStore;
import io.knabla.storage.PresignedUploads;
import io.knabla.storage.setup.Stores;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * Lets clients upload model files directly to the store in parts, if the store supports presigned uploads. Parts go to
 * {@code incoming/}; the file is copied to the models, within the store, only after its digest has been verified.
 */
@Singleton
public final class DirectUploads {
    /** Validity of the upload URLs; a slower client asks for new ones. */
    private static final Duration VALID = Duration.ofHours(1);

    /** Answer to a client that wants to upload. */
    public sealed interface Offer {
        /** The model is already stored; nothing to upload. */
        record AlreadyStored() implements Offer {}

        record Send(PresignedUploads.Upload upload) implements Offer {}

        record NotOffered(String sentence) implements Offer {}

        record TooLarge(String sentence) implements Offer {}

        record Invalid(String sentence) implements Offer {}
    }

    private final ObjectStore store;
    private final ExternalObjects byEtag;
    private final LocalModels models;
    private final long most;

    @Inject
    DirectUploads(ObjectStore store, StoreAccess access, LocalModels models, Settings settings) {
        this(
                store,
                Stores.external(access.environment()),
                models,
                settings.upload().mebibytes() << 20);
    }

    /**
     * @param byEtag reads an object only in the state of an ETag, which {@code store} does not guarantee
     * @param most bytes of one file
     */
    DirectUploads(ObjectStore store, ExternalObjects byEtag, LocalModels models, long most) {
        this.store = store;
        this.byEtag = byEtag;
        this.models = models;
        this.most = most;
    }

    @PreDestroy
    void close() {
        byEtag.close();
    }

    /** Begins or resumes an upload; the answer lists the missing parts. */
    public Offer begin(Digest digest, long size) {
        Optional<PresignedUploads> presigned = store.presigned();
        if (presigned.isEmpty()) {
            return new Offer.NotOffered(
                    "the store %s does not support direct uploads; send the file with PUT /api/v1/models/{digest}"
                            .formatted(store.location()));
        }
        if (size < 1) {
            return new Offer.Invalid("the size is %d; it must be at least 1".formatted(size));
        }
        if (size > most) {
            return new Offer.TooLarge(ModelUploads.tooLarge(most));
        }
        return has(digest)
                ? new Offer.AlreadyStored()
                : new Offer.Send(presigned.get().begin(incoming(digest, size), size, VALID));
    }

    /**
     * Joins the uploaded parts, verifies the digest and stores the model.
     *
     * @param id of the upload, from {@link #begin}
     */
    public UploadResult complete(Digest digest, String id, long size) {
        if (has(digest)) {
            return new UploadResult.Complete(false);
        }
        ObjectKey incoming = incoming(digest, size);
        Optional<PresignedUploads> presigned = store.presigned();
        Optional<String> etag = presigned.flatMap(uploads -> uploads.complete(incoming, id, size));
        if (etag.isEmpty()) {
            return again();
        }
        Optional<Digest> found = digest(incoming, new StatResult.Found(size, etag.get()));
        if (found.isEmpty()) {
            return again();
        }
        if (!found.get().equals(digest)) {
            store.delete(incoming);
            return new UploadResult.Invalid("the bytes have digest %s, not %s; nothing was kept, send the file again"
                    .formatted(found.get(), digest));
        }
        if (presigned
                .get()
                .promote(incoming, etag.get(), ModelKeys.model(digest))
                .isEmpty()) {
            return again();
        }
        store.delete(incoming);
        return new UploadResult.Complete(true);
    }

    private UploadResult.Conflict again() {
        return new UploadResult.Conflict(
                0, "parts of the file are missing; ask which, send them and complete it again");
    }

    /** Digest of the object in that state; empty if the object has changed since. */
    private Optional<Digest> digest(ObjectKey key, StatResult.Found state) {
        ExternalAddress address = ExternalAddress.parse(store.location() + "/" + key)
                .orElseThrow(() -> new IllegalStateException(store.location() + " is not in S3"));
        Path file = models.newFile("incoming", state.size());
        try {
            return Optional.of(models.fetch(new ExternalSource(byEtag, address, state), byEtag.parallelism(), file));
        } catch (ExternalSource.UnreadableException gone) {
            return Optional.empty();
        } finally {
            LocalModels.delete(file);
        }
    }

    private boolean has(Digest digest) {
        return store.stat(ModelKeys.model(digest)).isPresent();
    }

    /** The key contains the size, because the size determines the parts. */
    private static ObjectKey incoming(Digest digest, long size) {
        return ObjectKey.of("incoming", digest.hex() + "-" + size);
    }
}
