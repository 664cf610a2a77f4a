package io.knabla.runtime.serve;

import java.time.Duration;
import java.util.OptionalDouble;

/** A loaded model, as far as the replica that serves it must know it. Thread-safe. */
public interface ServedModel extends AutoCloseable {
    /** Number of runs in progress. */
    int running();

    /** Number of requests that wait for a run. */
    int waiting();

    /** Number of runs since the start; where requests share runs, fewer than requests. */
    long runs();

    /**
     * The longest time that a run has gone on after it was told to stop at its deadline, or the time since the model
     * failed for good; zero if neither is so. A replica that answers no more is replaced.
     */
    Duration overdue();

    /**
     * Share of the capacity that is used, where requests at once do not tell it: 1 is all of it, above that some wait.
     */
    default OptionalDouble utilization() {
        return OptionalDouble.empty();
    }

    /**
     * Appends metrics that only models of this kind have, in the form of {@link PrometheusText}.
     *
     * @param labels of all series, without braces
     */
    default void metrics(StringBuilder text, String labels) {}

    @Override
    void close();
}
