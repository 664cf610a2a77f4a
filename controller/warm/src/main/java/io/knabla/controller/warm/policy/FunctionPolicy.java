package io.knabla.controller.warm.policy;

/**
 * The policy for one function: learns from its requests, decides for each of its replicas. Not thread-safe. Warm-up
 * requests of the platform are not told to it. Times are milliseconds and never go back.
 */
public interface FunctionPolicy {
    /** A request begins on a replica that had none; replicas are numbered from 0, the lowest free one is used. */
    void started(int replica, long now);

    /** A replica has no request left. */
    void ended(int replica, long now);

    /** Asked when a replica has been idle for {@link #minimumKeepMillis}. Takes well under a millisecond. */
    Decision decide(int replica, long now);

    /** Time that an idle replica is kept in any case, so that a busy function costs no decisions. */
    default long minimumKeepMillis() {
        return 0;
    }

    /** Whether enough is known of the function to act on decisions about its requests. */
    default boolean hasLearned() {
        return true;
    }

    SavedState state();

    /** Takes over what was learned; false if the state is of another policy or version, and then nothing is changed. */
    boolean restore(SavedState state);
}
