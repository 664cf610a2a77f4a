package io.knabla.controller.models;

import static java.lang.System.Logger.Level.WARNING;

import io.knabla.controller.config.Ids;
import io.knabla.controller.config.Lifecycle;
import io.knabla.controller.config.Settings;
import io.knabla.controller.home.Home;
import io.knabla.controller.models.UploadResult.Range;
import io.knabla.functions.unit.Digest;
import io.knabla.functions.unit.Sha256;
import io.knabla.storage.Content;
import io.knabla.storage.ObjectStore;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * Receives model files, whole or in resumable parts. Bytes are appended to {@code uploads/<hex>.part}; only a complete
 * file with the right digest moves to the store, so a stored model is always complete.
 */
@Singleton
public final class ModelUploads implements Lifecycle {
    private static final System.Logger LOG = System.getLogger(ModelUploads.class.getName());
    private static final Duration STALE = Duration.ofHours(24);
    private static final String PART = ".part";

    private final ObjectStore store;
    private final Home home;
    private final Ids ids;
    private final Clock clock;
    private final long most;
    private final Set<Digest> receiving = ConcurrentHashMap.newKeySet();

    @Inject
    ModelUploads(ObjectStore store, Home home, Ids ids, Clock clock, Settings settings) {
        this(store, home, ids, clock, settings.upload().mebibytes() << 20);
    }

    ModelUploads(ObjectStore store, Home home, Ids ids, Clock clock, long most) {
        this.store = store;
        this.home = home;
        this.ids = ids;
        this.clock = clock;
        this.most = most;
    }

    /** Deletes parts that were not resumed for a day, and files left by an earlier process. */
    @Override
    public void start() {
        try {
            sweep();
        } catch (IOException refused) {
            LOG.log(WARNING, "uploads of an earlier process are left in {0}: {1}", home.uploads(), refused);
        }
    }

    private void sweep() throws IOException {
        Files.createDirectories(home.uploads());
        Instant old = clock.instant().minus(STALE);
        try (Stream<Path> files = Files.list(home.uploads())) {
            for (Path file : files.toList()) {
                boolean resumable = file.getFileName().toString().matches("[0-9a-f]{64}\\.part");
                if (!resumable || Files.getLastModifiedTime(file).toInstant().isBefore(old)) {
                    Files.deleteIfExists(file);
                }
            }
        }
    }

    public boolean has(Digest digest) {
        return store.stat(ModelKeys.model(digest)).isPresent();
    }

    /** Number of bytes received so far. */
    public long offset(Digest digest) {
        try {
            return Files.size(part(digest));
        } catch (IOException none) {
            return 0;
        }
    }

    /**
     * @param range empty for the whole file at once
     * @param length of the body; empty if the caller did not send it
     */
    public UploadResult receive(Digest digest, Optional<Range> range, OptionalLong length, InputStream body)
            throws IOException {
        if (has(digest)) {
            body.transferTo(OutputStream.nullOutputStream());
            return new UploadResult.Complete(false);
        }
        long announced = range.map(Range::total).orElse(length.orElse(0));
        Optional<UploadResult> refused = refuse(announced, announced - offset(digest));
        if (refused.isPresent()) {
            return refused.get();
        }
        boolean mine = receiving.add(digest);
        try {
            if (range.isPresent()) {
                return mine
                        ? resumed(digest, range.get(), body)
                        : new UploadResult.Conflict(
                                offset(digest),
                                "another upload of this file is under way; wait for it, or ask with HEAD and try again");
            }
            return mine ? whole(digest, length, body, part(digest)) : besideAnother(digest, length, body);
        } finally {
            if (mine) {
                receiving.remove(digest);
            }
        }
    }

    /** Two uploads at once must not write one file; the second cannot be resumed, so none of it is kept. */
    private UploadResult besideAnother(Digest digest, OptionalLong length, InputStream body) throws IOException {
        Path file = home.uploads().resolve(digest.hex() + "." + ids.next() + PART);
        try {
            return whole(digest, length, body, file);
        } finally {
            Files.deleteIfExists(file);
        }
    }

