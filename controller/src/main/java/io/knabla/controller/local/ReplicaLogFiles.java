package io.knabla.controller.local;

import io.knabla.controller.catalog.Catalog;
import io.knabla.controller.catalog.CatalogException;
import io.knabla.controller.catalog.FunctionId;
import io.knabla.controller.config.ForPlatform;
import io.knabla.controller.config.Settings.ClusterKind;
import io.knabla.controller.home.Home;
import io.knabla.controller.platform.Cluster;
import io.knabla.controller.platform.CollectableFiles;
import io.knabla.controller.platform.Replica;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Decides which log files of replicas are kept: those of running replicas, and the newest of ended ones. The logs of a
 * deleted function are kept for a while, to explain why it failed.
 */
@Singleton
@ForPlatform(ClusterKind.Local)
final class ReplicaLogFiles implements CollectableFiles {
    /** As many as the cluster remembers of one function. */
    static final int ENDED_KEPT = LocalCluster.ENDED_KEPT;

    static final Duration DELETED_KEPT = Duration.ofDays(7);

    /** Why a log is kept or deleted. */
    private enum Reason {
        RUNNING(true, "its replica runs"),
        NEWEST(true, "it is among the newest %d of its function".formatted(ENDED_KEPT)),
        JUST_DELETED(true, "its function was deleted; it is kept for %d days".formatted(DELETED_KEPT.toDays())),
        OLDER(false, "its replica ended, and %d newer ones of its function are there".formatted(ENDED_KEPT)),
        DELETED(false, "its function was deleted, and it is older than %d days".formatted(DELETED_KEPT.toDays()));

        private final boolean keeps;
        private final String because;

        Reason(boolean keeps, String because) {
            this.keeps = keeps;
            this.because = because;
        }
    }

    /** One file. */
    private record LogFile(Path path, long bytes, Instant written) {}

    private final Path logs;
    private final Catalog catalog;
    private final Cluster cluster;
    private final Clock clock;

    @Inject
    ReplicaLogFiles(Home home, Catalog catalog, @ForPlatform(ClusterKind.Local) Cluster cluster, Clock clock) {
        this(home.logs(), catalog, cluster, clock);
    }

    ReplicaLogFiles(Path logs, Catalog catalog, Cluster cluster, Clock clock) {
        this.logs = logs;
        this.catalog = catalog;
        this.cluster = cluster;
        this.clock = clock;
    }

    @Override
    public String kind() {
        return "logs";
    }

    @Override
    public List<FileDecision> decide() throws IOException {
        Set<Path> running = cluster.replicas().stream()
                .filter(replica -> runs(replica.state()))
                .map(replica -> LocalCluster.logFile(logs, replica.function(), replica.id()))
                .collect(Collectors.toSet());
        var decisions = new ArrayList<FileDecision>();
        for (Path namespace : folders(logs)) {
            for (Path function : folders(namespace)) {
                decisions.addAll(decide(function, running));
            }
        }
        return decisions;
    }

    private List<FileDecision> decide(Path folder, Set<Path> running) throws IOException {
        boolean exists = exists(new FunctionId(
                folder.getParent().getFileName().toString(),
                folder.getFileName().toString()));
        var decisions = new ArrayList<FileDecision>();
        int ended = 0;
        for (LogFile log : newestFirst(folder)) {
            Reason reason = running.contains(log.path()) ? Reason.RUNNING : ofEnded(log, ended++, exists);
            decisions.add(new FileDecision(log.path(), log.bytes(), reason.keeps, reason.because));
        }
        return decisions;
    }

    private Reason ofEnded(LogFile log, int newer, boolean exists) {
        if (newer >= ENDED_KEPT) {
            return Reason.OLDER;
        }
        if (exists) {
            return Reason.NEWEST;
        }
        return log.written().plus(DELETED_KEPT).isAfter(clock.instant()) ? Reason.JUST_DELETED : Reason.DELETED;
    }

    private static boolean runs(Replica.State state) {
        return switch (state) {
            case STARTING, READY, UNRESPONSIVE, DRAINING -> true;
            case STOPPED, FAILED -> false;
        };
    }

    private boolean exists(FunctionId function) {
        try {
            return catalog.find(function).isPresent();
        } catch (CatalogException unreadable) {
            return true;
        }
    }

    /** Also removes the folders of a function and of a namespace that become empty. */
    @Override
    public boolean delete(Path file) throws IOException {
        boolean was = Files.deleteIfExists(file);
        removeEmpty(file.getParent());
        removeEmpty(file.getParent().getParent());
        return was;
    }

    private static void removeEmpty(Path folder) throws IOException {
        try {
            Files.deleteIfExists(folder);
        } catch (DirectoryNotEmptyException inUse) {
            // Other logs are in it.
        }
    }

    private static List<Path> folders(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.filter(Files::isDirectory).toList();
        }
    }

    private static List<LogFile> newestFirst(Path folder) throws IOException {
        var files = new ArrayList<LogFile>();
        try (Stream<Path> entries = Files.list(folder)) {
            for (Path file : entries.toList()) {
                BasicFileAttributes is = Files.readAttributes(file, BasicFileAttributes.class);
                if (is.isRegularFile()) {
                    files.add(new LogFile(file, is.size(), is.lastModifiedTime().toInstant()));
                }
            }
        }
        files.sort(Comparator.comparing(LogFile::written).reversed().thenComparing(LogFile::path));
        return files;
    }
}
