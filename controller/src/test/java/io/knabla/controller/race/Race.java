package io.knabla.controller.race;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.catalog.StoreCatalog;
import io.knabla.storage.history.Call;
import io.knabla.storage.history.Histories;
import io.knabla.storage.history.LinearizabilityChecker;
import io.knabla.storage.history.Operation;
import io.knabla.storage.history.Verdict;
import io.knabla.storage.setup.Stores;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** Runs two processes against one catalog and checks that their history is linearizable. */
final class Race {
    private static final List<String> NAMES = List.of("a", "b");

    private final Path folder;
    private final String store;

    /** @param store location of the catalog; empty at first */
    Race(Path folder, String store) {
        this.folder = folder;
        this.store = store;
    }

    /**
     * @param throughEnvironment environment of the racers, which may lead through a fault proxy
     * @param directEnvironment environment that reaches the store directly
     * @return summary for people
     */
    String run(int updates, Map<String, String> throughEnvironment, Map<String, String> directEnvironment)
            throws IOException {
        long before = System.nanoTime();
        List<Process> racers = new ArrayList<>();
        List<BufferedReader> outputs = new ArrayList<>();
        try {
            for (String name : NAMES) {
                Process racer = start(name, updates / NAMES.size(), throughEnvironment);
                racers.add(racer);
                outputs.add(racer.inputReader());
            }
            for (BufferedReader output : outputs) {
                readsTheSameClock(output, before);
            }
            int unknown = 0;
            for (int heat = 0; heat < Racer.HEATS; heat++) {
                for (Process racer : racers) {
                    racer.getOutputStream().write('!');
                    racer.getOutputStream().flush();
                }
                unknown = 0;
                for (BufferedReader output : outputs) {
                    unknown += Integer.parseInt(output.readLine());
                }
            }
            return judge(updates, unknown, directEnvironment);
        } finally {
            racers.forEach(Process::destroyForcibly);
        }
    }

    /** Intervals of two processes compare only on a common clock; on Linux nanoTime is one. */
    private static void readsTheSameClock(BufferedReader output, long before) throws IOException {
        String line = output.readLine();
        assertThat(line).as("the racer's first words; see its errors above").isNotNull();
        assertThat(Long.parseLong(line)).isBetween(before, System.nanoTime());
    }

    private Process start(String name, int updates, Map<String, String> environment) throws IOException {
        var builder = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Racer.class.getName(),
                        store,
                        name,
                        Integer.toString(updates),
                        folder.resolve(name).toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().putAll(environment);
        return builder.start();
    }

    private String judge(int updates, int unknown, Map<String, String> environment) throws IOException {
        List<Operation> history = new ArrayList<>();
        for (String name : NAMES) {
            history.addAll(Histories.read(folder.resolve(name)));
        }
        long won = history.stream().filter(Race::won).count();
        // Each update that returned won exactly once; never more acknowledged writes than updates.
        assertThat(won).isBetween((long) updates - unknown, (long) updates);
        assertThat(latest(environment)).isBetween((int) won, updates);
        assertThat(history).anyMatch(Race::lost);
        Verdict verdict = LinearizabilityChecker.check("", history);
        assertThat(verdict).isInstanceOf(Verdict.Linearizable.class);
        return "%d updates, %d operations, %d races lost, %d of unknown outcome: linearizable"
                .formatted(
                        updates,
                        history.size(),
                        history.stream().filter(Race::lost).count(),
                        unknown);
    }

    private int latest(Map<String, String> environment) {
        try (var direct = Stores.open(store, environment)) {
            return new StoreCatalog(direct, new SplittableRandom(1))
                    .find(Racer.FUNCTION)
                    .orElseThrow()
                    .latest()
                    .number();
        }
    }

    private static boolean won(Operation operation) {
        return operation.call() instanceof Call.Swap swap && swap.outcome() == Call.Outcome.WON;
    }

    private static boolean lost(Operation operation) {
        return operation.call() instanceof Call.Swap swap && swap.outcome() == Call.Outcome.LOST;
    }
}
