package io.knabla.controller.simulate.generation;

import io.knabla.runtime.schedule.ChunkSize;
import io.knabla.runtime.schedule.Scheduler;
import io.knabla.runtime.schedule.SequenceLoad;
import io.knabla.runtime.schedule.Step;
import io.knabla.runtime.schedule.Step.Chunk;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Carries out the scheduler's steps as the loop of a replica's engine does, in simulated time. An interrupted text is
 * computed again; a replica that has spare memory copies it out instead.
 */
final class SimulatedReplica {
    private final SimulatedReplicaSettings settings;
    private final Scheduler scheduler;
    private final ChunkSize chunkSize;
    private final Deque<SimulatedText> waiting = new ArrayDeque<>();
    private final Map<Long, SimulatedText> running = new LinkedHashMap<>();
    private long now;
    private long preempted;

    SimulatedReplica(SimulatedReplicaSettings settings) {
        this.settings = settings;
        this.scheduler = new Scheduler(settings.limits().schedule());
        this.chunkSize = settings.policy().begin(settings.objectives());
    }

    /** Texts that wait or run. */
    int load() {
        return waiting.size() + running.size();
    }

    /** How often a text was interrupted for lack of memory. */
    long preempted() {
        return preempted;
    }

    /** A text comes, at its time, to which this replica has been run. Where the queue is full it is refused. */
    void add(SimulatedText text) {
        if (waiting.size() < settings.limits().queue()) {
            waiting.add(text);
            now = Math.max(now, text.ready);
        }
    }

    /** Runs the steps that begin before a time. */
    void runUntil(long time) {
        while (now < time && load() > 0) {
            step();
        }
    }

    private void step() {
        dropOverdue();
        Step step = plan(loads(waiting));
        step.preempt().forEach(this::preempt);
        step.admit().forEach(this::admit);
        // As in the replica's loop, which may know the beginnings of those that were admitted.
        Step work = step.admit().isEmpty() ? step : plan(List.of());
        work.chunks().forEach(this::read);
        decode();
    }

    private Step plan(List<SequenceLoad> waits) {
        boolean someDecode = running.values().stream().anyMatch(text -> !text.isReading());
        return scheduler.next(waits, loads(running.values()), chunkSize.tokens(someDecode));
    }

    private static List<SequenceLoad> loads(Collection<SimulatedText> texts) {
        return texts.stream().map(SimulatedText::load).toList();
    }

    private void dropOverdue() {
        long latest = now - settings.limits().maxWait().toNanos();
        waiting.removeIf(text -> !text.started && text.ready < latest);
    }

    private void preempt(long id) {
        SimulatedText text = running.remove(id);
        text.kept = 0;
        waiting.addFirst(text);
        preempted++;
    }

    private void admit(long id) {
        SimulatedText text = waiting.removeFirst();
        if (text.id != id) {
            throw new IllegalStateException("admitted %d, but %d waits first".formatted(id, text.id));
        }
        text.started = true;
        running.put(id, text);
    }

    private void read(Chunk chunk) {
        SimulatedText text = running.get(chunk.id());
        long cost = settings.costs().read(chunk.tokens(), text.kept);
        now += cost;
        chunkSize.read(chunk.tokens(), cost);
        text.kept += chunk.tokens();
        if (!text.isReading()) {
            advance(text);
        }
    }

    private void decode() {
        List<SimulatedText> decoding =
                running.values().stream().filter(text -> !text.isReading()).toList();
        if (decoding.isEmpty()) {
            return;
        }
        long cost = settings.costs()
                .decode(
                        decoding.size(),
                        decoding.stream().mapToLong(text -> text.kept).sum());
        now += cost;
        chunkSize.decoded(cost);
        for (SimulatedText text : decoding) {
            text.kept++;
            advance(text);
        }
    }

    private void advance(SimulatedText text) {
        if (text.isComputed()) {
            text.choose(now, settings.objectives());
            if (text.isComplete() || settings.role() == SimulatedReplicaSettings.Role.READS) {
                text.ready = now;
                running.remove(text.id);
            }
        }
    }
}
