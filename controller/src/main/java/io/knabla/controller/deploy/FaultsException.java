package io.knabla.controller.deploy;

import io.knabla.functions.spec.Fault;
import java.util.List;
import java.util.stream.Collectors;

/** What was asked for does not fit what is there; carries every fault out of a catalog change. */
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
