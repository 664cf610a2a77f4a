package io.knabla.controller.cli.verbs.function;

import io.knabla.controller.warm.policy.Reason;
import java.util.stream.Stream;

/** Puts the reason of a keep-warm decision into a sentence for people. */
final class KeepReasons {
    private KeepReasons() {}

    /** A sentence for the reason as the platform names it; one that a newer platform has comes back as it is. */
    static String sentence(String reason) {
        return reason.equals("SCHEDULE")
                ? "its schedule says so"
                : Stream.of(Reason.values())
                        .filter(known -> known.name().equals(reason))
                        .map(KeepReasons::sentence)
                        .findFirst()
                        .orElse(reason);
    }

    private static String sentence(Reason reason) {
        return switch (reason) {
            case NEVER -> "the policy keeps no idle replica";
            case ALWAYS -> "the policy keeps every replica";
            case FIXED_TIME -> "for a fixed time after the last request";
            case TOO_FEW_OBSERVATIONS -> "too little is known of its pauses";
            case NOT_REPRESENTATIVE -> "its pauses have no usual length";
            case OUT_OF_BOUNDS -> "its pauses are longer than the histogram; their trend is used";
            case HISTOGRAM -> "by the usual lengths of its pauses";
            case TIMER -> "until the next tick of its timer";
            case ALWAYS_BUSY -> "it is hardly ever idle";
            case REGULAR -> "its pauses are all alike";
            case NEARLY_REGULAR -> "its pauses have a few lengths";
            case DENSE -> "nearly all of its pauses are short";
            case SUCCESSIVE -> "its requests come in long runs";
            case PULSED -> "its requests come in short bursts";
            case POSSIBLE -> "some lengths of its pauses are more frequent than others";
            case QUANTILE -> "by the mean time between its requests";
            case WORTH_KEEPING -> "a request is expected soon enough to be worth the memory";
            case WORTH_PRE_WARMING -> "a request is expected later, and a replica is started ahead of it";
            case NOT_WORTH_KEEPING -> "no time of the next request is likely enough to be worth the memory";
            case OVER_BUDGET -> "other functions need the memory for warm replicas more";
        };
    }
}
