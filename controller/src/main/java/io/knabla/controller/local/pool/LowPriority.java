package io.knabla.controller.local.pool;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Starts processes at low CPU priority and raises it later. Linux lets only privileged users raise a priority, so for
 * others processes start at the usual one.
 */
final class LowPriority {
    private static final List<String> LOWEST = List.of("nice", "-n", "19");
    private static final List<String> RAISE = List.of("renice", "-n", "0", "-p");

    private final List<String> prefix;

    private LowPriority(List<String> prefix) {
        this.prefix = prefix;
    }

    /** Tries whether this user may raise a priority. */
    static LowPriority forThisUser() {
        boolean allowed = Files.isDirectory(Path.of("/proc/self/task"))
                && run(List.of("nice", "-n", "1", "sh", "-c", String.join(" ", RAISE) + " $$"));
        return new LowPriority(allowed ? LOWEST : List.of());
    }

    /** Put before a command; empty if its priority could not be raised later. */
    List<String> prefix() {
        return prefix;
    }

    /** Gives all threads of the process the usual priority; false if one is left. */
    boolean raise(long pid) {
        return prefix.isEmpty() || raise(() -> threads(pid), LowPriority::renice);
    }

    /**
     * Threads inherit the priority, so those that others started meanwhile follow in another pass. One that has ended
     * meanwhile makes the command fail, though it raises the others.
     *
     * @param threads of the process, at this moment
     * @param renice whether it could give these threads the usual priority
     */
    static boolean raise(Supplier<Set<String>> threads, Predicate<Set<String>> renice) {
        Set<String> raised = Set.of();
        for (Set<String> seen = threads.get(); !raised.containsAll(seen); ) {
            boolean all = renice.test(seen);
            Set<String> left = threads.get();
            if (!all && left.containsAll(seen)) {
                return false;
            }
            raised = all ? seen : raised;
            seen = left;
        }
        return true;
    }

    private static boolean renice(Set<String> threads) {
        List<String> command = new ArrayList<>(RAISE);
        command.addAll(threads);
        return run(command);
    }

    private static Set<String> threads(long pid) {
        try (Stream<Path> tasks = Files.list(Path.of("/proc", Long.toString(pid), "task"))) {
            return tasks.map(task -> task.getFileName().toString()).collect(Collectors.toCollection(TreeSet::new));
        } catch (IOException ended) {
            return Set.of();
        }
    }

    private static boolean run(List<String> command) {
        try {
            return new ProcessBuilder(command)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .redirectError(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException missing) {
            return false;
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
