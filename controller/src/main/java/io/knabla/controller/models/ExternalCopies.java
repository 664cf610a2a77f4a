package io.knabla.controller.models;

import io.knabla.controller.models.CopyRecords.CopyRecord;
import io.knabla.controller.models.LocalModels.BorrowedFile;
import io.knabla.functions.packaging.Packager;
import io.knabla.functions.unit.Digest;
import io.knabla.storage.Content;
import io.knabla.storage.ExternalAddress;
import io.knabla.storage.ExternalObjects;
import io.knabla.storage.ExternalObjects.StatResult;
import io.knabla.storage.ObjectStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;

/** Copies an object of another bucket to the model store, once per ETag. */
final class ExternalCopies {
    private static final int LOCKS = 64;

    /** Result of a copy. */
    sealed interface Copy {
        record Done(CopyRecord seen) implements Copy {}

        /** There is no such object. */
        record Absent(String sentence) implements Copy {}

        record Refused(String sentence) implements Copy {}
    }

    private final ExternalObjects objects;
    private final ObjectStore store;
    private final LocalModels models;
    private final CopyRecords memory;
    private final long most;
    private final List<Lock> locks =
            Stream.generate(() -> (Lock) new ReentrantLock()).limit(LOCKS).toList();

    /** @param most bytes of one object */
    ExternalCopies(ExternalObjects objects, ObjectStore store, LocalModels models, long most) {
        this.objects = objects;
        this.store = store;
        this.models = models;
        this.memory = new CopyRecords(store);
        this.most = most;
    }

    /**
     * @param named whether to read which weight files the model names
     * @param lent receives the files that are now on this machine
     */
    Copy copy(ExternalAddress address, boolean named, List<BorrowedFile> lent) {
        // Of two concurrent deploys of one object, the second finds the copy of the first.
        Lock lock = locks.get(Math.floorMod(address.hashCode(), LOCKS));
        lock.lock();
        try {
            return switch (objects.stat(address)) {
                case StatResult.Absent(var sentence) -> new Copy.Absent(sentence);
                case StatResult.Refused(var sentence) -> new Copy.Refused(sentence);
                case StatResult.Found found
                when found.size() > most ->
                    new Copy.Refused(
                            "%s has %,d bytes, but a model file may have at most %d MiB; allow more with KNABLA_UPLOAD_MEBIBYTES"
                                    .formatted(address, found.size(), most >> 20));
                case StatResult.Found found ->
                    new Copy.Done(copied(new ExternalSource(objects, address, found), named, lent));
            };
        } catch (ExternalSource.UnreadableException unreadable) {
            return new Copy.Refused(unreadable.getMessage());
        } finally {
            lock.unlock();
        }
    }

    private CopyRecord copied(ExternalSource source, boolean named, List<BorrowedFile> lent) {
        Optional<CopyRecord> known = memory.of(source.address(), source.found().etag());
        CopyRecord seen = known.orElseGet(() -> fetched(source, lent));
        if (named && seen.locations() == null) {
            seen = seen.withLocations(locations(seen.digest(), lent));
        }
        if (!known.equals(Optional.of(seen))) {
            memory.write(source.address(), seen);
        }
        return seen;
    }

    private CopyRecord fetched(ExternalSource source, List<BorrowedFile> lent) {
        Path file = models.newFile("foreign", source.size());
        Digest digest = models.fetch(source, objects.parallelism(), file);
        lent.add(models.adopt(digest, file));
        try {
            store.createOnce(ModelKeys.model(digest), Content.namedByKey(Content.of(file)));
        } catch (IOException unreadable) {
            throw new UncheckedIOException("cannot read what was just written", unreadable);
        }
        return new CopyRecord(
                CopyRecord.SCHEMA,
                source.address().toString(),
                source.found().etag(),
                source.size(),
                digest.value(),
                null);
    }

    private List<String> locations(Digest model, List<BorrowedFile> lent) {
        lent.add(models.borrow(model));
        try {
            // A file that is no model names none; packaging reports the fault.
            return Packager.externalLocations(lent.getLast().file()).orElse(List.of());
        } catch (IOException unreadable) {
            throw new UncheckedIOException("cannot read the copy of " + model, unreadable);
        }
    }
}
