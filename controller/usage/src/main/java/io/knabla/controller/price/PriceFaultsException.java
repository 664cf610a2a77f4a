package io.knabla.controller.price;

import java.util.List;

/** Declared prices that were refused, with everything that is wrong with them. */
public final class PriceFaultsException extends IllegalArgumentException {
    private final transient List<String> faults;

    PriceFaultsException(List<String> faults) {
        super("the declared prices have %d faults:\n  %s".formatted(faults.size(), String.join("\n  ", faults)));
        this.faults = List.copyOf(faults);
    }

    static void throwIfAny(List<String> faults) {
        if (!faults.isEmpty()) {
            throw new PriceFaultsException(faults);
        }
    }

    /** One sentence each, which begins with the place. */
    public List<String> faults() {
        return faults;
    }
}
