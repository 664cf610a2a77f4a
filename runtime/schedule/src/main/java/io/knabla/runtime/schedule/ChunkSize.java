package io.knabla.runtime.schedule;

import java.time.Duration;

/**
 * Chooses how many prompt tokens a step reads, from the measured times of earlier steps, so that sequences that decode
 * in the same step are not held up for long. Texts do not depend on it.
 */
public final class ChunkSize {
    /** Fewer would hardly be faster, for each run reads all weights. */
    private static final int LEAST = 16;

    /**
     * A run this many times as long as what each run takes, whatever it reads, is hardly made faster by more tokens.
     */
    private static final int EFFICIENT = 10;

    /**
     * Where this many times what each run takes does not fit beside the others, small parts are not worth their runs.
     */
    private static final double WORTH = 2.5;

    /** Of the objective: a step in which a prompt ends and another one begins has a run more. */
    private static final double AIM = 0.9;

    private final Limits limits;
    private final ReadTimes reads = new ReadTimes();
    private final MovingAverage decodeNanos = new MovingAverage();

    /**
     * @param most tokens of a step, also if none decodes
     * @param step longest time of a step in which some decode
     */
    public record Limits(int most, Duration step) {}

    public ChunkSize(Limits limits) {
        this.limits = limits;
    }

    /**
     * A run read a part of a prompt.
     *
     * @param nanos that it took
     */
    public void read(int tokens, long nanos) {
        reads.add(tokens, nanos);
    }

    /**
     * A run made the next token of each sequence that decodes.
     *
     * @param nanos that it took
     */
    public void decoded(long nanos) {
        decodeNanos.add(nanos);
    }

    /**
     * Most prompt tokens of the next step: so many that it keeps the objective. Where that leaves little more than what
     * a run takes whatever it reads, small parts would hold the others up longer than large ones, all in all: then as
     * many as make a run efficient.
     */
    public int tokens(boolean someDecode) {
        if (!someDecode || reads.isUnknown()) {
            return limits.most();
        }
        double left = AIM * limits.step().toNanos() - decodeNanos.or(0);
        double best = left < WORTH * reads.perRun() ? EFFICIENT * reads.perRun() / reads.perToken() : fitting(left);
        return Math.clamp((long) best, Math.min(LEAST, limits.most()), limits.most());
    }

    /** Measured time to read a token of a prompt; 0 before the first. */
    public double nanosPerToken() {
        return reads.isUnknown() ? 0 : reads.mean();
    }

    /** In one run; or, as prompts end and begin in it, in as many as there were of late. */
    private double fitting(double nanos) {
        return Math.min((nanos - reads.perRun()) / reads.perToken(), nanos / reads.mean());
    }
}
