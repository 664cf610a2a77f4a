package io.knabla.runtime.engine;

import io.knabla.functions.unit.GraphManifest;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Joins waiting requests of equal shapes into one run (dynamic batching). Requests queue while a run is busy, so
 * batches grow with the load; {@code maxDelay} only adds a wait for more requests.
 */
final class Batcher {
    /** Runs joined tensors before a deadline. */
    interface Run {
        RunResult run(List<Tensor> inputs, boolean[] wanted, long deadline);
    }

    private record Pending(
            List<Tensor> inputs,
            boolean[] wanted,
            long rows,
            long arrived,
            long deadline,
            CompletableFuture<RunResult> answer) {}

    private final EngineSettings settings;
    private final HostMemory memory;
    private final Run run;
    private final int outputs;
    private final int capacity;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition arrival = lock.newCondition();
    private final Deque<Pending> queue = new ArrayDeque<>();
    private final List<Thread> workers = new ArrayList<>();
    private volatile boolean closed;

    Batcher(EngineSettings settings, GraphManifest manifest, HostMemory memory, Run run) {
        this.settings = settings;
        this.memory = memory;
        this.run = run;
        this.outputs = manifest.outputs().size();
        this.capacity = settings.queue() + settings.concurrency() * settings.batchMaxSize();
        for (int i = 0; i < settings.concurrency(); i++) {
            workers.add(Thread.ofPlatform().daemon().name("batch-" + i).start(this::work));
        }
    }

    /** Whether this request can share a run. */
    boolean accepts(List<Tensor> inputs) {
        long rows = TensorBatching.rows(inputs);
        return rows > 0 && rows < settings.batchMaxSize();
    }

    RunResult submit(List<Tensor> inputs, boolean[] wanted, long deadline) {
        var pending = new Pending(
                inputs, wanted, TensorBatching.rows(inputs), System.nanoTime(), deadline, new CompletableFuture<>());
        lock.lock();
        try {
            if (queue.size() >= capacity) {
                throw EngineException.busy(settings.concurrency(), settings.queue());
            }
            queue.add(pending);
            arrival.signal();
        } finally {
            lock.unlock();
        }
        try {
            return pending.answer().join();
        } catch (CompletionException failed) {
            if (failed.getCause() instanceof OutOfMemoryError full) {
                throw full;
            }
            throw failed.getCause() instanceof EngineException ours ? ours : EngineException.failed(failed.getCause());
        }
    }

    int waiting() {
        lock.lock();
        try {
            return queue.size();
        } finally {
            lock.unlock();
        }
    }

    private void work() {
        while (!closed) {
            try {
                answer(gather());
            } catch (InterruptedException closing) {
                return;
            }
        }
    }

    private List<Pending> gather() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (queue.isEmpty()) {
                arrival.await();
            }
            var batch = new ArrayList<Pending>();
            batch.add(queue.poll());
            long until = batch.getFirst().arrived() + settings.batchMaxDelay().toNanos();
            long rows = fill(batch, batch.getFirst().rows());
            while (rows < settings.batchMaxSize()) {
                long left = until - System.nanoTime();
                if (left <= 0) {
                    break;
                }
                arrival.awaitNanos(left);
                rows = fill(batch, rows);
            }
            if (!queue.isEmpty()) {
                arrival.signal();
            }
            return batch;
        } finally {
            lock.unlock();
        }
    }

    private long fill(List<Pending> batch, long rows) {
        long total = rows;
        Iterator<Pending> others = queue.iterator();
        while (others.hasNext() && total < settings.batchMaxSize()) {
            Pending other = others.next();
            if (total + other.rows() <= settings.batchMaxSize()
                    && TensorBatching.joinable(batch.getFirst().inputs(), other.inputs())) {
                batch.add(other);
                total += other.rows();
                others.remove();
            }
        }
        return total;
    }

    private void answer(List<Pending> batch) {
        if (batch.size() == 1 || !runJoined(batch)) {
            batch.forEach(this::runAlone);
        }
    }

    /**
     * Whether the joined run answered all requests. If it failed, each runs alone, because any of them may be the
     * cause.
     */
    private boolean runJoined(List<Pending> batch) {
        long rows = batch.stream().mapToLong(Pending::rows).sum();
        boolean[] wanted = new boolean[outputs];
        batch.forEach(one -> or(wanted, one.wanted()));
        long started = System.nanoTime();
        RunResult answer;
        List<Tensor> inputs = List.of();
        try {
            inputs = TensorBatching.join(batch.stream().map(Pending::inputs).toList(), rows, memory);
            long deadline = batch.stream().mapToLong(Pending::deadline).min().orElseThrow();
            answer = run.run(inputs, wanted, deadline);
        } catch (RuntimeException | OutOfMemoryError failed) {
            return false;
        } finally {
            inputs.forEach(this::free);
        }
        if (!TensorBatching.splittable(answer.outputs(), rows)) {
            return false;
        }
        long from = 0;
        for (Pending one : batch) {
            one.answer().complete(split(one, answer, wanted, from, rows, started));
            from += one.rows();
        }
        return true;
    }

    private void free(Tensor input) {
        input.close();
        if (input.texts() == null) {
            memory.give(input.data());
        }
    }

    private static void or(boolean[] into, boolean[] more) {
        for (int i = 0; i < into.length; i++) {
            into[i] |= more[i];
        }
    }

    private static RunResult split(Pending one, RunResult all, boolean[] computed, long from, long rows, long started) {
        var mine = new ArrayList<Tensor>();
        int position = 0;
        for (int i = 0; i < computed.length; i++) {
            if (computed[i]) {
                Tensor output = all.outputs().get(position++);
                if (one.wanted()[i]) {
                    mine.add(TensorBatching.part(output, from, one.rows(), rows));
                }
            }
        }
        return new RunResult(mine, started - one.arrived(), all.inferNanos());
    }

    private void runAlone(Pending one) {
        long started = System.nanoTime();
        try {
            RunResult answer = run.run(one.inputs(), one.wanted(), one.deadline());
            one.answer().complete(new RunResult(answer.outputs(), started - one.arrived(), answer.inferNanos()));
        } catch (RuntimeException | Error failed) {
            one.answer().completeExceptionally(failed);
        }
    }

    void close() {
        closed = true;
        workers.forEach(Thread::interrupt);
    }
}
