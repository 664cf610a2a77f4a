package io.knabla.functions.spec;

import io.knabla.functions.Fault;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Collects the faults of a document and the paths that its author set. */
final class Findings {
    private final List<Fault> faults = new ArrayList<>();
    private final Set<String> given = new HashSet<>();
    private final Set<String> misspelt = new HashSet<>();

    void fault(String path, String message, Object... arguments) {
        faults.add(new Fault(path, message.formatted(arguments)));
    }

    void add(List<Fault> more) {
        faults.addAll(more);
    }

    List<Fault> faults() {
        return faults;
    }

    /** Records that the author set this path, to distinguish its value from a default. */
    void given(String path) {
        given.add(path);
    }

    boolean isGiven(String path) {
        return given.contains(path);
    }

    /** Records that the key of this path was misspelt: it has no value, and another fault says why. */
    void misspelt(String path) {
        misspelt.add(path);
    }

    /** Whether the value at the path, or a value above or below it, is invalid and replaced by a default. */
    boolean isFaulty(String path) {
        return Stream.concat(faults.stream().map(Fault::path), misspelt.stream())
                .anyMatch(at -> at.equals(path)
                        || at.startsWith(path + ".")
                        || at.startsWith(path + "[")
                        || path.startsWith(at + "."));
    }
}
