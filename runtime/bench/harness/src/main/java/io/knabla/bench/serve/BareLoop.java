package io.knabla.bench.serve;

import ai.onnxruntime.OrtException;
import io.knabla.bench.load.LoadResult;
import io.knabla.bench.machine.ForeignCpu;
import io.knabla.bench.model.BenchModel;
import io.knabla.bench.model.Engine;
import io.knabla.bench.statistics.LatencyHistogram;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Runs ONNX Runtime in a loop in this process, one thread per core, without HTTP: the upper bound of throughput. */
record BareLoop(BenchModel model) implements LoadTarget {
    @Override
    public TargetId player() {
        return TargetId.BARE_LOOP;
    }

    @Override
    public Window run(Duration window) {
        int threads = Runtime.getRuntime().availableProcessors();
        try (var engine = new Engine(model.file());
                ExecutorService workers = Executors.newFixedThreadPool(threads)) {
            ForeignCpu others = ForeignCpu.watch();
            long start = System.nanoTime();
            long end = start + window.toNanos();
            List<Future<LatencyHistogram>> running = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                running.add(workers.submit(loop(engine, end)));
            }
            var all = new LatencyHistogram();
            for (Future<LatencyHistogram> one : running) {
                all.add(one.get());
            }
            double seconds = (System.nanoTime() - start) / 1e9;
            // The loop runs in this process, whose CPU time ForeignCpu adds itself.
            double busyMillis = seconds * 1000 * threads;
            return Window.of(new LoadResult(seconds, all), busyMillis, others.share(0));
        } catch (OrtException | ExecutionException failure) {
            throw new IllegalStateException("the bare loop failed", failure);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted in the bare loop", interrupted);
        }
    }

    private Callable<LatencyHistogram> loop(Engine engine, long end) {
        return () -> {
            var latencies = new LatencyHistogram();
            long now = System.nanoTime();
            while (now < end) {
                engine.run(model.input());
                long then = now;
                now = System.nanoTime();
                latencies.record(now - then);
            }
            return latencies;
        };
    }
}
