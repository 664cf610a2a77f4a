package io.knabla.controller.machine;

import io.knabla.functions.spec.Quantities;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Memory limit of a process, and the setting or fact that it follows from.
 *
 * @param bytes outside mapped files, as {@link ProcessMemory} counts
 */
public record MemoryLimit(long bytes, Source source) {
    /** Runs of the engine at one time. */
    public static final int ENGINES_AT_ONCE = 2;

    private static final long GIB = 1L << 30;

    /** Enough for the JVM, the engine and a small model, whatever the file declares. */
    private static final long LEAST_CHECK = GIB;

    /** Enough for nearly every model; a larger machine needs no more. */
    private static final long MOST_CHECK = 8 * GIB;

    /** A check also compares gradients with differences, which takes several calls at once. */
    private static final int CHECK_TO_REPLICA = 4;

    /** What decided a limit. */
    public enum Source {
        /** {@code spec.resources.memory}. */
        DECLARED,
        /** {@code KNABLA_CHECK_MEBIBYTES}. */
        CONFIGURED,
        /** The memory of the machine. */
        MACHINE,
        /** Nothing else bounds it. */
        DEFAULT
    }

    /**
     * Limit of a replica: what its function declares, exactly as on a cluster; an idle replica uses about 35 MiB of it.
     *
     * @param declared empty for {@code auto}, which may use three quarters of the machine
     */
    public static MemoryLimit ofReplica(Optional<Long> declared, long machineBytes) {
        return declared.map(bytes -> new MemoryLimit(bytes, Source.DECLARED))
                .orElseGet(() -> new MemoryLimit(machineBytes / 4 * 3, Source.MACHINE));
    }

    /** Largest limit of an engine run on a machine: all that run at once leave a quarter of its memory free. */
    public static MemoryLimit ofEngineOn(long machineBytes) {
        long share = machineBytes / 4 * 3 / ENGINES_AT_ONCE;
        return share < MOST_CHECK ? new MemoryLimit(share, Source.MACHINE) : ofEngineAnywhere();
    }

    /** Largest limit of an engine run on a machine that is not known before, as on a cluster. */
    public static MemoryLimit ofEngineAnywhere() {
        return new MemoryLimit(MOST_CHECK, Source.DEFAULT);
    }

    /**
     * Limit of one engine run.
     *
     * @param configured in MiB; taken as it is
     * @param declared memory of the replicas that the run stands for; empty if it stands for none
     * @param most of the place where it runs
     */
    public static MemoryLimit ofEngine(OptionalInt configured, Optional<Long> declared, MemoryLimit most) {
        if (configured.isPresent()) {
            return new MemoryLimit((long) configured.getAsInt() << 20, Source.CONFIGURED);
        }
        return declared.map(bytes -> new MemoryLimit(Math.max(LEAST_CHECK, times(bytes)), Source.DECLARED))
                .filter(limit -> limit.bytes < most.bytes)
                .orElse(most);
    }

    private static long times(long bytes) {
        return bytes > MOST_CHECK ? MOST_CHECK : CHECK_TO_REPLICA * bytes;
    }

    /** The limit of an engine run and what decided it, for people. */
    public String engineText() {
        return "%d MiB (%s)"
                .formatted(
                        bytes >> 20,
                        switch (source) {
                            case DECLARED -> "four times spec.resources.memory, at least 1024";
                            case CONFIGURED -> "KNABLA_CHECK_MEBIBYTES";
                            case MACHINE -> "three eighths of the machine's memory, as two models may be tried at once";
                            case DEFAULT -> "the default";
                        });
    }

    /** Why a replica was ended that exceeded this limit, and what to do. */
    public String replicaKilled() {
        return switch (source) {
            case DECLARED, CONFIGURED, DEFAULT ->
                outOfMemory("was killed, as it used more than its memory", Optional.of(bytes));
            case MACHINE ->
                "a replica was killed, as it used %s, three quarters of this machine's memory. Set spec.resources.memory to what it needs, which ./knabla analyze tells, on a machine that has as much."
                        .formatted(Quantities.formatBytes(bytes));
        };
    }

    /**
     * Why a replica ended, in the same words for a process and a pod.
     *
     * @param what it did, such as {@code ran out of memory}
     */
    public static String outOfMemory(String what, Optional<Long> limit) {
        return "a replica %s%s. Set spec.resources.memory to more%s, or to auto; ./knabla analyze tells what the model needs."
                .formatted(
                        what,
                        limit.map(bytes -> " of " + Quantities.formatBytes(bytes))
                                .orElse(""),
                        limit.map(bytes -> ", such as " + doubled(bytes)).orElse(""));
    }

    /** Suggests twice the limit: 1.5 times is enough for most, but a second failure costs another deploy. */
    private static String doubled(long bytes) {
        return Math.max(64, 2 * (bytes >> 20)) + "Mi";
    }
}
