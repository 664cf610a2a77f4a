package io.knabla.controller.cli.print;

import java.io.PrintStream;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Prints the progress of a transfer as log lines, for output that is not a terminal. Prints one line at the start, one
 * at the end, and in between one per 10 %, at most every 5 s, or one every 30 s if 10 % takes longer.
 */
final class PlainBar implements Bar {
    private static final long MIN_INTERVAL = Duration.ofSeconds(5).toNanos();
    private static final long MAX_INTERVAL = Duration.ofSeconds(30).toNanos();

    private final PrintStream out;
    private final Transfer transfer;
    private final LongSupplier nanos;
    private final long began;
    private long at;
    private long lastLineNanos;
    private int lastPercent;

    /** @param nanos a clock as {@link System#nanoTime} */
    PlainBar(PrintStream out, Transfer transfer, LongSupplier nanos) {
        this.out = out;
        this.transfer = transfer;
        this.nanos = nanos;
        this.began = nanos.getAsLong();
        this.at = transfer.from();
        this.lastLineNanos = began;
        this.lastPercent = transfer.percent(at);
        out.println(transfer.start());
    }

    @Override
    public synchronized void add(long bytes) {
        at += bytes;
        long now = nanos.getAsLong();
        boolean further = transfer.to() > 0 && transfer.percent(at) >= lastPercent + 10;
        if (now - lastLineNanos >= (further ? MIN_INTERVAL : MAX_INTERVAL)) {
            lastLineNanos = now;
            lastPercent = transfer.percent(at);
            out.println(transfer.line(at, Duration.ofNanos(now - began)));
        }
    }

    @Override
    public synchronized void close() {
        out.println(transfer.end(at, Duration.ofNanos(nanos.getAsLong() - began)));
    }
}
