package io.knabla.controller.deploy;

import io.knabla.functions.Fault;
import java.util.List;
import java.util.stream.Collectors;

/** Aborts a catalog change that does not fit the current record; carries every fault. */
public final class FaultsException extends RuntimeException {
    private final transient List<Fault> faults;

    FaultsException(List<Fault> faults) {
        super(faults.stream().map(Fault::toString).collect(Collectors.joining("; ")));
        this.faults = List.copyOf(faults);
    }

    public List<Fault> faults() {
        return faults;
    }
}
