package io.knabla.controller.cluster.engine;

import io.knabla.functions.unit.Digest;
import java.time.Duration;
import java.util.Optional;

/** Runs the replica's program for something that ends by itself: as a process, or as a Job of the cluster. */
public interface EngineRunner {
    /** What it can be asked to do; the names are the program's arguments. */
    enum Mode {
        check,
        optimize,
        calibrate
    }

    /**
     * @param unit empty where the machine itself is what is looked at
     * @param threads of one run of the engine
     */
    record Order(Mode mode, Optional<Digest> unit, int threads, Limits limits) {}

    /** What it may take; who takes more is ended. */
    record Limits(Duration time, long memoryBytes) {}

    /** Waits until it has ended; however it ended, nothing of it is left. */
    Ended run(Order order);
}
