package io.knabla.controller.knative;

import io.knabla.controller.catalog.FunctionId;
import io.knabla.controller.knative.capacity.SpotRoom;
import java.util.function.Consumer;

/**
 * What the revisions of a function must have while nodes are taken back: more replicas, or no spot capacity. The
 * handling of interruptions implements it, rollouts ask it.
 */
public interface InterruptionNeeds {
    /** No node is taken back. */
    InterruptionNeeds NONE = new InterruptionNeeds() {
        @Override
        public int minimum(FunctionId function, int version) {
            return 0;
        }

        @Override
        public SpotRoom spotRoom(FunctionId function) {
            return SpotRoom.YES;
        }

        @Override
        public Runnable onChange(Consumer<FunctionId> listener) {
            return () -> {};
        }
    };

    /** Replicas of the version that must run so that replacements start before the others end; zero for no need. */
    int minimum(FunctionId function, int version);

    SpotRoom spotRoom(FunctionId function);

    /**
     * Calls the listener after an answer changed for a function.
     *
     * @return removes the listener
     */
    Runnable onChange(Consumer<FunctionId> listener);
}
