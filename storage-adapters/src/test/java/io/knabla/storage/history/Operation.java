package io.knabla.storage.history;

/**
 * One call with its time of invocation and response, in nanoseconds of one clock for all clients.
 *
 * @param client name of the client, for people
 * @param returned ignored for a call of unknown outcome, which may take effect at any later time
 */
public record Operation(String client, Call call, long invoked, long returned) {
    public Operation {
        if (returned < invoked) {
            throw new IllegalArgumentException(
                    "%s: %s returned at %d before it was invoked at %d".formatted(client, call, returned, invoked));
        }
    }

    boolean isKnown() {
        return switch (call) {
            case Call.Read _ -> true;
            case Call.Swap swap -> swap.outcome() != Call.Outcome.UNKNOWN;
            case Call.Write write -> write.outcome() != Call.Outcome.UNKNOWN;
        };
    }

    /** Returns whether this result is possible if the register holds {@code value}. */
    boolean isPossibleAt(String value) {
        return switch (call) {
            case Call.Read read -> read.found().equals(value);
            case Call.Swap swap ->
                (swap.outcome() != Call.Outcome.LOST) == swap.expected().equals(value);
            case Call.Write _ -> true;
        };
    }

    /** Returns whether it never changes the register. */
    boolean isReadOnly() {
        return switch (call) {
            case Call.Read _ -> true;
            case Call.Swap swap -> swap.outcome() == Call.Outcome.LOST;
            case Call.Write _ -> false;
        };
    }

    /** Returns the value of the register after it, if the value before is {@code value}. */
    String after(String value) {
        return switch (call) {
            case Call.Read _ -> value;
            case Call.Swap swap -> isReadOnly() ? value : swap.wanted();
            case Call.Write write -> write.value();
        };
    }
}
