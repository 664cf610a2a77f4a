package io.knabla.controller.local.usage;

import static java.lang.System.Logger.Level.WARNING;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * One run of the platform on this machine. The time of a file, which is touched each second, tells the next run when
 * this one was alive last, should it be killed. Each run has a file of its own, named after its start.
 */
final class PlatformRun {
    private static final System.Logger LOG = System.getLogger(PlatformRun.class.getName());

    /** By then the ledger has the ends of all that ran then. */
    private static final Duration KEPT = Duration.ofDays(30);

    private final Path folder;
    private final InstantSource clock;
    private final String id;
    private final Instant start;
    private boolean failing;

    private PlatformRun(Path folder, InstantSource clock) {
        this.folder = folder;
        this.clock = clock;
        start = clock.instant().truncatedTo(ChronoUnit.MICROS);
        id = start.toString().replace(":", "");
    }

    /** Begins a run, and deletes the files of those long ago; a folder that cannot be used costs accuracy only. */
    static PlatformRun begin(Path folder, InstantSource clock) {
        PlatformRun run = new PlatformRun(folder, clock);
        try {
            Files.createDirectories(folder);
            run.deleteOld();
        } catch (IOException failed) {
            LOG.log(
                    WARNING,
                    "cannot use {0} ({1}): should this run be killed, its costs are known up to the last recorded minute"
                            + " only; move away what is there, and make its folder writable",
                    folder,
                    failed);
        }
        run.touch();
        return run;
    }

    private void deleteOld() throws IOException {
        FileTime oldest = FileTime.from(start.minus(KEPT));
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                if (Files.getLastModifiedTime(file).compareTo(oldest) < 0) {
                    Files.deleteIfExists(file);
                }
            }
        }
    }

    /** Its start in microseconds, as the ledger keeps times. */
    Instant start() {
        return start;
    }

    /** Identifies a virtual node in this run. */
    String nodeId(String name) {
        return name + '@' + id;
    }

    /** Notes that this run is alive; not flushed, because a power cut is over later than a restart of the process. */
    synchronized void touch() {
        Path file = folder.resolve(id);
        try {
            if (Files.notExists(file)) {
                Files.createFile(file);
            }
            Files.setLastModifiedTime(file, FileTime.from(clock.instant()));
            failing = false;
        } catch (IOException failed) {
            if (!failing) {
                LOG.log(WARNING, "cannot note that the platform is alive", failed);
                failing = true;
            }
        }
    }

    /** When the run that a node belongs to was alive last; empty if it is not known any more. */
    Optional<Instant> lastAlive(String nodeId) {
        Path file = folder.resolve(nodeId.substring(nodeId.lastIndexOf('@') + 1));
        try {
            return Optional.of(Files.getLastModifiedTime(file).toInstant().truncatedTo(ChronoUnit.MICROS));
        } catch (IOException unknown) {
            return Optional.empty();
        }
    }
}
