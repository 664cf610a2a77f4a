package io.knabla.controller.local.usage;

import static java.lang.System.Logger.Level.WARNING;

import io.knabla.controller.cost.ledger.row.RowFormatException;
import io.knabla.controller.cost.ledger.row.RowJson;
import io.knabla.controller.cost.ledger.row.UsageRecord;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Keeps one file for each node and replica that began and is not in the ledger yet. A start does not wait for the
 * ledger's flush, and a controller that is killed right after it does not lose the interval.
 */
final class StartedIntervalFiles {
    private static final System.Logger LOG = System.getLogger(StartedIntervalFiles.class.getName());

    private final Path folder;

    private StartedIntervalFiles(Path folder) {
        this.folder = folder;
    }

    /** Opens a folder; without one that can be used, the ledger alone knows what began. */
    static StartedIntervalFiles open(Path folder) {
        try {
            Files.createDirectories(folder);
        } catch (IOException failed) {
            LOG.log(
                    WARNING,
                    "cannot use {0} ({1}): should the platform be killed, the costs of what began just before are not"
                            + " known; move away what is there, and make its folder writable",
                    folder,
                    failed);
        }
        return new StartedIntervalFiles(folder);
    }

    /** Notes a node, or a replica before its process starts; a full disk must not stop it. */
    void write(UsageRecord row) {
        try {
            Files.write(folder.resolve(row.id()), RowJson.encode(row));
        } catch (IOException lost) {
            LOG.log(WARNING, "cannot note the start of " + row.id(), lost);
        }
    }

    /** Removes the note of a node or a replica, if there is one. */
    void delete(String id) {
        try {
            Files.deleteIfExists(folder.resolve(id));
        } catch (IOException left) {
            LOG.log(WARNING, "cannot delete the note of " + id, left);
        }
    }

    /** What an earlier controller noted; a note that was not finished is of what did not start. */
    List<UsageRecord> read() {
        List<UsageRecord> rows = new ArrayList<>();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                read(file).ifPresent(rows::add);
            }
        } catch (IOException | UncheckedIOException failed) {
            LOG.log(WARNING, "cannot read the notes in " + folder, failed);
        }
        return rows;
    }

    private Optional<UsageRecord> read(Path file) {
        try {
            return Optional.of(RowJson.decode(Files.readString(file)).row());
        } catch (RowFormatException unfinished) {
            LOG.log(WARNING, "{0} is no whole note of a start and is deleted: {1}", file, unfinished.getMessage());
            delete(file.getFileName().toString());
            return Optional.empty();
        } catch (IOException unreadable) {
            LOG.log(
                    WARNING,
                    "the note of a start in {0} cannot be read and is left: {1}",
                    file,
                    unreadable.getMessage());
            return Optional.empty();
        }
    }
}
