package io.knabla.controller.platform.engine;

import io.knabla.controller.config.Settings;
import io.knabla.controller.machine.MemoryLimit;
import io.knabla.controller.platform.engine.EngineRunner.EngineRequest;
import io.knabla.controller.platform.engine.EngineRunner.Limits;
import io.knabla.controller.platform.engine.EngineRunner.Mode;
import io.knabla.functions.spec.FunctionSpec.Pool;
import io.knabla.functions.unit.Digest;
import io.knabla.functions.unit.UnitException;
import io.knabla.storage.StorageException;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Semaphore;

/** Runs the replica program once for a unit, at most two at a time and under configurable limits. */
@Singleton
public final class ReplicaProgram {
    private final EngineRunner runner;
    private final Settings.CheckSettings settings;
    private final Semaphore turns = new Semaphore(MemoryLimit.ENGINES_AT_ONCE, true);

    public ReplicaProgram(EngineRunner runner, Settings settings) {
        this.runner = runner;
        this.settings = settings.check();
    }

    /** Runs a unit that stands for no replica of a known size. */
    public EngineResult run(Mode mode, Digest unit) {
        return run(new EngineRequest(mode, Optional.of(unit), 1, 1, limits(Optional.empty())));
    }

    /**
     * Runs a unit as replicas will.
     *
     * @param declared memory of the replicas; empty if unknown
     * @param batchMaxSize rows that a replica joins into one run; 1 without batching
     * @throws StorageException if the store failed, with the message of the program
     * @throws UnitException if the program could not read the unit
     */
    public EngineResult check(Digest unit, Optional<Long> declared, int batchMaxSize) {
        return run(new EngineRequest(Mode.check, Optional.of(unit), 1, batchMaxSize, limits(declared)));
    }

    /**
     * Runs a unit once on the devices of a pool. It is not compared with anything: the check on the CPU does that.
     *
     * @return empty if nothing runs there before the replicas do
     */
    public Optional<EngineResult> checkOn(Pool pool, Digest unit, Optional<Long> declared, int batchMaxSize) {
        return runner.hasPool(pool)
                ? Optional.of(
                        run(new EngineRequest(Mode.check, Optional.of(unit), 1, batchMaxSize, limits(declared), pool)))
                : Optional.empty();
    }

    private EngineResult run(EngineRequest request) {
        EngineResult ended = inTurn(request);
        if (ended instanceof EngineResult.Unavailable(var code, var sentence)) {
            throw code.reported(sentence);
        }
        return ended;
    }

    private EngineResult inTurn(EngineRequest request) {
        turns.acquireUninterruptibly();
        try {
            return runner.run(request);
        } finally {
            turns.release();
        }
    }

    private Limits limits(Optional<Long> declared) {
        return new Limits(
                Duration.ofSeconds(settings.seconds()),
                MemoryLimit.ofEngine(settings.mebibytes(), declared, runner.mostMemory()));
    }

    /** Measures the speed of the machine. */
    public EngineResult benchmark(int threads) {
        return runner.run(new EngineRequest(Mode.calibrate, Optional.empty(), threads, 1, limits(Optional.empty())));
    }

    /** Measures the speed of the GPU that replicas here compute on; empty if none of them runs here. */
    public Optional<EngineResult> benchmarkGpu() {
        return runner.hasPool(Pool.gpu)
                ? Optional.of(runner.run(
                        new EngineRequest(Mode.calibrate, Optional.empty(), 1, 1, limits(Optional.empty()), Pool.gpu)))
                : Optional.empty();
    }

    /** Error message of a run for the user who deploys; empty if the run passed. */
    public Optional<String> failureMessage(Mode mode, EngineResult ended) {
        return switch (ended) {
            case EngineResult.Passed _, EngineResult.Measured _, EngineResult.MeasuredGpu _, EngineResult.Ranges _ ->
                Optional.empty();
            case EngineResult.Refused(var sentence) -> Optional.of(sentence);
            case EngineResult.Unavailable(var _, var sentence) -> Optional.of(sentence);
            case EngineResult.NotRun(var why) -> Optional.of("the model was not tried: " + why);
            case EngineResult.Crashed(var how) ->
                Optional.of(
                        "the engine crashed on this model (%s); it was refused because it would crash replicas. Export the model again, or report it with its file."
                                .formatted(how));
            case EngineResult.TooSlow(var limit) ->
                Optional.of("the engine did not load and run this model %s within %d s. %s KNABLA_CHECK_SECONDS."
                        .formatted(times(mode), limit.toSeconds(), remedy(mode)));
            case EngineResult.TooLarge(var bytes, var limit) ->
                Optional.of(
                        "the engine used %d MiB of memory to run this model %s, allowed are %s. %s KNABLA_CHECK_MEBIBYTES."
                                .formatted(bytes >> 20, times(mode), limit.engineText(), remedy(mode, limit)));
        };
    }

    private static String times(Mode mode) {
        return mode == Mode.quantizeRanges ? "on all calibration requests" : "once";
    }

    private static String remedy(Mode mode, MemoryLimit limit) {
        return switch (limit.source()) {
            case DECLARED -> "Set spec.resources.memory to more, make the model smaller, or allow more with";
            case CONFIGURED, MACHINE, DEFAULT -> remedy(mode);
        };
    }

    private static String remedy(Mode mode) {
        return mode == Mode.quantizeRanges
                ? "Send fewer or smaller requests, make the model smaller, or allow more with"
                : "Make it smaller, or allow more with";
    }
}
