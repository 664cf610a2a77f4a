package io.knabla.runtime.engine;

import ai.onnxruntime.OrtException;
import io.knabla.functions.unit.DataType;
import io.knabla.functions.unit.EntryPoint;
import io.knabla.functions.unit.GraphManifest;
import io.knabla.functions.unit.TensorSpec;
import io.knabla.functions.unit.UnitStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * One loaded model with its limits: concurrent runs, queue length and a timeout; requests of equal shapes are batched
 * if the model allows it. Thread-safe.
 */
public final class Engine implements AutoCloseable {
    private final EngineSettings settings;
    private final SessionRunner runner;
    private final RunSlots slots;
    private final HostMemory memory;
    private final TensorPool inputs;
    private final Batcher batcher;

    /** Null if the unit has only its main graph. */
    private final EntryRunners entries;

    /** Null unless the unit trains; then it runs the main graph and there is no runner. */
    private final Trainer trainer;

    private final boolean batchable;
    private final LongAdder runs = new LongAdder();
    private Consumer<EngineException> onLoss;
    private EngineException loss;
    private volatile Map<Integer, LongAdder> xids = Map.of();
    private final BatchStatistics batches = new BatchStatistics();

    private Engine(
            GraphManifest manifest,
            SessionRunner runner,
            EntryRunners entries,
            Trainer trainer,
            EngineSettings settings,
            HostMemory memory)
            throws OrtException {
        this.settings = settings;
        this.memory = memory;
        this.runner = runner;
        this.entries = entries;
        this.trainer = trainer;
        this.slots = new RunSlots(settings);
        this.batchable = manifest.batchable();
        this.inputs =
                new TensorPool(manifest.inputs().stream().map(TensorSpec::name).toList(), memory);
        this.batcher = settings.batchMaxSize() > 1 && manifest.batchable()
                ? new Batcher(settings, manifest, memory, this::runBatch)
                : null;
    }

    /** Loads the engine's native library before the first model; this is most of a cold start. */
    public static void preload() {
        Sessions.environment();
    }

    /** Whether {@link #preload} has been called; the library may still be loading. */
    public static boolean isPreloaded() {
        return Sessions.isRequested();
    }

    /** Opens the materialised unit in {@code folder}, which must not be a training unit. */
    public static Engine open(Path folder, GraphManifest manifest, EngineSettings settings) {
        return open(folder, manifest, settings, null);
    }

    /**
     * Opens the materialised unit in {@code folder}.
     *
     * @param checkpoints state storage of a training unit; null for other units
     */
    public static Engine open(Path folder, GraphManifest manifest, EngineSettings wanted, Checkpoints checkpoints) {
        EngineSettings settings = wanted.asDeviceAllows();
        if (Stream.of(manifest.inputs(), manifest.outputs())
                .flatMap(List::stream)
                .anyMatch(Engine::isText)) {
            Thread.ofPlatform().daemon().name("texts").start(TextTensors::prepare);
        }
        try {
            var session = Sessions.open(
                    folder.resolve(UnitStore.GRAPH),
                    manifest.optimization(),
                    manifest.weightBytes(),
                    settings.threads(),
                    manifest.training().isPresent() || !manifest.entries().isEmpty(),
                    settings.device());
            HostMemory memory = settings.device().hostMemory();
            var entries = manifest.entries().isEmpty() ? null : new EntryRunners(folder, manifest, settings, memory);
            if (manifest.training().isPresent()) {
                var trainer = new Trainer(session, manifest, checkpoints);
                return new Engine(manifest, null, entries, trainer, settings.oneAtATime(), memory);
            }
            var runner = new SessionRunner(session, manifest.inputs(), manifest.outputs(), memory);
            return new Engine(manifest, runner, entries, null, settings, memory);
        } catch (OrtException refused) {
            throw settings.device().unloadable(refused);
        }
    }

    private static boolean isText(TensorSpec spec) {
        return spec.datatype() == DataType.BYTES;
    }

    /** Pool from which decoders allocate input tensors. */
    public TensorPool inputs() {
        return inputs;
    }

