package io.knabla.bench.run;

import java.util.List;

/** A benchmark, as measurements that run one after the other. */
public interface Bench extends AutoCloseable {
    /** In the order of the report. Starts and writes nothing: a measurement does that when it runs. */
    List<Measurement> measurements();

    /** Removes what the measurements share. */
    @Override
    default void close() {}
}
