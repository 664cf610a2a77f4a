package io.knabla.functions.packaging;

import io.knabla.functions.Fault;
import java.util.ArrayList;
import java.util.List;

/** Collects faults; keeps the first hundred and counts the rest, for hostile models with millions. */
final class FaultCollector {
    private static final int MAX = 100;

    private final List<Fault> found = new ArrayList<>();
    private int more;

    void add(String path, String message, Object... args) {
        if (found.size() < MAX) {
            found.add(new Fault(path, message.formatted(args)));
        } else {
            more++;
        }
    }

    boolean isEmpty() {
        return found.isEmpty();
    }

    List<Fault> toList() {
        var all = new ArrayList<>(found);
        if (more > 0) {
            all.add(new Fault("", "… and " + more + " more faults"));
        }
        return List.copyOf(all);
    }
}
