package io.knabla.controller.simulate.rows;

import java.io.Serial;
import java.util.List;

/** Thrown for a trace that cannot be read; names all faults, or the first of them and how many there are. */
public final class TraceFault extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1;

    private final transient List<String> faults;

    public TraceFault(List<String> faults) {
        super(String.join("\n", faults));
        this.faults = List.copyOf(faults);
    }

    public List<String> faults() {
        return faults;
    }
}
