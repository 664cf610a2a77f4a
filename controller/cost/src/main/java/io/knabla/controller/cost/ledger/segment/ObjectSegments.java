package io.knabla.controller.cost.ledger.segment;

import io.knabla.storage.Content;
import io.knabla.storage.ObjectInfo;
import io.knabla.storage.ObjectKey;
import io.knabla.storage.ObjectStore;
import io.knabla.storage.StorageException;
import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Keeps segments as objects below {@code usage/wal/}, one for every flush; needs no volume. All writers of a store see
 * each other's segments.
 */
public final class ObjectSegments implements Segments {
    private static final String FOLDER = "usage/wal/";

    /** A name is taken only if a flush of unknown outcome took it, or if another writer has the same name. */
    private static final int MAX_TAKEN = 100;

    private final ObjectStore store;
    private final String writer;
    private final InstantSource clock;
    private final GroupCommit commits = new GroupCommit(this::flush);
    private int sequence;

    /**
     * @param writer see {@link SegmentName#writer}
     * @param clock names the hour of a segment
     */
    public ObjectSegments(ObjectStore store, String writer, InstantSource clock) {
        this.store = store;
        this.writer = writer;
        this.clock = clock;
    }

    @Override
    public void append(byte[] frames) {
        commits.append(frames);
    }

    private void flush(byte[] frames) {
        for (int taken = 0; taken < MAX_TAKEN; taken++) {
            SegmentName name = new SegmentName(clock.instant(), writer, sequence++);
            if (create(name, frames)) {
                return;
            }
        }
        throw new StorageException(
                StorageException.Kind.BAD_OBJECT,
                "%d names of segments of the writer '%s' are taken in %s."
                        .formatted(MAX_TAKEN, writer, store.location()),
                "Give every controller a writer name of its own.");
    }

    private boolean create(SegmentName name, byte[] frames) {
        try {
            return store.createOnce(key(name), Content.of(frames)).isPresent();
        } catch (IOException impossible) {
            throw new IllegalStateException("bytes in memory could not be read for " + key(name), impossible);
        }
    }

    @Override
    public Listing list() {
        List<SegmentName> names = new ArrayList<>();
        List<LedgerDamage> damages = new ArrayList<>();
        try (Stream<ObjectInfo> objects = store.list(FOLDER)) {
            objects.map(ObjectInfo::key)
                    .forEach(key -> SegmentName.parse(key.path().substring(FOLDER.length()))
                            .ifPresentOrElse(
                                    names::add,
                                    () -> damages.add(new LedgerDamage(
                                            key.path(), LedgerDamage.Type.CORRUPT, "its name is none of a segment"))));
        }
        return new Listing(names, damages);
    }

    @Override
    public List<SegmentName> ended() {
        Instant now = clock.instant();
        return list().names().stream().filter(name -> name.endedBy(now)).toList();
    }

    /** An object is written whole, so whatever is not whole was changed later. */
    @Override
    public Optional<SegmentContents> read(SegmentName name) {
        return store.read(key(name))
                .map(object -> SegmentContents.decode(name, object.bytes(), LedgerDamage.Type.CORRUPT));
    }

    @Override
    public void delete(SegmentName name) {
        store.delete(key(name));
    }

    private static ObjectKey key(SegmentName name) {
        return new ObjectKey(FOLDER + name);
    }

    @Override
    public void close() {
        // Every flush is complete; the store belongs to the caller.
    }
}
