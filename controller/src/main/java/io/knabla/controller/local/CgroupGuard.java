package io.knabla.controller.local;

import io.knabla.controller.machine.MemoryLimit;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Gives each process a cgroup (version 2) with {@code memory.max}: the kernel kills it at its limit, as in a pod. Needs
 * a subtree that is delegated to this process, as by {@code systemd-run --user --scope -p Delegate=yes}.
 */
final class CgroupGuard implements MemoryGuard {
    private static final System.Logger LOG = System.getLogger(CgroupGuard.class.getName());

    /** Only the leaves of a tree with controllers may have processes, so this process moves into one. */
    private static final String OWN_LEAF = "knabla-controller";

    private static final String LEAF = "knabla-process-";
    private static final String PROCESSES = "cgroup.procs";

    private final Path subtree;
    private final MemoryGuard otherwise;

    private CgroupGuard(Path subtree, MemoryGuard otherwise) {
        this.subtree = subtree;
        this.otherwise = otherwise;
    }

    /**
     * Prepares the subtree of this process; empty if there is none that it may use.
     *
     * @param membership {@code /proc/self/cgroup}
     * @param mount {@code /sys/fs/cgroup}
     * @param own this process and the launcher that waits for it: no other process is moved
     * @param otherwise holds a process whose cgroup cannot be made
     */
    static Optional<CgroupGuard> open(Path membership, Path mount, Set<Long> own, MemoryGuard otherwise) {
        try {
            return subtree(Files.readAllLines(membership), mount)
                    .filter(subtree -> delegate(subtree, own))
                    .map(subtree -> new CgroupGuard(subtree, otherwise));
        } catch (IOException | UncheckedIOException none) {
            return Optional.empty();
        }
    }

    /** The cgroup below which leaves are made; empty where version 1 has the memory controller. */
    private static Optional<Path> subtree(List<String> membership, Path mount) {
        boolean older = membership.stream().anyMatch(line -> line.matches("\\d+:(.*,)?memory(,.*)?:.*"));
        return membership.stream()
                .filter(line -> !older && line.startsWith("0::/"))
                .map(line -> mount.resolve(line.substring("0::/".length())))
                .map(own -> own.endsWith(OWN_LEAF) ? own.getParent() : own)
                .findFirst();
    }

    private static boolean delegate(Path subtree, Set<Long> own) {
        try {
            if (!words(subtree.resolve("cgroup.controllers")).contains("memory")) {
                return false;
            }
            List<String> inside = Files.readAllLines(subtree.resolve(PROCESSES));
            if (!inside.stream().map(Long::valueOf).allMatch(own::contains)) {
                return false;
            }
            Path leaf = subtree.resolve(OWN_LEAF);
            Files.createDirectories(leaf);
            for (String process : inside) {
                write(leaf.resolve(PROCESSES), process);
            }
            write(subtree.resolve("cgroup.subtree_control"), "+memory");
            sweep(subtree);
            return true;
        } catch (IOException notDelegated) {
            return false;
        }
    }

    /** Removes what a killed controller left; a cgroup with processes cannot be removed. */
    private static void sweep(Path subtree) throws IOException {
        try (Stream<Path> leaves = Files.list(subtree)) {
            leaves.filter(leaf -> leaf.getFileName().toString().startsWith(LEAF))
                    .forEach(CgroupGuard::remove);
        }
    }

    @Override
    public Hold hold(ProcessHandle process, MemoryLimit limit, Duration interval) {
        Path leaf = subtree.resolve(LEAF + process.pid());
        try {
            Files.createDirectories(leaf);
            write(leaf.resolve("memory.max"), Long.toString(limit.bytes()));
            if (Files.exists(leaf.resolve("memory.swap.max"))) {
                write(leaf.resolve("memory.swap.max"), "0");
            }
            write(leaf.resolve(PROCESSES), Long.toString(process.pid()));
            return new Leaf(leaf, limit);
        } catch (IOException refused) {
            LOG.log(System.Logger.Level.DEBUG, "cannot use the cgroup " + leaf, refused);
            remove(leaf);
            return otherwise.hold(process, limit, interval);
        }
    }

    @Override
    public void close() {
        otherwise.close();
    }

    /** The cgroup of one process. */
    private record Leaf(Path folder, MemoryLimit limit) implements Hold {
        @Override
        public OptionalLong exceeded() {
            try {
                boolean killed = Files.readAllLines(folder.resolve("memory.events")).stream()
                        .anyMatch(line -> line.matches("oom_kill [1-9]\\d*"));
                return killed ? OptionalLong.of(limit.bytes()) : OptionalLong.empty();
            } catch (IOException gone) {
                return OptionalLong.empty();
            }
        }

        @Override
        public void close() {
            remove(folder);
        }
    }

    private static void remove(Path leaf) {
        try {
            Files.deleteIfExists(leaf);
        } catch (IOException busy) {
            LOG.log(System.Logger.Level.DEBUG, "the next start removes " + leaf, busy);
        }
    }

    private static List<String> words(Path file) throws IOException {
        return List.of(Files.readString(file).strip().split(" "));
    }

    /** The kernel's files are there already; creating one would hide that it has no such file. */
    private static void write(Path file, String value) throws IOException {
        Files.writeString(file, value, StandardOpenOption.WRITE);
    }
}
