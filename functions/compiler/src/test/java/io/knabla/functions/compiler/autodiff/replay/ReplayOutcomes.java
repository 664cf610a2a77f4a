package io.knabla.functions.compiler.autodiff.replay;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/** Outcomes of all cases of a zip under one transform, computed once and shared by all tests. */
final class ReplayOutcomes {
    private static final Map<String, ReplayOutcomes> KNOWN = new ConcurrentHashMap<>();

    private final String name;
    private final TreeMap<String, Outcome> outcomes = new TreeMap<>();

    private ReplayOutcomes(String name) {
        this.name = name;
    }

    /** Runs every case and writes {@code target/replay/<name>.txt}. */
    static ReplayOutcomes of(String name, List<Fixture> cases, Function<Fixture, Outcome> replay) {
        return KNOWN.computeIfAbsent(name, _ -> {
            var coverage = new ReplayOutcomes(name);
            cases.forEach(c -> coverage.outcomes.put(c.name(), replay.apply(c)));
            coverage.report();
            return coverage;
        });
    }

    Map<String, Outcome> outcomes() {
        return outcomes;
    }

    long passed() {
        return outcomes.values().stream()
                .filter(Outcome.Agrees.class::isInstance)
                .count();
    }

    double ratio() {
        return (double) passed() / outcomes.size();
    }

    /** The cases that do not agree, as {@code name: reason}. */
    List<String> rest() {
        return outcomes.entrySet().stream()
                .filter(e -> !(e.getValue() instanceof Outcome.Agrees))
                .map(e -> e.getKey() + ": " + e.getValue().reason())
                .toList();
    }

    String line() {
        return "%s: %d passed / %d exportable".formatted(name, passed(), outcomes.size());
    }

    private void report() {
        try {
            Path folder = Files.createDirectories(Path.of("target", "replay"));
            Files.writeString(folder.resolve(name + ".txt"), line() + "\n" + String.join("\n", rest()) + "\n");
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }
}
