package io.knabla.storage.history;

/**
 * One act and when it was under way, in nanoseconds of one clock for all clients.
 *
 * @param client whose it was, for people
 * @param returned counts as never for an act of unknown outcome
 */
public record Operation(String client, Act act, long invoked, long returned) {
    public Operation {
        if (returned < invoked) {
            throw new IllegalArgumentException(
                    "%s: %s returned at %d before it was invoked at %d".formatted(client, act, returned, invoked));
        }
    }

    boolean isKnown() {
        return switch (act) {
            case Act.Read _ -> true;
            case Act.Swap swap -> swap.outcome() != Act.Outcome.UNKNOWN;
            case Act.Write write -> write.outcome() != Act.Outcome.UNKNOWN;
        };
    }

    /** Whether it could have been answered so with {@code value} in the register. */
    boolean fits(String value) {
        return switch (act) {
            case Act.Read read -> read.found().equals(value);
            case Act.Swap swap ->
                (swap.outcome() != Act.Outcome.LOST) == swap.expected().equals(value);
            case Act.Write _ -> true;
        };
    }

    /** Whether it leaves the register as it found it, wherever it fits. */
    boolean onlyLooks() {
        return switch (act) {
            case Act.Read _ -> true;
            case Act.Swap swap -> swap.outcome() == Act.Outcome.LOST;
            case Act.Write _ -> false;
        };
    }

    /** What the register holds after it, having held {@code value}. */
    String after(String value) {
        return switch (act) {
            case Act.Read _ -> value;
            case Act.Swap swap -> onlyLooks() ? value : swap.wanted();
            case Act.Write write -> write.value();
        };
    }
}
