package io.knabla.runtime.generation.loop;

import io.knabla.functions.unit.generation.LatencyObjectives;
import io.knabla.runtime.generation.GeneratorStatistics;
import io.knabla.runtime.schedule.MovingAverage;
import io.knabla.runtime.schedule.Utilization;
import java.util.Optional;

/** What the engine's thread counts, to be read by any thread. */
final class LoopCounters {
    private final LatencyCounters latencies;
    private int running;
    private long runs;
    private long promptTokens;
    private long cachedTokens;
    private long generatedTokens;
    private long draftTokens;
    private long acceptedTokens;
    private long preemptions;
    private long fetchedTokens;
    private long failedFetches;
    private long kvTokens;
    private Utilization utilization = Utilization.NONE;
    private final MovingAverage textNanos = new MovingAverage();
    private Optional<Long> brokenNanos = Optional.empty();

    LoopCounters(LatencyObjectives objectives) {
        latencies = new LatencyCounters(objectives);
    }

    LatencyCounters latencies() {
        return latencies;
    }

    synchronized void running(int sequences) {
        running = sequences;
    }

    synchronized int running() {
        return running;
    }

    synchronized void runs(long total) {
        runs = total;
    }

    synchronized long runs() {
        return runs;
    }

    synchronized void read(int tokens) {
        promptTokens += tokens;
    }

    synchronized void cached(int tokens) {
        cachedTokens += tokens;
    }

    synchronized void generated(int tokens) {
        generatedTokens += tokens;
    }

    /** @param accepted of the draft tokens, those that were chosen */
    synchronized void drafted(int tokens, int accepted) {
        draftTokens += tokens;
        acceptedTokens += accepted;
    }

    synchronized void preempted() {
        preemptions++;
    }

    /** @param tokens of a prompt that another replica has read */
    synchronized void fetched(int tokens) {
        fetchedTokens += tokens;
    }

    synchronized void fetchFailed() {
        failedFetches++;
    }

    /** @param tokens whose keys and values are kept in slots */
    synchronized void kept(long tokens) {
        kvTokens = tokens;
    }

    synchronized void utilization(Utilization now) {
        utilization = now;
    }

    synchronized Utilization utilization() {
        return utilization;
    }

    /** @param nanos from a text's first slot to its end */
    synchronized void ended(long nanos) {
        textNanos.add(nanos);
    }

    /** Mean time from a text's first slot to its end; 0 before the first end. */
    synchronized double meanNanos() {
        return textNanos.or(0);
    }

    synchronized void broken(long nanos) {
        brokenNanos = Optional.of(nanos);
    }

    /** When the engine failed for good. */
    synchronized Optional<Long> broken() {
        return brokenNanos;
    }

    synchronized GeneratorStatistics statistics(long bytesPerToken, long budget) {
        return new GeneratorStatistics(
                promptTokens,
                cachedTokens,
                generatedTokens,
                draftTokens,
                acceptedTokens,
                preemptions,
                new GeneratorStatistics.Prefill(fetchedTokens, failedFetches),
                kvTokens * bytesPerToken,
                budget,
                latencies.latencies());
    }
}
