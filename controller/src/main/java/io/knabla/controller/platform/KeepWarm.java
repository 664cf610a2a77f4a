package io.knabla.controller.platform;

import io.knabla.controller.catalog.FunctionId;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;

/** Port of keep-warm decisions: how many replicas of a function run without requests. */
public interface KeepWarm {
    /** Keeps none. */
    KeepWarm NONE = new KeepWarm() {
        @Override
        public Warmth of(FunctionId function) {
            return Warmth.NONE;
        }

        @Override
        public Demand demand(FunctionId function) {
            return Demand.IGNORED;
        }

        @Override
        public Runnable onChange(Consumer<FunctionId> listener) {
            return () -> {};
        }
    };

    /** What holds for the function now; as of the last decision, so it takes no time. */
    Warmth of(FunctionId function);

    /** Where the requests of a function are counted; warm-up requests are not. */
    Demand demand(FunctionId function);

    /**
     * Calls the listener after {@link #of} changed for a function.
     *
     * @return removes the listener
     */
    Runnable onChange(Consumer<FunctionId> listener);

    /** Notified of each request; must return at once. */
    @FunctionalInterface
    interface Demand {
        Demand IGNORED = (_, _) -> {};

        /**
         * @param change 1 for a request that begins, -1 for one that ends
         * @param now in milliseconds of the epoch
         */
        void requests(int change, long now);
    }

    /**
     * @param keep replicas that stay if they run
     * @param start replicas that run in any case
     * @param reason one word for machines; empty while nothing was decided
     * @param nextStart when the next replica that is started ahead of a request must be ready
     */
    record Warmth(int keep, int start, String reason, Optional<Instant> nextStart) {
        public static final Warmth NONE = new Warmth(0, 0, "", Optional.empty());

        /** The replicas that must run, if this many run now. */
        public int minimum(int running) {
            return Math.max(start, Math.min(keep, running));
        }
    }
}
