package io.knabla.runtime.schedule;

import io.knabla.runtime.schedule.Step.Reason;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Share of a replica's capacity that its sequences use, for the autoscaler: 1 is all of it, above that some wait. Pure.
 *
 * @param slots sequences that run or wait, by those that can run at a time; where memory is full, only what runs can
 * @param memory share of the memory for keys and values; 0 for a single sequence, which another replica cannot relieve
 * @param readNanos predicted time until all prompts are read; 0 for a single prompt
 */
public record Utilization(double slots, double memory, double readNanos) {
    public static final Utilization NONE = new Utilization(0, 0, 0);

    /**
     * @param reason why the last step admitted no more
     * @param nanosPerToken measured time to read a token of a prompt; 0 if unknown
     */
    public static Utilization of(
            ScheduleLimits limits,
            List<SequenceLoad> running,
            List<SequenceLoad> waiting,
            Reason reason,
            double nanosPerToken) {
        return new Utilization(
                (double) (running.size() + waiting.size()) / capacity(limits, running.size(), reason),
                running.size() > 1 ? memory(limits, running) : 0,
                unread(running, waiting) * nanosPerToken);
    }

    private static int capacity(ScheduleLimits limits, int running, Reason reason) {
        return switch (reason) {
            case NONE_WAITS, SEQUENCES_FULL -> limits.sequences();
            case MEMORY_FULL, PREEMPTED -> Math.max(1, running);
        };
    }

    private static double memory(ScheduleLimits limits, List<SequenceLoad> running) {
        return (double) running.stream().mapToLong(SequenceLoad::needed).sum() / limits.kvTokens();
    }

    private static long unread(List<SequenceLoad> running, List<SequenceLoad> waiting) {
        List<SequenceLoad> unread = Stream.concat(running.stream(), waiting.stream())
                .filter(SequenceLoad::isReading)
                .toList();
        return unread.size() > 1
                ? unread.stream().mapToLong(one -> one.prompt() - one.kept()).sum()
                : 0;
    }

    /**
     * The largest of the shares.
     *
     * @param firstToken objective for the time to the first token
     */
    public double most(Optional<Duration> firstToken) {
        double late =
                firstToken.map(objective -> readNanos / objective.toNanos()).orElse(0.0);
        return Math.max(late, Math.max(slots, memory));
    }
}
