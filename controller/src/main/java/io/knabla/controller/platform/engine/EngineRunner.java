package io.knabla.controller.platform.engine;

import io.knabla.controller.machine.MemoryLimit;
import io.knabla.functions.spec.FunctionSpec.Pool;
import io.knabla.functions.unit.Digest;
import java.time.Duration;
import java.util.Optional;

/** Runs the replica program once to completion, in a process or in a Kubernetes Job. */
public interface EngineRunner {
    /** Task of the program. */
    enum Mode {
        check("check"),
        optimize("optimize"),
        calibrate("calibrate"),
        quantizeRanges("quantize-ranges");

        private final String argument;

        Mode(String argument) {
            this.argument = argument;
        }

        /** The program's argument; also part of the names of processes and Jobs. */
        public String argument() {
            return argument;
        }
    }

    /**
     * @param unit to run; empty for {@code calibrate}, which measures the machine
     * @param threads of the engine
     * @param batchMaxSize rows that a replica joins into one run; with more than 1, {@code check} also tries rows alone
     *     and together
     * @param pool whose devices it computes on
     */
    record EngineRequest(Mode mode, Optional<Digest> unit, int threads, int batchMaxSize, Limits limits, Pool pool) {
        /** On the CPU. */
        public EngineRequest(Mode mode, Optional<Digest> unit, int threads, int batchMaxSize, Limits limits) {
            this(mode, unit, threads, batchMaxSize, limits, Pool.cpu);
        }
    }

    /** Time and memory limits; a run that exceeds one is killed. */
    record Limits(Duration time, MemoryLimit memory) {
        public long memoryBytes() {
            return memory.bytes();
        }
    }

    /** Largest memory that a run may have where this runner runs it, unless the settings say otherwise. */
    default MemoryLimit mostMemory() {
        return MemoryLimit.ofEngineAnywhere();
    }

    /** Whether it runs requests where replicas of this pool run. */
    default boolean hasPool(Pool pool) {
        return switch (pool) {
            case cpu, auto -> true;
            case gpu -> false;
        };
    }

    /** Waits for the end of the run and removes all that is left of it. */
    EngineResult run(EngineRequest request);
}
