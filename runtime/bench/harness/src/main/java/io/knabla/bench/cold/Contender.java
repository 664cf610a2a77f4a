package io.knabla.bench.cold;

/** Something that can be started from nothing, once a round. */
public interface Contender {
    String name();

    /** Back to nothing; not measured. */
    default void prepare() {}

    Measured start();
}
