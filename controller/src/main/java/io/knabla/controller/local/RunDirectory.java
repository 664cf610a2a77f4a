package io.knabla.controller.local;

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
 * Records running replicas for the next controller: one folder per replica, with its process id and its temporary
 * files. One controller at a time locks the directory.
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

    /** Locks the directory and kills processes that an earlier controller left running. */
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
     * Folder for the temporary files of one engine job. The job ends with its controller; the next controller deletes
     * the files.
     */
    static Path engine(Path run, String name) {
        return run.resolve(ENGINES).resolve(name);
    }

    /** Creates the replica's temporary folder. */
    Path prepare(String replica) throws IOException {
        return Files.createDirectories(replicas.resolve(replica).resolve("tmp"));
    }

    /** Records process id and start time, because the system may reuse a process id. */
    private void note(String replica, ProcessHandle process) throws IOException {
        String started = process.info().startInstant().map(Instant::toString).orElse("");
        Files.writeString(replicas.resolve(replica).resolve(PID), process.pid() + " " + started);
    }

    /** Only the next controller reads it, and only if this one is killed: a full disk must not stop a replica. */
    void tryNote(String replica, ProcessHandle process) {
        try {
            note(replica, process);
        } catch (IOException lost) {
            LOG.log(System.Logger.Level.WARNING, "cannot note the process of " + replica, lost);
        }
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

    /** The recorded process, if it still runs and its start time matches. */
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
