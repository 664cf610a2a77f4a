package io.knabla.bench.cold;

/** A cold start to measure, once per round. */
public interface StartScenario {
    String name();

    /** Returns to the state before the start; not measured. */
    default void prepare() {}

    StartMeasurement start();
}
