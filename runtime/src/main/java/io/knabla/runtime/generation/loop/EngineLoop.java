package io.knabla.runtime.generation.loop;

import io.knabla.runtime.generation.FinishReason;
import io.knabla.runtime.generation.GenerationFailure.Kind;
import io.knabla.runtime.generation.PrefixSource;
import io.knabla.runtime.generation.decode.Decoder;
import io.knabla.runtime.schedule.Scheduler;
import io.knabla.runtime.schedule.SequenceLoad;
import io.knabla.runtime.schedule.Step;
import io.knabla.runtime.schedule.Utilization;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Plans and runs steps until it is closed; the one thread that touches the decoder. */
final class EngineLoop implements Runnable {
    /** Tells a client of a text that is not finished, or not begun. */
    static final String STOPS = "the replica stops; send the request again";

    private final DecoderOpener opener;
    private final LoopSettings settings;
    private final Arrivals arrivals;
    private final LoopCounters counters;
    private final LongSupplier clock;
    private final Scheduler scheduler;
    private final SpareMemory spare;
    private final PrefixFetches fetches;
    private final List<TextSequence> arrived = new ArrayList<>();
    private final Deque<TextSequence> waiting = new ArrayDeque<>();
    private StepRunner runner;
    private long runsBefore;
    private boolean reopened;

    /** @param clock nanoseconds from any origin */
    EngineLoop(
            DecoderOpener opener,
            Optional<PrefixSource> source,
            LoopSettings settings,
            Arrivals arrivals,
            LoopCounters counters,
            LongSupplier clock) {
        this.opener = opener;
        this.settings = settings;
        this.arrivals = arrivals;
        this.counters = counters;
        this.clock = clock;
        this.scheduler = new Scheduler(settings.limits());
        this.spare = new SpareMemory(settings.spareTokens());
        this.fetches = new PrefixFetches(source, arrivals, counters, clock);
        this.runner = opened();
    }

    private StepRunner opened() {
        Decoder decoder = opener.decoder();
        try {
            return new StepRunner(decoder, opener.drafts(), settings, spare, counters, clock, this::ended);
        } catch (RuntimeException | Error unopened) {
            decoder.close();
            throw unopened;
        }
    }

    @Override
    public void run() {
        try {
            while (takeArrivals()) {
                step();
            }
            failAll(Kind.CLOSED, STOPS);
        } catch (InterruptedException stopped) {
            arrivals.close();
            failAll(Kind.CLOSED, STOPS);
        } catch (RuntimeException | Error failed) {
            // Nobody may wait for a thread that is gone.
            giveUp(failed);
            throw failed;
        } finally {
            runner.close();
            fetches.close();
        }
    }

    /** Whether to go on; waits while there is nothing to do. */
    private boolean takeArrivals() throws InterruptedException {
        boolean idle = waiting.isEmpty() && runner.running().isEmpty() && !fetches.canGoOn();
        arrived.addAll(arrivals.take(idle));
        return !arrivals.isClosed();
    }

    private void passArrived(Predicate<TextSequence> isGivenUp) {
        List<TextSequence> all = List.copyOf(arrived);
        arrived.clear();
        fetches.pass(all, isGivenUp, runner, waiting::add);
    }

    private void step() {
        try {
            passArrived(one -> one.events.isCancelled() || isOverdue(one));
            dropCancelled();
            Step step = plan(waits());
            for (long id : step.preempt()) {
                waiting.addFirst(runner.preempt(id));
            }
            step.admit().forEach(id -> admit(id, step));
            // Of those that were admitted, the beginning may be known already.
            Step work = step.admit().isEmpty() ? step : plan(List.of());
            counters.running(runner.running().size());
            dropOverdue();
            runner.run(work);
            counters.utilization(Utilization.of(
                    settings.limits(), runner.loads(), allWaits(), step.reason(), runner.nanosPerToken()));
        } catch (RuntimeException | Error failed) {
            recover(failed);
        }
        counters.running(runner.running().size());
        counters.runs(runsBefore + runner.runs());
    }

