package io.knabla.runtime.tesseract;

import java.util.ArrayList;
import java.util.List;

/**
 * Collects the faults of one request. Keeps the first hundred and counts the others: a body may have a fault per byte.
 */
final class Faults {
    private static final int MOST = 100;

    private final List<Fault> first = new ArrayList<>();
    private int more;

    void add(Fault fault) {
        if (first.size() < MOST) {
            first.add(fault);
        } else {
            more++;
        }
    }

    void addAll(Faults others) {
        others.first.forEach(this::add);
        more += others.more;
    }

    /** Throws if there is any. */
    void check() {
        if (more > 0) {
            first.add(new Fault("too_many_faults", List.of("body"), "and %d more faults".formatted(more)));
        }
        if (!first.isEmpty()) {
            throw RequestException.invalid(first);
        }
    }
}
