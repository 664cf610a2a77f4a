package io.knabla.controller.platform.engine;

import com.fasterxml.jackson.databind.JsonNode;
import io.knabla.controller.machine.GpuProfile;
import io.knabla.controller.machine.MemoryLimit;
import io.knabla.functions.compiler.optimize.quantize.Range;
import io.knabla.functions.unit.FailureCode;
import io.knabla.functions.unit.GpuFigure;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** Result of one run of the engine. */
public sealed interface EngineResult {
    /**
     * @param warning a problem of this run that real inputs may not have
     * @param gradientCheck measured accuracy of the gradients; empty for models without gradients
     * @param rows what a check with batching found; empty without
     * @param unit digest of the unit that {@code optimize} created
     */
    record Passed(
            Optional<String> warning,
            Optional<JsonNode> gradientCheck,
            Optional<RowsVerdict> rows,
            Optional<String> unit)
            implements EngineResult {}

    /** Speed of the machine, as {@code calibrate} measured it. */
    record Measured(double flops, double bytesPerSecond) implements EngineResult {}

    /**
     * Speed of a GPU, as {@code calibrate} measured it.
     *
     * @param failures why a figure was not measured
     */
    record MeasuredGpu(GpuProfile device, Map<GpuFigure, String> failures) implements EngineResult {}

    /** Ranges of activations on the samples of a calibration unit, as {@code quantize-ranges} measured them. */
    record Ranges(Map<String, Range> ranges) implements EngineResult {}

    /** The engine rejected the model with this message. */
    record Refused(String sentence) implements EngineResult {}

    record Crashed(String how) implements EngineResult {}

    record TooSlow(Duration limit) implements EngineResult {}

    /** @param bytes that it used */
    record TooLarge(long bytes, MemoryLimit limit) implements EngineResult {}

    /** The store failed to read or write the unit; the model was not run, and a retry may succeed. */
    record Unavailable(FailureCode code, String sentence) implements EngineResult {}

    /** The model was not run: the replica program or a place to run it is missing. */
    record NotRun(String why) implements EngineResult {}
}
