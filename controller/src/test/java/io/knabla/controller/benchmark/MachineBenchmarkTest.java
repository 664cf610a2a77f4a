package io.knabla.controller.benchmark;

import static io.knabla.controller.standin.AwaitSupport.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.machine.GpuProfile;
import io.knabla.controller.machine.Host;
import io.knabla.controller.platform.engine.EngineResult;
import io.knabla.functions.compiler.analyze.Machine;
import io.knabla.functions.compiler.analyze.Machine.Source;
import io.knabla.functions.unit.GpuFigure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MachineBenchmarkTest {
    private static final Host HOST = new Host("a processor", 4, "25", "engine.so 7");

    @TempDir
    Path home;

    private final List<Integer> runs = Collections.synchronizedList(new ArrayList<>());
    private final List<MachineBenchmark> opened = new ArrayList<>();
    private final AtomicBoolean busy = new AtomicBoolean();
    private final AtomicInteger looks = new AtomicInteger();
    private final AtomicInteger gpuRuns = new AtomicInteger();
    private Optional<EngineResult> gpu = Optional.empty();

    @AfterEach
    void close() {
        opened.forEach(MachineBenchmark::close);
    }

    private Path file() {
        return home.resolve("calibration.json");
    }

    private MachineBenchmark calibrator(Host host, IntFunction<EngineResult> program) {
        var calibrator = new MachineBenchmark(
                file(),
                host,
                threads -> {
                    runs.add(threads);
                    return program.apply(threads);
                },
                () -> {
                    gpuRuns.incrementAndGet();
                    return gpu;
                },
                () -> {
                    looks.incrementAndGet();
                    return busy.get();
                },
                Duration.ofMillis(1));
        opened.add(calibrator);
        return calibrator;
    }

    private MachineBenchmark calibrator(Host host) {
        return calibrator(host, threads -> new EngineResult.Measured(threads * 1e11, 2e10));
    }

    private static Machine measured(int threads) {
        return new Machine(threads, threads * 1e11, 2e10, Source.measured);
    }

    private static void awaitMeasured(MachineBenchmark calibrator, int threads) {
        await().until(() -> calibrator.machine(threads).equals(measured(threads)));
    }

    @Test
    void measuresOncePerNumberOfThreads() {
        busy.set(true);
        MachineBenchmark calibrator = calibrator(HOST);
        assertThat(calibrator.machine(1)).isEqualTo(Machine.ASSUMED);
        assertThat(calibrator.machine(2)).isEqualTo(Machine.ASSUMED);
        assertThat(calibrator.machine(1)).isEqualTo(Machine.ASSUMED);
        busy.set(false);

        awaitMeasured(calibrator, 1);
        awaitMeasured(calibrator, 2);

        assertThat(runs).containsExactlyInAnyOrder(1, 2);
    }

    /** What failed on the device is not in the file, and so stays assumed. */
    @Test
    void measuresTheGpuWithTheProcessorAndKeepsIt() {
        var device = new GpuProfile("NVIDIA L4", Map.of(GpuFigure.tf32, 2e13));
        gpu = Optional.of(new EngineResult.MeasuredGpu(device, Map.of(GpuFigure.half, "no cuDNN")));
        MachineBenchmark calibrator = calibrator(HOST);
        calibrator.machine(1);

        await().until(() -> calibrator.device().equals(Optional.of(device)));
        awaitMeasured(calibrator, 1);
        // Each result is in memory before it is in the file.
        await().until(() -> Files.readString(file()), both -> both.contains("flops") && both.contains(device.name()));

        assertThat(calibrator(HOST).device()).contains(device);
        assertThat(gpuRuns).hasValue(1);
    }

    @Test
    void triesAGpuThatIsNotThereOnce() {
        MachineBenchmark calibrator = calibrator(HOST);
        calibrator.machine(1);
        awaitMeasured(calibrator, 1);
        calibrator.machine(2);
        awaitMeasured(calibrator, 2);

        assertThat(calibrator.device()).isEmpty();
        assertThat(gpuRuns).hasValue(1);
    }

    @Test
    void capsThreadsAtTheNumberOfCores() {
        MachineBenchmark calibrator = calibrator(HOST);

        await().until(() -> calibrator.machine(64).equals(measured(4)));

        assertThat(runs).containsExactly(4);
    }

    @Test
    void waitsWhileReplicasStart() {
        busy.set(true);
        MachineBenchmark calibrator = calibrator(HOST);
        calibrator.machine(1);
        await().until(() -> looks.get() > 3);
        assertThat(runs).isEmpty();

        busy.set(false);

        awaitMeasured(calibrator, 1);
    }

    @Test
    void answersAssumedNumbersDuringShutdown() {
        MachineBenchmark calibrator = calibrator(HOST);
        calibrator.close();

        assertThat(calibrator.machine(1)).isEqualTo(Machine.ASSUMED);
    }

    @Test
    void keepsMeasurementsAcrossRestarts() {
        awaitMeasured(calibrator(HOST), 1);
        await().until(() -> Files.exists(file()));

        assertThat(calibrator(HOST).machine(1)).isEqualTo(measured(1));
        assertThat(runs).containsExactly(1);

        var other = new Host("a processor", 4, "26", "engine.so 7");
        assertThat(calibrator(other).machine(1)).isEqualTo(Machine.ASSUMED);
        await().until(() -> runs.size() == 2);
    }

    @Test
    void measuresAgainAfterADamagedFile() throws IOException {
        Files.writeString(file(), "{\"schema\":1,\"host\":");
        MachineBenchmark calibrator = calibrator(HOST);

        assertThat(calibrator.machine(1)).isEqualTo(Machine.ASSUMED);
        awaitMeasured(calibrator, 1);

        await().until(() -> Files.readString(file()).contains("a processor"));
    }

    @Test
    void triesAFailingMeasurementOnce() {
        MachineBenchmark calibrator = calibrator(HOST, _ -> new EngineResult.Crashed("signal 11, SIGSEGV"));
        calibrator.machine(1);
        await().until(() -> runs.size() == 1);
        // There is one worker: when this measurement is done, the first one is over.
        calibrator.machine(2);
        await().until(() -> runs.size() == 2);

        assertThat(calibrator.machine(1)).isEqualTo(Machine.ASSUMED);
        assertThat(calibrator.machine(2)).isEqualTo(Machine.ASSUMED);
        assertThat(runs).containsExactly(1, 2);
        assertThat(file()).doesNotExist();
    }
}