    /**
     * Runs the main graph and passes the result to {@code use} while its memory is valid. Takes ownership of the
     * inputs.
     *
     * @param wanted which of the model's outputs to compute, in its order
     * @param arrived {@link System#nanoTime} at the request's arrival; the timeout counts from there
     */
    public <T> T infer(List<Tensor> tensors, boolean[] wanted, long arrived, Function<RunResult, T> use) {
        return infer(tensors, wanted, arrived, Duration.ZERO, use);
    }

    /**
     * The same with a timeout of the request's own, if that is shorter than the engine's.
     *
     * @param timeout zero for none
     */
    public <T> T infer(
            List<Tensor> tensors, boolean[] wanted, long arrived, Duration timeout, Function<RunResult, T> use) {
        boolean own = !timeout.isZero() && timeout.compareTo(settings.timeout()) < 0;
        long deadline = own ? arrived + timeout.toNanos() : slots.deadline(arrived);
        try {
            // Its end would end the run of all others in the batch.
            if (!own && batcher != null && batcher.accepts(tensors)) {
                long submitted = System.nanoTime();
                return use.apply(batcher.submit(tensors, wanted, deadline).afterWait(submitted - arrived));
            }
            return runOne(tensors, wanted, arrived, deadline, use);
        } finally {
            tensors.forEach(inputs::give);
        }
    }

    /**
     * Runs one graph of the unit, never batched. The caller keeps ownership of the inputs and closes them.
     *
     * @param entry the entry to run; empty for the main graph, which must not be a training step
     * @param tensors all inputs of that graph
     */
    public <T> T run(
            Optional<EntryPoint> entry,
            List<Tensor> tensors,
            boolean[] wanted,
            long arrived,
            Function<RunResult, T> use) {
        long deadline = slots.deadline(arrived);
        RunSlot slot = slots.take(deadline);
        try {
            SessionRunner on = entry.isEmpty() ? runner : entries.runner(entry.get());
            return run(slot, on, tensors, wanted, arrived, deadline, use);
        } finally {
            slots.give(slot);
        }
    }

    /**
     * Runs the main graph once, after which a GPU gives back the memory that no value needs. Does nothing on another
     * device. The caller keeps ownership of the inputs.
     */
    public void runAndShrink(List<Tensor> tensors, boolean[] wanted) {
        if (settings.device() instanceof CudaDevice device) {
            long deadline = slots.deadline(System.nanoTime());
            RunSlot slot = slots.take(deadline);
            try {
                runner.release(guarded(
                        slot,
                        deadline,
                        tensors,
                        options -> device.shrinking(options, () -> runner.run(tensors, wanted, options))));
            } finally {
                slots.give(slot);
            }
        }
    }

    private <T> T runOne(
            List<Tensor> tensors, boolean[] wanted, long arrived, long deadline, Function<RunResult, T> consumer) {
        Function<RunResult, T> use = answer -> {
            batches.add(rows(tensors), answer.inferNanos());
            return consumer.apply(answer);
        };
        RunSlot slot = slots.take(deadline);
        try {
            if (trainer != null) {
                return step(slot, tensors, wanted, arrived, deadline, use);
            }
            var less = entries == null ? Optional.<EntryRunners.EntryRun>empty() : entries.cheaperRun(tensors, wanted);
            if (less.isEmpty()) {
                return run(slot, runner, tensors, wanted, arrived, deadline, use);
            }
            EntryRunners.EntryRun instead = less.get();
            return run(
                    slot,
                    entries.runner(instead.entry()),
                    instead.inputs(),
                    instead.wanted(),
                    arrived,
                    deadline,
                    answer -> use.apply(answer.withOutputs(instead.ordered(answer.outputs()))));
        } finally {
            slots.give(slot);
        }
    }

    private <T> T run(
            RunSlot slot,
            SessionRunner on,
            List<Tensor> tensors,
            boolean[] wanted,
            long arrived,
            long deadline,
            Function<RunResult, T> use) {
        long started = System.nanoTime();
        List<Tensor> outputs = guarded(slot, deadline, tensors, options -> on.run(tensors, wanted, options));
        try {
            long ended = System.nanoTime();
            return use.apply(new RunResult(outputs, started - arrived, ended - started));
        } finally {
            on.release(outputs);
        }
    }

