package io.knabla.controller.cost.ledger.segment;

import io.knabla.storage.StorageException;
import io.knabla.storage.file.DurableFolders;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Keeps segments as files of a folder that one process at a time may write. An append is flushed with {@code fdatasync}
 * before it returns. A file is continued only by the opening that created it; after a failed write the next one begins
 * another file, because what a disk holds after a failed flush is unknown.
 */
public final class LocalSegments implements Segments {
    private final Path folder;
    private final String writer;
    private final InstantSource clock;
    private final long maxBytes;
    private final LocalFolder files;
    private final FolderLock lock;
    private final List<LedgerDamage> recovered;
    private final GroupCommit commits = new GroupCommit(this::flush);
    private SegmentFile current;
    private int sequence;
    private boolean closed;

    private LocalSegments(Path folder, String writer, InstantSource clock, long maxBytes, FolderLock lock) {
        this.folder = folder;
        this.writer = writer;
        this.clock = clock;
        this.maxBytes = maxBytes;
        this.lock = lock;
        this.files = new LocalFolder(folder);
        this.recovered = new TornTails(files).cut();
    }

    /**
     * Opens the folder, which is created if it is absent, and cuts the records that a killed process only began.
     *
     * @param writer see {@link SegmentName#writer}; another one at every opening
     * @param clock names the hour of a segment
     * @param maxBytes a file that is larger is continued in the next one
     * @throws StorageException if this or another process has it open, or it cannot be written
     */
    public static LocalSegments open(Path folder, String writer, InstantSource clock, long maxBytes) {
        FolderLock lock = null;
        try {
            DurableFolders.create(folder);
            lock = FolderLock.take(folder);
            return new LocalSegments(folder, writer, clock, maxBytes, lock);
        } catch (IOException failed) {
            throw new LocalFolder(folder).failed("open", failed);
        } catch (RuntimeException failed) {
            release(lock);
            throw failed;
        }
    }

    private static void release(FolderLock lock) {
        if (lock != null) {
            lock.close();
        }
    }

    /** Torn tails that were cut at the opening, and damage that was left as it is. */
    public List<LedgerDamage> recovered() {
        return recovered;
    }

    @Override
    public void append(byte[] frames) {
        commits.append(frames);
    }

    /** An interrupt closes the file under a writer that shares it with others; their rows go to the next file. */
    private void flush(byte[] frames) {
        if (closed) {
            throw new StorageException(
                    StorageException.Kind.UNAVAILABLE, "the usage ledger in %s is closed.".formatted(folder), "");
        }
        boolean interrupted = false;
        try {
            while (true) {
                interrupted |= Thread.interrupted();
                try {
                    write(frames);
                    return;
                } catch (ClosedByInterruptException again) {
                    interrupted = true;
                }
            }
        } catch (IOException failed) {
            throw files.failed("write to", failed);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void write(byte[] frames) throws IOException {
        Instant now = clock.instant();
        if (current != null && (current.name().endedBy(now) || current.size() >= maxBytes)) {
            endCurrentWhole();
        }
        if (current == null) {
            SegmentName name = new SegmentName(now, writer, sequence++);
            current = SegmentFile.create(name, files.file(name));
        }
        try {
            current.append(frames);
        } catch (IOException failed) {
            endCurrent();
            throw failed;
        }
    }

    /** With an end mark, damage to the last record is not taken for a torn tail. */
    private void endCurrentWhole() {
        try {
            current.append(RecordFraming.END);
        } catch (IOException unmarked) {
            // All that was acknowledged is on the disk.
        }
        endCurrent();
    }

    private void endCurrent() {
        SegmentFile ending = current;
        current = null;
        try {
            ending.close();
        } catch (IOException flushedBefore) {
            // All that was acknowledged is on the disk.
        }
    }

    @Override
    public Listing list() {
        return files.list();
    }

    @Override
    public List<SegmentName> ended() {
        Instant hour = clock.instant().truncatedTo(ChronoUnit.HOURS);
        List<SegmentName> ended = new ArrayList<>();
        commits.exclusively(() -> {
            if (current != null && current.name().endedBy(hour)) {
                endCurrentWhole();
            }
            list().names().stream().filter(this::isEnded).forEach(ended::add);
        });
        return ended;
    }

    /** A clock that was set back may leave a file that is written to and named after a later hour. */
    private boolean isEnded(SegmentName name) {
        boolean writing = current != null && current.name().equals(name);
        return !writing && name.endedBy(clock.instant());
    }

    @Override
    public Optional<SegmentContents> read(SegmentName name) {
        return files.read(name);
    }

    @Override
    public void delete(SegmentName name) {
        files.delete(name);
    }

    @Override
    public void close() {
        commits.exclusively(() -> {
            closed = true;
            if (current != null) {
                endCurrentWhole();
            }
            lock.close();
        });
    }
}
