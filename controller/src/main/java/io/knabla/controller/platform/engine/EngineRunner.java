package io.knabla.controller.platform.engine;

import io.knabla.functions.unit.Digest;
import java.time.Duration;
import java.util.Optional;

/** Runs the replica program once to completion, in a process or in a Kubernetes Job. */
public interface EngineRunner {
    /** What the program does; the names are its arguments. */
    enum Mode {
        check,
        optimize,
        calibrate
    }

    /**
     * @param unit to run; empty for {@code calibrate}, which measures the machine
     * @param threads of the engine
     */
    record EngineRequest(Mode mode, Optional<Digest> unit, int threads, Limits limits) {}

    /** Time and memory limits; a run that exceeds one is killed. */
    record Limits(Duration time, long memoryBytes) {}

    /** Waits for the end of the run and removes all that is left of it. */
    EngineResult run(EngineRequest order);
}
