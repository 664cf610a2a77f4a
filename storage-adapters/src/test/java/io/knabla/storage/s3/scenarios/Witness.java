package io.knabla.storage.s3.scenarios;

import io.knabla.storage.history.Act;
import io.knabla.storage.history.Operation;
import io.knabla.storage.history.Register;
import io.knabla.storage.history.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/** Notes what every client saw of every key, and judges it in the end. */
final class Witness {
    private final Map<String, List<Operation>> histories = new TreeMap<>();
    private final Map<String, String> valueOfEtag = new ConcurrentHashMap<>();

    synchronized void note(String key, Operation operation) {
        histories.computeIfAbsent(key, _ -> new ArrayList<>()).add(operation);
    }

    /** An etag names one value; anything else is a fault of its own. */
    void etag(String key, String etag, String value) {
        String before = valueOfEtag.putIfAbsent(key + " " + etag, value);
        if (before != null && !before.equals(value)) {
            throw new AssertionError("etag %s names %s and %s".formatted(etag, before, value));
        }
    }

    Optional<String> value(String key, String etag) {
        return Optional.ofNullable(valueOfEtag.get(key + " " + etag));
    }

    synchronized int operations() {
        return histories.values().stream().mapToInt(List::size).sum();
    }

    synchronized long unknown() {
        return histories.values().stream()
                .flatMap(List::stream)
                .filter(Witness::isUnknown)
                .count();
    }

    private static boolean isUnknown(Operation operation) {
        return switch (operation.act()) {
            case Act.Read _ -> false;
            case Act.Swap swap -> swap.outcome() == Act.Outcome.UNKNOWN;
            case Act.Write write -> write.outcome() == Act.Outcome.UNKNOWN;
        };
    }

    /** What cannot be explained, key by key, with the whole history of it. */
    synchronized List<String> contradictions() {
        List<String> found = new ArrayList<>();
        histories.forEach((key, history) -> {
            if (Register.check(Values.ABSENT, history)
                    instanceof Verdict.Impossible(var explained, var value, var stuck)) {
                found.add(
                        "'%s': %d of %d operations can be explained; then it holds '%s' and none of these can follow: %s%n%s"
                                .formatted(key, explained, history.size(), value, stuck, lines(history)));
            }
        });
        return found;
    }

    private static String lines(List<Operation> history) {
        return String.join("\n", history.stream().map(o -> "    " + o).toList());
    }
}