    private List<SequenceLoad> waits() {
        return waiting.stream().map(TextSequence::load).toList();
    }

    /** Those too whose prompts are read elsewhere. */
    private List<SequenceLoad> allWaits() {
        return Stream.concat(waiting.stream(), fetches.sequences().stream())
                .map(TextSequence::load)
                .toList();
    }

    private Step plan(List<SequenceLoad> waits) {
        return scheduler.next(waits, runner.loads(), runner.chunk());
    }

    private void admit(long id, Step step) {
        TextSequence first = waiting.removeFirst();
        if (first.id != id) {
            throw new IllegalStateException("admitted %d, but %d waits first".formatted(id, first.id));
        }
        if (!first.started) {
            first.started = true;
            first.startedNanos = clock.getAsLong();
            counters.latencies().begun(first.startedNanos - first.times.submitted());
        }
        runner.admit(first, step);
        fetches.release(first);
    }

    private void dropCancelled() {
        runner.cancelled();
        for (Iterator<TextSequence> all = waiting.iterator(); all.hasNext(); ) {
            TextSequence one = all.next();
            if (one.events.isCancelled()) {
                all.remove();
                ended(one);
                one.finish(FinishReason.CANCELLED);
            }
        }
    }

    private boolean isOverdue(TextSequence one) {
        return !one.started
                && clock.getAsLong() - one.times.submitted()
                        > settings.maxWait().toNanos();
    }

    private void dropOverdue() {
        for (Iterator<TextSequence> all = waiting.iterator(); all.hasNext(); ) {
            TextSequence one = all.next();
            if (isOverdue(one)) {
                all.remove();
                counters.latencies().neverBegun();
                ended(one);
                one.fail(
                        Kind.WAITED_TOO_LONG,
                        "the request waited %d ms, the longest time allowed; send it again later, or raise generation.queue.maxWait"
                                .formatted(settings.maxWait().toMillis()));
            }
        }
    }

    private void ended(TextSequence sequence) {
        spare.drop(sequence);
        fetches.release(sequence);
        arrivals.finished();
        if (sequence.started) {
            counters.ended(clock.getAsLong() - sequence.startedNanos);
        }
    }

    /** What ran is lost; a second failure is taken as one that no new session mends. */
    private void recover(Throwable failed) {
        counters.utilization(Utilization.NONE);
        if (reopened) {
            giveUp(failed);
            return;
        }
        fail(runner.abandon(), Kind.ENGINE, message(failed));
        if (!reopen()) {
            giveUp(failed);
        }
    }

    private static String message(Throwable failed) {
        return "the engine failed, so the text ends here: %s. Send the request again.".formatted(failed.getMessage());
    }

    /** Closes before callers are told: what they send again at once is refused, not accepted and failed. */
    private void giveUp(Throwable failed) {
        counters.broken(clock.getAsLong());
        arrivals.close();
        failAll(Kind.ENGINE, message(failed));
    }

    private boolean reopen() {
        reopened = true;
        // First, for there may not be memory for the weights twice.
        runner.close();
        try {
            StepRunner next = opened();
            runsBefore = runner.runs();
            runner = next;
            return true;
        } catch (RuntimeException | Error unopened) {
            return false;
        }
    }

    /** To be called when no more are accepted. */
    private void failAll(Kind kind, String message) {
        arrived.addAll(arrivals.takeNow());
        passArrived(_ -> true);
        fail(runner.abandon(), kind, message);
        fail(List.copyOf(waiting), kind, message);
        waiting.clear();
    }

    private void fail(List<TextSequence> sequences, Kind kind, String message) {
        for (TextSequence sequence : sequences) {
            ended(sequence);
            sequence.fail(kind, message);
        }
    }
}
