package io.knabla.controller.cli.doctor.store;

import io.knabla.controller.cli.print.Amounts;
import io.knabla.storage.ByteRange;
import io.knabla.storage.Checkup.Answer;
import io.knabla.storage.Checkup.Check;
import io.knabla.storage.Content;
import io.knabla.storage.ObjectKey;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Measures the latency and the bandwidth of the store. */
final class SpeedChecks {
    private static final int SAMPLES = 40;
    private static final Duration ENOUGH = Duration.ofSeconds(2);

    /** Ranges of one object that are read in parallel, as a replica does. */
    private static final int PARALLEL_RANGES = 4;

    private static final int MIB = 1 << 20;
    private static final int LARGE = 16 * MIB;

    /** Above it a deploy, which makes about twenty small writes, is noticeably slow. */
    private static final double SLOW_MS = 250;

    /** Below it a model of 100 MB takes more than 10 s. */
    private static final double MIN_BANDWIDTH = 10e6;

    private final ScratchPrefix scratch;

    SpeedChecks(ScratchPrefix scratch) {
        this.scratch = scratch;
    }

    List<Check> checks() {
        return List.of(
                new Check("latency", () -> ConditionalWriteChecks.guarded(this::latency)),
                new Check("bandwidth", () -> ConditionalWriteChecks.guarded(this::bandwidth)));
    }

    private interface Work {
        void run() throws IOException;
    }

    private Answer latency() throws IOException {
        ObjectKey key = scratch.key("latency");
        String text = "x".repeat(1000);
        double[] writes = millis(() -> scratch.write(key, text));
        double[] reads = millis(() -> scratch.read(key));
        String found = "1 kB read p50 %s, p95 %s; write p50 %s, p95 %s"
                .formatted(quantile(reads, 0.5), quantile(reads, 0.95), quantile(writes, 0.5), quantile(writes, 0.95));
        return writes[writes.length / 2] <= SLOW_MS
                ? Answer.good(found)
                : Answer.poor(found, "every deploy waits for about twenty writes; use a nearer store");
    }

    /** Samples in milliseconds, sorted. */
    private static double[] millis(Work work) throws IOException {
        long began = System.nanoTime();
        List<Double> samples = new ArrayList<>();
        while (samples.size() < SAMPLES && (samples.isEmpty() || System.nanoTime() - began < ENOUGH.toNanos())) {
            long start = System.nanoTime();
            work.run();
            samples.add((System.nanoTime() - start) / 1e6);
        }
        return samples.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    }

    private static String quantile(double[] sorted, double share) {
        return Amounts.millis(sorted[(int) Math.min(sorted.length - 1, share * sorted.length)]);
    }

    /** Starts with a small object, because a large one would fill a slow connection for minutes. */
    private Answer bandwidth() throws IOException, InterruptedException {
        int size = MIB;
        double up = up(size);
        if (up * ENOUGH.toSeconds() > LARGE) {
            size = LARGE;
            up = up(size);
        }
        double down = down(size);
        String found = "%s up at %s/s, down at %s/s"
                .formatted(Amounts.bytes(size), Amounts.bytes((long) up), Amounts.bytes((long) down));
        return Math.min(up, down) >= MIN_BANDWIDTH
                ? Answer.good(found)
                : Answer.poor(found, "large models start slowly; use a nearer store or a faster connection");
    }

    /** Bytes a second. */
    private double up(int size) throws IOException {
        byte[] bytes = new byte[size];
        new Random(size).nextBytes(bytes);
        long began = System.nanoTime();
        scratch.store().write(scratch.key("bandwidth"), Content.of(bytes));
        return size / ((System.nanoTime() - began) / 1e9);
    }

    private double down(int size) throws InterruptedException {
        int part = size / PARALLEL_RANGES;
        long began = System.nanoTime();
        long read = 0;
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Long>> lanes = new ArrayList<>();
            for (int lane = 0; lane < PARALLEL_RANGES; lane++) {
                var range = new ByteRange((long) lane * part, part);
                lanes.add(threads.submit(() -> drain(range)));
            }
            for (Future<Long> lane : lanes) {
                read += lane.get();
            }
        } catch (ExecutionException failed) {
            throw new IllegalStateException(failed.getCause().getMessage(), failed);
        }
        if (read != size) {
            throw new IllegalStateException("read %d of %d bytes".formatted(read, size));
        }
        return size / ((System.nanoTime() - began) / 1e9);
    }

    private long drain(ByteRange range) throws IOException {
        try (InputStream in =
                scratch.store().open(scratch.key("bandwidth"), range).orElseThrow()) {
            return in.transferTo(OutputStream.nullOutputStream());
        }
    }
}
