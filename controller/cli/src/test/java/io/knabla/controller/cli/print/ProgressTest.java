package io.knabla.controller.cli.print;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ProgressTest {
    private static final long MIB = 1 << 20;

    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final PrintStream stream = new PrintStream(err, true, StandardCharsets.UTF_8);
    private final AtomicLong nanos = new AtomicLong();

    @Test
    void logsAtMostOneLinePerFiveSecondsAndTenPercent() {
        try (Bar bar = plain(new Transfer(Transfer.Kind.UP, "m.onnx", 0, 100 * MIB))) {
            for (int second = 1; second <= 20; second++) {
                nanos.addAndGet(Duration.ofSeconds(1).toNanos());
                bar.add(5 * MIB);
            }
        }

        assertThat(lines())
                .containsExactly(
                        "uploading m.onnx (100.0 MiB)",
                        "uploading m.onnx: 25 %, 25.0 MiB of 100.0 MiB, 5.0 MiB/s, 15s left",
                        "uploading m.onnx: 50 %, 50.0 MiB of 100.0 MiB, 5.0 MiB/s, 10s left",
                        "uploading m.onnx: 75 %, 75.0 MiB of 100.0 MiB, 5.0 MiB/s, 5s left",
                        "uploading m.onnx: 100 %, 100.0 MiB of 100.0 MiB, 5.0 MiB/s, 0s left",
                        "uploaded m.onnx: 100.0 MiB in 20.0 s, 5.0 MiB/s");
    }

    @Test
    void logsSlowTransferEveryHalfMinute() {
        try (Bar bar = plain(new Transfer(Transfer.Kind.DOWN, "m.onnx", 0, 1000 * MIB))) {
            for (int second = 1; second <= 70; second++) {
                nanos.addAndGet(Duration.ofSeconds(1).toNanos());
                bar.add(MIB);
            }
        }

        assertThat(lines())
                .hasSize(4)
                .contains(
                        "downloading m.onnx: 3 %, 30.0 MiB of 1000.0 MiB, 1.0 MiB/s, 16m left",
                        "downloading m.onnx: 6 %, 60.0 MiB of 1000.0 MiB, 1.0 MiB/s, 15m left",
                        "downloading m.onnx stopped at 70.0 MiB of 1000.0 MiB");
    }

    @Test
    void earlierBytesCountForPercentNotForRate() {
        try (Bar bar = plain(new Transfer(Transfer.Kind.UP, "m.onnx", 80 * MIB, 100 * MIB))) {
            nanos.addAndGet(Duration.ofSeconds(10).toNanos());
            bar.add(10 * MIB);
            bar.add(10 * MIB);
        }

        assertThat(lines())
                .containsExactly(
                        "uploading m.onnx (100.0 MiB, 80.0 MiB are there already)",
                        "uploading m.onnx: 90 %, 90.0 MiB of 100.0 MiB, 1.0 MiB/s, 10s left",
                        "uploaded m.onnx: 20.0 MiB in 10.0 s, 2.0 MiB/s");
    }

    @Test
    void unknownSizeHasNoPercent() {
        try (Bar bar = plain(new Transfer(Transfer.Kind.DOWN, "m.onnx", 0, -1))) {
            nanos.addAndGet(Duration.ofSeconds(30).toNanos());
            bar.add(60 * MIB);
        }

        assertThat(lines())
                .containsExactly(
                        "downloading m.onnx",
                        "downloading m.onnx: 60.0 MiB, 2.0 MiB/s",
                        "downloaded m.onnx: 60.0 MiB in 30.0 s, 2.0 MiB/s");
    }

    @Test
    void parallelPartsFeedOneBarAndMayRestart() throws Exception {
        int parts = 16;
        byte[] part = new byte[100_000];
        Transfer transfer = new Transfer(Transfer.Kind.UP, "m.onnx", 0, (long) parts * part.length);
        Bar bar = plain(transfer);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < parts; i++) {
                threads.submit(() -> {
                    bar.watch(new ByteArrayInputStream(part)).readAllBytes();
                    bar.add(-part.length);
                    InputStream again = bar.watch(new ByteArrayInputStream(part));
                    while (again.read() >= 0) {
                        Thread.onSpinWait();
                    }
                    return null;
                });
            }
        }
        nanos.addAndGet(Duration.ofSeconds(1).toNanos());
        bar.close();

        assertThat(lines()).last().isEqualTo("uploaded m.onnx: 1.5 MiB in 1.0 s, 1.5 MiB/s");
    }

    @Test
    void terminalShowsRateAndRemainingTime() {
        var console = new Console(stream, stream, false, false, true);
        try (Bar bar = new Progress(console, false).downloading("m.onnx", 40 * MIB)) {
            bar.add(40 * MIB);
        }

        String last = text().strip();
        last = last.substring(last.lastIndexOf('\r') + 1);
        assertThat(last)
                .startsWith("downloading m.onnx")
                .contains("100%", "40/40 MiB", "MiB/s")
                .matches(".*\\(\\d+:\\d\\d:\\d\\d / \\d+:\\d\\d:\\d\\d\\).*");
    }

    @Test
    void quietPrintsNothing() {
        var console = Console.plain(stream, stream);
        try (Bar bar = new Progress(console, true).uploading("m.onnx", 0, 10)) {
            bar.add(10);
        }

        assertThat(text()).isEmpty();
    }

    private Bar plain(Transfer transfer) {
        return new PlainBar(stream, transfer, nanos::get);
    }

    private String text() {
        return err.toString(StandardCharsets.UTF_8);
    }

    private List<String> lines() {
        return text().lines().toList();
    }
}
