package io.knabla.controller.gc;

import io.knabla.controller.gc.Report.Garbage;
import io.knabla.controller.gc.Report.KindCount;
import io.knabla.controller.platform.CollectableFiles;
import io.knabla.controller.platform.CollectableFiles.FileDecision;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Deletes files of this machine that no function needs any more, such as old logs. Each controller does so for its own
 * machine.
 */
public final class LocalFileCollector {
    private final List<CollectableFiles> all;

    LocalFileCollector(List<CollectableFiles> all) {
        this.all = List.copyOf(all);
    }

    /**
     * Result of a collection, empty on a cluster.
     *
     * @param garbage the largest first, at most {@value Report#SHOWN}
     * @param troubles files that could not be read or deleted
     */
    public record MachineReport(
            List<KindCount> kinds,
            List<Garbage> garbage,
            long garbageFiles,
            long garbageBytes,
            long deletedFiles,
            List<String> troubles) {}

    /** @param dryRun only reports what would be deleted */
    public MachineReport collect(boolean dryRun) {
        var kinds = new ArrayList<KindCount>();
        var garbage = new ArrayList<FileDecision>();
        var troubles = new ArrayList<String>();
        long deleted = 0;
        for (CollectableFiles files : all) {
            try {
                List<FileDecision> decided = files.decide();
                kinds.add(count(files.kind(), decided));
                List<FileDecision> some =
                        decided.stream().filter(one -> !one.keeps()).toList();
                garbage.addAll(some);
                deleted += dryRun ? 0 : delete(files, some);
            } catch (IOException | UncheckedIOException failed) {
                troubles.add("%s on this machine were not collected: %s".formatted(files.kind(), failed.getMessage()));
            }
        }
        return new MachineReport(kinds, shown(garbage), garbage.size(), bytes(garbage), deleted, List.copyOf(troubles));
    }

    private static long delete(CollectableFiles files, List<FileDecision> garbage) throws IOException {
        long deleted = 0;
        for (FileDecision one : garbage) {
            deleted += files.delete(one.file()) ? 1 : 0;
        }
        return deleted;
    }

    private static KindCount count(String kind, List<FileDecision> decided) {
        List<FileDecision> kept = decided.stream().filter(FileDecision::keeps).toList();
        List<FileDecision> garbage =
                decided.stream().filter(one -> !one.keeps()).toList();
        return new KindCount(kind, kept.size(), bytes(kept), garbage.size(), bytes(garbage));
    }

    private static List<Garbage> shown(List<FileDecision> garbage) {
        return garbage.stream()
                .sorted(Comparator.comparingLong((FileDecision one) -> -one.bytes()))
                .limit(Report.SHOWN)
                .map(one -> new Garbage(one.file().toString(), one.bytes(), one.because()))
                .toList();
    }

    private static long bytes(List<FileDecision> files) {
        return files.stream().mapToLong(FileDecision::bytes).sum();
    }
}
