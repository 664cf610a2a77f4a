package io.knabla.controller.cluster.local;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What must be known of running replicas after this controller is gone: per replica a folder with its process id and
 * its temporary files. One controller at a time holds it.
 */
final class RunDirectory implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(RunDirectory.class.getName());
    private static final String PID = "pid";
    private static final String ENGINES = "engines";

    private final Path replicas;
    private final FileChannel channel;

    private RunDirectory(Path replicas, FileChannel channel) {
        this.replicas = replicas;
        this.channel = channel;
    }

    /** Takes hold of the folder and ends what an earlier controller left running. */
    static RunDirectory open(Path run) {
        try {
            Path replicas = Files.createDirectories(run.resolve("replicas"));
            FileChannel channel =
                    FileChannel.open(run.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            if (lock(channel).isEmpty()) {
                channel.close();
                throw new IllegalStateException(
                        "another Knabla runs with the home %s; stop it, or set KNABLA_HOME to another folder"
                                .formatted(run.getParent()));
            }
            RunDirectory directory = new RunDirectory(replicas, channel);
            directory.cleanUp();
            deleteTree(run.resolve(ENGINES));
            return directory;
        } catch (IOException error) {
            throw new UncheckedIOException(
                    "cannot use %s: make it writable, or set KNABLA_HOME to another folder".formatted(run), error);
        }
    }

    private static Optional<FileLock> lock(FileChannel channel) throws IOException {
        try {
            return Optional.ofNullable(channel.tryLock());
        } catch (OverlappingFileLockException heldByThisProcess) {
            return Optional.empty();
        }
    }

    /**
     * Where one run of the engine that is no replica may keep temporary files. It ends with its controller by itself;
     * what it leaves then, the next one deletes.
     */
    static Path engine(Path run, String name) {
        return run.resolve(ENGINES).resolve(name);
    }

    /** The replica's temporary folder, made anew. */
    Path prepare(String replica) throws IOException {
        return Files.createDirectories(replicas.resolve(replica).resolve("tmp"));
    }

    /** Notes who it is: a process id alone could be another's by the time it is read. */
    void note(String replica, ProcessHandle process) throws IOException {
        String started = process.info().startInstant().map(Instant::toString).orElse("");
        Files.writeString(replicas.resolve(replica).resolve(PID), process.pid() + " " + started);
    }

    void forget(String replica) {
        deleteTree(replicas.resolve(replica));
    }

    private void cleanUp() throws IOException {
        List<Path> leftovers;
        try (Stream<Path> folders = Files.list(replicas)) {
            leftovers = folders.toList();
        }
        for (Path leftover : leftovers) {
            process(leftover.resolve(PID)).ifPresent(process -> {
                LOG.log(
                        System.Logger.Level.WARNING,
                        "ending {0} (process {1}), left by an earlier controller",
                        leftover.getFileName(),
                        process.pid());
                process.destroyForcibly();
                process.onExit().join();
            });
            deleteTree(leftover);
        }
    }

    /** The process of that note, if it still runs and is verifiably the same. */
    private static Optional<ProcessHandle> process(Path note) {
        try {
            String[] parts = Files.readString(note).strip().split(" ");
            if (parts.length != 2) {
                return Optional.empty();
            }
            return ProcessHandle.of(Long.parseLong(parts[0]))
                    .filter(ProcessHandle::isAlive)
                    .filter(p -> p.info()
                            .startInstant()
                            .map(Instant::toString)
                            .filter(parts[1]::equals)
                            .isPresent());
        } catch (IOException | NumberFormatException halfWritten) {
            return Optional.empty();
        }
    }

    private static void deleteTree(Path folder) {
        if (Files.notExists(folder)) {
            return;
        }
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException | UncheckedIOException left) {
            LOG.log(System.Logger.Level.WARNING, "could not clean up " + folder, left);
        }
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException error) {
            throw new UncheckedIOException(error);
        }
    }
}