    private <T> T step(
            RunSlot slot,
            List<Tensor> tensors,
            boolean[] wanted,
            long arrived,
            long deadline,
            Function<RunResult, T> use) {
        long started = System.nanoTime();
        var guard = new DeadlineGuard() {
            @Override
            public <R> R run(Work<R> work) {
                return guarded(slot, deadline, tensors, work);
            }
        };
        List<Tensor> outputs = trainer.step(tensors, wanted, guard);
        return use.apply(new RunResult(outputs, started - arrived, System.nanoTime() - started));
    }

    private <R> R guarded(RunSlot slot, long deadline, List<Tensor> tensors, DeadlineGuard.Work<R> work) {
        runs.increment();
        OrtException failure = null;
        R outputs = null;
        var options = slot.begin(deadline);
        boolean late;
        try {
            outputs = work.run(options);
        } catch (OrtException error) {
            failure = error;
        } finally {
            late = slot.end();
        }
        if (failure == null) {
            return outputs;
        }
        throw late
                ? EngineException.timedOut(settings.timeout().toMillis())
                : noted(settings.device().failed(failure, tensors));
    }

    private EngineException noted(EngineException failure) {
        if (failure.code() == EngineException.Code.DEVICE_LOST) {
            lost(failure);
        }
        return failure;
    }

    private synchronized void lost(EngineException failure) {
        if (loss == null) {
            loss = failure;
            if (onLoss != null) {
                onLoss.accept(failure);
            }
        }
    }

    /** Tells once when the device is lost, at once if it is already; this engine then computes nothing any more. */
    public synchronized void onDeviceLoss(Consumer<EngineException> listener) {
        onLoss = listener;
        if (loss != null) {
            listener.accept(loss);
        }
    }

    /**
     * Counts from now on what errors NVIDIA's driver reports of a GPU, and tells the first of each number. Does nothing
     * on another device.
     */
    public void watchDriver(Consumer<Xid> first) {
        if (settings.device() instanceof CudaDevice device) {
            xids = XidWatch.start(device, first);
        }
    }

    /** Errors that the driver reported, by their number. */
    public Map<Integer, LongAdder> xids() {
        return xids;
    }

    /** Runs one batch for the batcher; the outputs are copied to outlive the call. */
    private RunResult runBatch(List<Tensor> tensors, boolean[] wanted, long deadline) {
        return runOne(
                tensors,
                wanted,
                System.nanoTime(),
                deadline,
                answer -> new RunResult(
                        answer.outputs().stream().map(Tensor::onHeap).toList(),
                        answer.queueNanos(),
                        answer.inferNanos()));
    }

    /** Rows that one run of the main graph computes; 1 if it has no batch dimension. */
    private long rows(List<Tensor> tensors) {
        return batchable ? Math.max(1, TensorBatching.rows(tensors)) : 1;
    }

    /** Runs of {@code infer} by their number of rows; only those that succeeded. */
    public BatchStatistics batches() {
        return batches;
    }

    public EngineSettings settings() {
        return settings;
    }

    /** Number of requests that wait for a run. */
    public int waiting() {
        return slots.waiting() + (batcher == null ? 0 : batcher.waiting());
    }

    /** Number of runs since the start; with batching fewer than requests. */
    public long runs() {
        return runs.sum();
    }

    /** Number of runs in progress. */
    public int running() {
        return slots.running();
    }

    /**
     * The longest time that a run has gone on after it was told to stop at its deadline; zero if none has. The engine
     * stops a run between two operators, so one that never ends is not stopped.
     */
    public Duration overdue() {
        return Duration.ofNanos(slots.overdueNanos());
    }

    @Override
    public void close() {
        if (batcher != null) {
            batcher.close();
        }
        slots.close();
        inputs.close();
        try {
            if (runner != null) {
                runner.close();
            }
            if (trainer != null) {
                trainer.close();
            }
            if (entries != null) {
                entries.close();
            }
            memory.close();
        } catch (OrtException leaked) {
            throw new IllegalStateException("cannot close the engine's session", leaked);
        }
    }
}