    /**
     * @param announced bytes of the whole file; 0 if unknown
     * @param toCome those for which the disk still needs room: what is here counts as used already
     */
    private Optional<UploadResult> refuse(long announced, long toCome) throws IOException {
        if (announced > most) {
            return Optional.of(tooLarge());
        }
        Files.createDirectories(home.uploads());
        long free = Files.getFileStore(home.uploads()).getUsableSpace();
        return toCome > free ? Optional.of(full(toCome, free)) : Optional.empty();
    }

    private UploadResult whole(Digest digest, OptionalLong length, InputStream body, Path file) throws IOException {
        Optional<UploadResult> failed = append(body, file, 0, length.orElse(most));
        if (failed.isPresent()) {
            return failed.get();
        }
        if (length.isPresent() && Files.size(file) != length.getAsLong()) {
            return new UploadResult.Partial(Files.size(file));
        }
        return finish(digest, file);
    }

    private UploadResult resumed(Digest digest, Range range, InputStream body) throws IOException {
        long here = offset(digest);
        if (range.first() != here) {
            return new UploadResult.Conflict(
                    here,
                    "this part starts at byte %d, but %d bytes are here; go on at byte %d"
                            .formatted(range.first(), here, here));
        }
        Optional<UploadResult> failed = append(body, part(digest), here, range.last() - range.first() + 1);
        if (failed.isPresent()) {
            return failed.get();
        }
        long now = offset(digest);
        return now == range.total() ? finish(digest, part(digest)) : new UploadResult.Partial(now);
    }

    /** Appends at most {@code room} bytes; bytes received before a lost connection are kept for resuming. */
    private Optional<UploadResult> append(InputStream body, Path file, long from, long room) throws IOException {
        try (var out = Files.newOutputStream(
                file,
                StandardOpenOption.CREATE,
                StandardOpenOption.WRITE,
                from == 0 ? StandardOpenOption.TRUNCATE_EXISTING : StandardOpenOption.APPEND)) {
            byte[] buffer = new byte[1 << 16];
            long left = room;
            for (int read; (read = body.read(buffer)) >= 0; left -= read) {
                if (read > left) {
                    return Optional.of(over(file, room));
                }
                try {
                    out.write(buffer, 0, read);
                } catch (IOException refused) {
                    Files.deleteIfExists(file);
                    return Optional.of(notWritten(refused));
                }
            }
        }
        return Optional.empty();
    }

    private UploadResult over(Path file, long room) throws IOException {
        Files.deleteIfExists(file);
        return room >= most
                ? tooLarge()
                : new UploadResult.Invalid(
                        "more bytes came than the %d that were announced; send the file again".formatted(room));
    }

    private UploadResult finish(Digest digest, Path file) throws IOException {
        try {
            Digest found;
            try (InputStream in = Files.newInputStream(file)) {
                found = Sha256.of(in);
            }
            if (!found.equals(digest)) {
                return new UploadResult.Invalid(
                        "the bytes have digest %s, not %s; nothing was kept, send the file again"
                                .formatted(found, digest));
            }
            return new UploadResult.Complete(
                    store.createOnce(ModelKeys.model(digest), Content.namedByKey(Content.of(file)))
                            .isPresent());
        } finally {
            Files.deleteIfExists(file);
        }
    }

    private UploadResult tooLarge() {
        return new UploadResult.TooLarge(tooLarge(most));
    }

    /** @param most bytes of one file */
    static String tooLarge(long most) {
        return "a model file may have at most %d MiB; allow more with KNABLA_UPLOAD_MEBIBYTES, or move weights to external data"
                .formatted(most >> 20);
    }

    private UploadResult full(long needed, long free) {
        return new UploadResult.DiskFull(
                "%,d bytes of the file are still to come, but %s has only %,d bytes free; make room, or set KNABLA_HOME to a folder on another disk"
                        .formatted(needed, home.uploads(), free));
    }

    private UploadResult notWritten(IOException cause) {
        return new UploadResult.DiskFull(
                "cannot write to %s: %s. Nothing was kept; make room there and send the file again"
                        .formatted(home.uploads(), cause.getMessage()));
    }

    private Path part(Digest digest) {
        return home.uploads().resolve(digest.hex() + PART);
    }
}
