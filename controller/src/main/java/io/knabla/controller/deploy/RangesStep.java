package io.knabla.controller.deploy;

import io.knabla.controller.models.ModelSource;
import io.knabla.controller.platform.engine.EngineResult;
import io.knabla.controller.platform.engine.EngineRunner.Mode;
import io.knabla.controller.platform.engine.ReplicaProgram;
import io.knabla.functions.Fault;
import io.knabla.functions.compiler.optimize.quantize.Range;
import io.knabla.functions.packaging.CalibrationUnitResult;
import io.knabla.functions.unit.Digest;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Map;

/**
 * Measures the activations of a model for static quantisation in the engine, and refuses a model that crashes or hangs
 * it. It runs in a separate process, because the controller does not link the engine.
 */
@Singleton
final class RangesStep {
    /** Result of the measurement. */
    sealed interface RangesResult {
        /** @param ranges by activation; empty if the quantisation needs none */
        record Known(Map<String, Range> ranges) implements RangesResult {}

        record Refused(List<Fault> faults) implements RangesResult {}

        /** The engine had no place to run; a retry may succeed. */
        record NotMeasured(String sentence) implements RangesResult {}
    }

    private final ReplicaProgram replica;

    RangesStep(ReplicaProgram replica) {
        this.replica = replica;
    }

    RangesResult run(CalibrationUnitResult calibration) {
        return switch (calibration) {
            case CalibrationUnitResult.NothingToMeasure _ -> new RangesResult.Known(Map.of());
            case CalibrationUnitResult.Refused(var faults) -> new RangesResult.Refused(faults);
            case CalibrationUnitResult.Stored(var unit) -> measure(unit);
        };
    }

    private RangesResult measure(Digest unit) {
        EngineResult ended = replica.run(Mode.quantizeRanges, unit);
        return switch (ended) {
            case EngineResult.Ranges(var ranges) -> new RangesResult.Known(ranges);
            case EngineResult.NotRun(var why) ->
                new RangesResult.NotMeasured(
                        "the activations of the model could not be measured for its static quantisation: %s. Deploy it again, or write type: Dynamic, which needs no measurement."
                                .formatted(why));
            case EngineResult.Refused(var why) ->
                refused(ModelSource.CALIBRATION, "the model does not run on these requests: " + why);
            case EngineResult.Crashed _ -> refused("spec.model", message(ended));
            case EngineResult.Passed _,
                    EngineResult.Measured _,
                    EngineResult.MeasuredGpu _,
                    EngineResult.TooSlow _,
                    EngineResult.TooLarge _,
                    EngineResult.Unavailable _ -> refused(ModelSource.CALIBRATION, message(ended));
        };
    }

    private String message(EngineResult ended) {
        return replica.failureMessage(Mode.quantizeRanges, ended)
                .orElse("the engine ran the model but returned no ranges");
    }

    private static RangesResult refused(String path, String why) {
        return new RangesResult.Refused(List.of(new Fault(path, why)));
    }
}
