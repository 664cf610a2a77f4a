package io.knabla.controller.cost.ledger.segment;

import io.knabla.storage.StorageException;
import io.knabla.storage.file.DurableFolders;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** Reads the segment files of a folder, which another process may be writing; a folder that is absent has none. */
public final class LocalFolder implements SegmentReader {
    static final String SUFFIX = ".wal";

    private final Path folder;

    public LocalFolder(Path folder) {
        this.folder = folder;
    }

    @Override
    public Listing list() {
        List<SegmentName> names = new ArrayList<>();
        List<LedgerDamage> damages = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*" + SUFFIX)) {
            for (Path file : files) {
                String text = file.getFileName().toString();
                SegmentName.parse(text.substring(0, text.length() - SUFFIX.length()))
                        .ifPresentOrElse(
                                names::add,
                                () -> damages.add(new LedgerDamage(
                                        text, LedgerDamage.Type.CORRUPT, "its name is none of a segment")));
            }
        } catch (NoSuchFileException none) {
            return new Listing(List.of(), List.of());
        } catch (IOException failed) {
            throw failed("list", failed);
        }
        Collections.sort(names);
        return new Listing(names, damages);
    }

    @Override
    public Optional<SegmentContents> read(SegmentName name) {
        try {
            byte[] bytes = Files.readAllBytes(file(name));
            return Optional.of(SegmentContents.decode(name, bytes, LedgerDamage.Type.TORN_TAIL));
        } catch (NoSuchFileException gone) {
            return Optional.empty();
        } catch (IOException unreadable) {
            return Optional.of(new SegmentContents(List.of(), List.of(unreadable(name, unreadable))));
        }
    }

    /** One file that cannot be read must not keep the others from being read, nor new rows from being written. */
    LedgerDamage unreadable(SegmentName name, IOException cause) {
        return new LedgerDamage(
                name.toString(),
                LedgerDamage.Type.CORRUPT,
                "%s cannot be read: %s".formatted(file(name), cause.getMessage()));
    }

    Path file(SegmentName name) {
        return folder.resolve(name + SUFFIX);
    }

    void delete(SegmentName name) {
        try {
            Files.deleteIfExists(file(name));
            DurableFolders.flush(folder);
        } catch (IOException failed) {
            throw failed("delete " + name + " of", failed);
        }
    }

    StorageException failed(String action, IOException cause) {
        boolean full = StorageException.isDiskFull(cause);
        return new StorageException(
                full ? StorageException.Kind.DISK_FULL : StorageException.Kind.UNAVAILABLE,
                "cannot %s the usage ledger in %s: %s.".formatted(action, folder, cause),
                full ? "Free some space on its disk." : "Check that this user may write there.",
                cause);
    }
}
