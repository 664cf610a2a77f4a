package io.knabla.controller.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.machine.GpuProfile;
import io.knabla.controller.machine.MemoryLimit;
import io.knabla.controller.platform.engine.EngineResult;
import io.knabla.controller.platform.engine.EngineRunner.Limits;
import io.knabla.controller.platform.engine.RowsVerdict;
import io.knabla.functions.compiler.optimize.quantize.Range;
import io.knabla.functions.unit.FailureCode;
import io.knabla.functions.unit.GpuFigure;
import io.knabla.functions.unit.RowsFinding;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests limits and results with real shell processes that misbehave as an engine can. */
@EnabledOnOs({OS.LINUX, OS.MAC})
class EngineJobProcessTest {
    private static final long PLENTY = 1L << 40;

    @TempDir
    Path folder;

    private EngineResult run(String script, Duration limit, long memory) {
        Limits limits = new Limits(limit, new MemoryLimit(memory, MemoryLimit.Source.MACHINE));
        try (MemoryGuard guard = MemoryGuards.forThisSystem()) {
            return new EngineJobProcess(
                            List.of("/bin/sh", "-c", script), Map.of(), folder.resolve("check"), limits, guard)
                    .run();
        }
    }

    private EngineResult run(String script) {
        return run(script, Duration.ofMinutes(2), PLENTY);
    }

    @Test
    void aModelThatRunsPasses() {
        assertThat(run("echo noise; echo '{\"event\":\"checked\",\"loadMillis\":1}'"))
                .isEqualTo(new EngineResult.Passed(
                        Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty()));
        assertThat(folder.resolve("check")).doesNotExist();
    }

    @Test
    void returnsAWarning() {
        assertThat(run("echo '{\"event\":\"checked\",\"warning\":\"by zero\"}'"))
                .isEqualTo(new EngineResult.Passed(
                        Optional.of("by zero"), Optional.empty(), Optional.empty(), Optional.empty()));
    }

    @ParameterizedTest
    @CsvSource({
        "DEPENDENT, DEPENDENT, it is 1 alone",
        "FROM_THE_FUTURE, NOT_CHECKED, the replica program is of another version of Knabla"
    })
    void returnsWhatWasFoundOfRows(String written, RowsFinding finding, String reason) {
        String event = "{\"event\":\"checked\",\"rows\":{\"finding\":\"%s\",\"reason\":\"it is 1 alone\"}}";
        assertThat(run("echo '%s'".formatted(event.formatted(written))))
                .isEqualTo(new EngineResult.Passed(
                        Optional.empty(),
                        Optional.empty(),
                        Optional.of(new RowsVerdict(finding, reason)),
                        Optional.empty()));
    }

    @Test
    void returnsAMeasurement() {
        assertThat(run("echo '{\"event\":\"calibrated\",\"threads\":2,\"flops\":1.5E11,\"bytesPerSecond\":2.0E10}'"))
                .isEqualTo(new EngineResult.Measured(1.5e11, 2e10));
    }

    @Test
    void returnsAMeasurementOfADevice() {
        String event = "{\"event\":\"calibrated\",\"device\":\"NVIDIA L4\",\"rates\":{\"tf32\":1.5E13,\"future\":1},"
                + "\"failures\":{\"convolution\":\"no cuDNN\"}}";
        assertThat(run("echo '%s'".formatted(event)))
                .isEqualTo(new EngineResult.MeasuredGpu(
                        new GpuProfile("NVIDIA L4", Map.of(GpuFigure.tf32, 1.5e13)),
                        Map.of(GpuFigure.convolution, "no cuDNN")));
    }

    @Test
    void returnsRanges() {
        assertThat(run("echo '{\"event\":\"ranges\",\"ranges\":{\"v1:x\":[-1.5,2.0E-3],\"v2\":[1,4]}}'"))
                .isEqualTo(new EngineResult.Ranges(Map.of("v1:x", new Range(-1.5, 2e-3), "v2", new Range(0, 4))));
    }

    @Test
    void numbersThatAreNoRangesAreACrash() {
        assertThat(run("echo '{\"event\":\"ranges\",\"ranges\":{\"v1\":[2,1]}}'"))
                .isEqualTo(new EngineResult.Crashed("exit code 0"));
        assertThat(run("echo '{\"event\":\"ranges\",\"ranges\":{\"v1\":\"x\"}}'"))
                .isEqualTo(new EngineResult.Crashed("exit code 0"));
    }

    @Test
    void returnsTheEnginesError() {
        assertThat(run("echo '{\"event\":\"refused\",\"error\":\"no kernel for Foo\"}'; exit 4"))
                .isEqualTo(new EngineResult.Refused("no kernel for Foo"));
    }

    @Test
    void storeAndStartFailuresAreNotTheModels() {
        assertThat(
                        run(
                                "echo '{\"event\":\"unavailable\",\"error\":\"there is no bucket x\",\"code\":\"BUCKET_MISSING\"}'; exit 5"))
                .isEqualTo(new EngineResult.Unavailable(FailureCode.BUCKET_MISSING, "there is no bucket x"));
        assertThat(run("echo '{\"event\":\"unavailable\",\"error\":\"an older replica\"}'; exit 5"))
                .isEqualTo(new EngineResult.Unavailable(FailureCode.OTHER, "an older replica"));
        assertThat(run("echo '{\"event\":\"failed\",\"error\":\"PORT is x\"}'; exit 3"))
                .isEqualTo(new EngineResult.NotRun("PORT is x"));
    }

    @Test
    void aCrashIsToldByItsSignal() {
        assertThat(run("kill -SEGV $$")).isEqualTo(new EngineResult.Crashed("signal 11, SIGSEGV"));
        assertThat(run("echo 'terminate called' >&2; kill -ABRT $$"))
                .isEqualTo(new EngineResult.Crashed("signal 6, SIGABRT: terminate called"));
    }

    @Test
    void anEndWithoutAnAnswerIsACrash() {
        assertThat(run("exit 0")).isEqualTo(new EngineResult.Crashed("exit code 0"));
        assertThat(run("echo '{\"event\":\"checked\"}'; exit 1")).isEqualTo(new EngineResult.Crashed("exit code 1"));
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void setsAHighOomScore() {
        assertThat(run("until grep -q 800 /proc/$$/oom_score_adj; do :; done; echo '{\"event\":\"checked\"}'"))
                .isEqualTo(new EngineResult.Passed(
                        Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty()));
    }

    @Test
    void killsAHangingProcess() {
        var limit = Duration.ofMillis(200);
        assertThat(run("exec sleep 600", limit, PLENTY)).isEqualTo(new EngineResult.TooSlow(limit));
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void killsAProcessThatExceedsItsMemory() {
        assertThat(run("exec sleep 600", Duration.ofMinutes(2), 1)).isInstanceOf(EngineResult.TooLarge.class);
    }
}
