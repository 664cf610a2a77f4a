package io.knabla.functions.spec;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What reading a document has brought to light so far. */
final class Findings {
    private final List<Fault> faults = new ArrayList<>();
    private final Set<String> given = new HashSet<>();

    void fault(String path, String message, Object... arguments) {
        faults.add(new Fault(path, message.formatted(arguments)));
    }

    void add(List<Fault> more) {
        faults.addAll(more);
    }

    List<Fault> faults() {
        return faults;
    }

    /** Remembers that the author wrote this path, so that a default can be told from a wish. */
    void given(String path) {
        given.add(path);
    }

    boolean isGiven(String path) {
        return given.contains(path);
    }

    /** Whether a value at or below the path is a default in place of something faulty. */
    boolean isFaulty(String path) {
        return faults.stream()
                .map(Fault::path)
                .anyMatch(at -> at.equals(path)
                        || at.startsWith(path + ".")
                        || at.startsWith(path + "[")
                        || path.startsWith(at + "."));
    }
}
