package io.knabla.runtime.generation;

import io.knabla.functions.tokenizer.Tokenizer;
import io.knabla.functions.unit.generation.GenerationSettings;
import java.time.Duration;

/** Generates texts of one model, many at a time. Thread-safe. */
public interface Generator extends AutoCloseable {
    /**
     * Queues a request and returns at once. Equal requests have equal texts, whatever else is generated beside them.
     */
    Submission submit(GenerationRequest request);

    /**
     * Queues a prompt that is to be read for another replica, and returns at once. What was read is exported before the
     * last event, {@link GenerationEvent.Finished}.
     *
     * @param prompt ids of 1 token or more; not copied, so it must not change
     */
    Submission read(int[] prompt, PrefixExport export);

    Tokenizer tokenizer();

    GenerationSettings settings();

    /** Number of texts that are being generated. */
    int running();

    /** Number of requests that wait, those included whose text was begun and interrupted. */
    int waiting();

    /** Share of the capacity that is used: 1 is all of it, above that some wait. */
    double utilization();

    /** Number of runs of the decoder since the start. */
    long runs();

    /** Time since the engine failed for good, after which a replica is to be replaced; zero if it has not. */
    Duration overdue();

    /** Snapshot of counters and gauges since the start. */
    GeneratorStatistics statistics();

    /** Fails all texts that are not finished, and frees the model. */
    @Override
    void close();
}
