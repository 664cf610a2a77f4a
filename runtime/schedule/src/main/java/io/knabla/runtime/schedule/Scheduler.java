package io.knabla.runtime.schedule;

import io.knabla.runtime.schedule.Step.Chunk;
import io.knabla.runtime.schedule.Step.Reason;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Decides steps, first come, first served. All that run decode in every step; prompts are read beside, in chunks, so
 * that a long one does not stop the others. Pure: equal loads have equal decisions.
 */
public final class Scheduler {
    /** Two parts of two tokens each: so a rest of one token can be avoided. */
    public static final int LEAST_CHUNK = 4;

    private final ScheduleLimits limits;

    public Scheduler(ScheduleLimits limits) {
        this.limits = limits;
    }

    /**
     * @param waiting the oldest first; those that were interrupted are among them
     * @param running in any order
     * @param chunk most prompt tokens that the step reads; at least {@value #LEAST_CHUNK}
     */
    public Step next(List<SequenceLoad> waiting, List<SequenceLoad> running, int chunk) {
        List<SequenceLoad> kept = new ArrayList<>(running);
        kept.sort(Comparator.comparingLong(SequenceLoad::id));
        List<Long> preempted = preempt(kept);
        List<Long> admitted = new ArrayList<>();
        Reason reason = preempted.isEmpty() ? admit(waiting, kept, admitted) : Reason.PREEMPTED;
        kept.sort(Comparator.comparingLong(SequenceLoad::id));
        return new Step(preempted, admitted, chunks(kept, chunk), decoding(kept), reason);
    }

    /** The oldest is never interrupted: alone it fits. */
    private List<Long> preempt(List<SequenceLoad> running) {
        List<Long> preempted = new ArrayList<>();
        long needed = running.stream().mapToLong(SequenceLoad::needed).sum();
        while (needed > limits.kvTokens() && running.size() > 1) {
            SequenceLoad newest = running.removeLast();
            needed -= newest.needed();
            preempted.add(newest.id());
        }
        return preempted;
    }

    private Reason admit(List<SequenceLoad> waiting, List<SequenceLoad> running, List<Long> admitted) {
        long forecast = running.stream()
                .mapToLong(one -> one.forecast(limits.forecast()))
                .sum();
        for (SequenceLoad next : waiting) {
            if (running.size() == limits.sequences()) {
                return Reason.SEQUENCES_FULL;
            }
            forecast += next.forecast(limits.forecast());
            if (forecast > limits.kvTokens() && !running.isEmpty()) {
                return Reason.MEMORY_FULL;
            }
            running.add(next);
            admitted.add(next.id());
        }
        return Reason.NONE_WAITS;
    }

    private static List<Chunk> chunks(List<SequenceLoad> running, int most) {
        List<Chunk> chunks = new ArrayList<>();
        int room = most;
        for (SequenceLoad one : running) {
            int tokens = one.isReading() ? chunk(one.prompt() - one.kept(), room) : 0;
            if (tokens > 0) {
                chunks.add(new Chunk(one.id(), tokens));
                room -= tokens;
            }
        }
        return chunks;
    }

    /**
     * Tokens to read of those that are left. Neither they nor the rest may be a single one, unless the prompt is: the
     * engine rounds otherwise where a run has one token of a sequence, so the text would depend on the chunks.
     */
    private static int chunk(int left, int room) {
        if (left <= room) {
            return left;
        }
        int tokens = left - room == 1 ? room - 1 : room;
        return tokens > 1 ? tokens : 0;
    }

    private static List<Long> decoding(List<SequenceLoad> running) {
        return running.stream()
                .filter(one -> !one.isReading())
                .map(SequenceLoad::id)
                .toList();
    }
}
