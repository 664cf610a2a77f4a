package io.knabla.controller.simulate.spot.trace;

import java.util.List;

/** A trace or price file that was refused, with everything that is wrong with it. */
public final class TraceFaultsException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    private final transient List<String> faults;

    TraceFaultsException(String file, List<String> faults) {
        super("%s cannot be read:\n  %s".formatted(file, String.join("\n  ", faults)));
        this.faults = List.copyOf(faults);
    }

    /** One sentence each, which begins with the line. */
    public List<String> faults() {
        return faults;
    }
}
