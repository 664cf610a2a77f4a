package io.knabla.controller.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.knabla.controller.deploy.RangesStep.RangesResult;
import io.knabla.controller.machine.MemoryLimit;
import io.knabla.controller.platform.engine.EngineResult;
import io.knabla.controller.platform.engine.EngineRunner.EngineRequest;
import io.knabla.controller.platform.engine.EngineRunner.Mode;
import io.knabla.controller.platform.engine.ReplicaProgram;
import io.knabla.controller.standin.DefaultSettings;
import io.knabla.functions.Fault;
import io.knabla.functions.compiler.optimize.quantize.Range;
import io.knabla.functions.packaging.CalibrationUnitResult;
import io.knabla.functions.unit.Digest;
import io.knabla.functions.unit.FailureCode;
import io.knabla.storage.StorageException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RangesStepTest {
    private static final Digest UNIT = new Digest("sha256:" + "c".repeat(64));

    private final List<EngineRequest> runs = new ArrayList<>();

    private RangesResult run(CalibrationUnitResult calibration, EngineResult ended) {
        var program = new ReplicaProgram(
                request -> {
                    runs.add(request);
                    return ended;
                },
                DefaultSettings.settings());
        return new RangesStep(program).run(calibration);
    }

    private RangesResult after(EngineResult ended) {
        return run(new CalibrationUnitResult.Stored(UNIT), ended);
    }

    private Fault fault(EngineResult ended) {
        RangesResult result = after(ended);
        assertThat(result).isInstanceOf(RangesResult.Refused.class);
        return ((RangesResult.Refused) result).faults().getFirst();
    }

    @Test
    void runsTheCalibrationUnitInTheEngine() {
        Map<String, Range> ranges = Map.of("v3:conv", new Range(-1, 2));

        assertThat(after(new EngineResult.Ranges(ranges))).isEqualTo(new RangesResult.Known(ranges));
        assertThat(runs).singleElement().satisfies(request -> {
            assertThat(request.mode()).isEqualTo(Mode.quantizeRanges);
            assertThat(request.unit()).contains(UNIT);
        });
    }

    @Test
    void runsNothingWithoutACalibrationUnit() {
        var fault = new Fault("spec.quantize.calibration", "is no JSON");

        assertThat(run(new CalibrationUnitResult.NothingToMeasure(), null)).isEqualTo(new RangesResult.Known(Map.of()));
        assertThat(run(new CalibrationUnitResult.Refused(List.of(fault)), null))
                .isEqualTo(new RangesResult.Refused(List.of(fault)));
        assertThat(runs).isEmpty();
    }

    @Test
    void refusesAModelThatCrashesTheEngine() {
        Fault fault = fault(new EngineResult.Crashed("signal 11, SIGSEGV"));

        assertThat(fault.path()).isEqualTo("spec.model");
        assertThat(fault.message()).contains("the engine crashed on this model (signal 11, SIGSEGV)", "was refused");
    }

    @Test
    void refusesAModelThatExceedsTheLimits() {
        Fault slow = fault(new EngineResult.TooSlow(Duration.ofSeconds(60)));
        Fault large = fault(new EngineResult.TooLarge(3L << 30, new MemoryLimit(1 << 30, MemoryLimit.Source.MACHINE)));

        assertThat(slow.path()).isEqualTo("spec.quantize.calibration");
        assertThat(slow.message())
                .contains("on all calibration requests within 60 s", "fewer or smaller", "KNABLA_CHECK_SECONDS");
        assertThat(large.message())
                .contains("3072 MiB", "on all calibration requests", "fewer or smaller", "KNABLA_CHECK_MEBIBYTES");
    }

    @Test
    void refusesRequestsThatTheModelDoesNotRunOn() {
        Fault fault = fault(new EngineResult.Refused("v1:log reaches from -Infinity to 0.0 on the calibration set"));

        assertThat(fault.path()).isEqualTo("spec.quantize.calibration");
        assertThat(fault.message()).startsWith("the model does not run on these requests: v1:log reaches from");
        assertThat(fault(new EngineResult.Passed(
                                Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty()))
                        .message())
                .isEqualTo("the engine ran the model but returned no ranges");
    }

    @Test
    void doesNotBlameTheModelWithoutAPlaceToRun() {
        assertThat(after(new EngineResult.NotRun("a quota forbids Jobs")))
                .isInstanceOfSatisfying(
                        RangesResult.NotMeasured.class,
                        none -> assertThat(none.sentence()).contains("a quota forbids Jobs", "Deploy it again"));
        assertThatThrownBy(
                        () -> after(new EngineResult.Unavailable(FailureCode.BUCKET_MISSING, "there is no bucket x")))
                .isInstanceOf(StorageException.class)
                .hasMessage("there is no bucket x");
    }
}
