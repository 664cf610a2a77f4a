package io.knabla.controller.local.usage;

import static java.lang.System.Logger.Level.WARNING;

import io.knabla.controller.cost.ledger.row.RowFormatException;
import io.knabla.controller.cost.ledger.row.RowJson;
import io.knabla.controller.cost.ledger.row.UsageRecord;
import io.knabla.controller.cost.usage.ReplicaInterval;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Keeps one file for each started replica that is not in the ledger yet. A start does not wait for the ledger's flush,
 * and a controller that is killed right after it does not lose the replica.
 */
final class StartedReplicaFiles {
    private static final System.Logger LOG = System.getLogger(StartedReplicaFiles.class.getName());

    private final Path folder;

    private StartedReplicaFiles(Path folder) {
        this.folder = folder;
    }

    static StartedReplicaFiles open(Path folder) {
        try {
            return new StartedReplicaFiles(Files.createDirectories(folder));
        } catch (IOException failed) {
            throw new UncheckedIOException(
                    "cannot use %s: make it writable, or set KNABLA_HOME to another folder".formatted(folder), failed);
        }
    }

    /** Notes a replica before its process starts; a full disk must not stop it. */
    void write(ReplicaInterval replica) {
        try {
            Files.write(file(replica.id()), RowJson.encode(new UsageRecord.Replica(replica, 0)));
        } catch (IOException lost) {
            LOG.log(WARNING, "cannot note the start of " + replica.id(), lost);
        }
    }

    /** Removes the note of a replica, if there is one. */
    void delete(String replica) {
        try {
            Files.deleteIfExists(file(replica));
        } catch (IOException left) {
            LOG.log(WARNING, "cannot delete the note of " + replica, left);
        }
    }

    /** Replicas that an earlier controller noted; a note that was not finished is of one that did not start. */
    List<ReplicaInterval> read() {
        List<ReplicaInterval> replicas = new ArrayList<>();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                read(file)
                        .ifPresentOrElse(
                                replicas::add, () -> delete(file.getFileName().toString()));
            }
        } catch (IOException | UncheckedIOException failed) {
            LOG.log(WARNING, "cannot read the notes in " + folder, failed);
        }
        return replicas;
    }

    private static Optional<ReplicaInterval> read(Path file) throws IOException {
        try {
            UsageRecord row = RowJson.decode(Files.readString(file)).row();
            return row instanceof UsageRecord.Replica replica ? Optional.of(replica.interval()) : Optional.empty();
        } catch (RowFormatException unfinished) {
            return Optional.empty();
        }
    }

    private Path file(String replica) {
        return folder.resolve(replica);
    }
}
