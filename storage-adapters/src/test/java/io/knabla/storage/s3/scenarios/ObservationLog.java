package io.knabla.storage.s3.scenarios;

import io.knabla.storage.history.Call;
import io.knabla.storage.history.LinearizabilityChecker;
import io.knabla.storage.history.Operation;
import io.knabla.storage.history.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/** Records what every client observed of every key, and finally checks the observations. */
final class ObservationLog {
    private final Map<String, List<Operation>> histories = new TreeMap<>();
    private final Map<String, String> valueOfEtag = new ConcurrentHashMap<>();

    synchronized void add(String key, Operation operation) {
        histories.computeIfAbsent(key, _ -> new ArrayList<>()).add(operation);
    }

    /** Records the value of an etag; two values for one etag are a violation. */
    void recordEtag(String key, String etag, String value) {
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
                .filter(ObservationLog::isUnknown)
                .count();
    }

    private static boolean isUnknown(Operation operation) {
        return switch (operation.call()) {
            case Call.Read _ -> false;
            case Call.Swap swap -> swap.outcome() == Call.Outcome.UNKNOWN;
            case Call.Write write -> write.outcome() == Call.Outcome.UNKNOWN;
        };
    }

    /** Returns the keys with a history that is not linearizable, with that history. */
    synchronized List<String> contradictions() {
        List<String> found = new ArrayList<>();
        histories.forEach((key, history) -> {
            if (LinearizabilityChecker.check(Values.ABSENT, history)
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
