package io.knabla.controller.cli.print;

import java.io.PrintStream;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * A transfer off a terminal: a line when it starts, one when it ends, and between them so few that a log stays
 * readable: after 5 s at the earliest, and then for each tenth, or where a tenth takes longer, every half minute.
 */
final class PlainBar implements Bar {
    private static final long RARELY = Duration.ofSeconds(5).toNanos();
    private static final long AT_LEAST = Duration.ofSeconds(30).toNanos();

    private final PrintStream out;
    private final Transfer transfer;
    private final LongSupplier nanos;
    private final long began;
    private long at;
    private long told;
    private int toldPercent;

    /** @param nanos a clock as {@link System#nanoTime} */
    PlainBar(PrintStream out, Transfer transfer, LongSupplier nanos) {
        this.out = out;
        this.transfer = transfer;
        this.nanos = nanos;
        this.began = nanos.getAsLong();
        this.at = transfer.from();
        this.told = began;
        this.toldPercent = transfer.percent(at);
        out.println(transfer.start());
    }

    @Override
    public synchronized void add(long bytes) {
        at += bytes;
        long now = nanos.getAsLong();
        boolean further = transfer.to() > 0 && transfer.percent(at) >= toldPercent + 10;
        if (now - told >= (further ? RARELY : AT_LEAST)) {
            told = now;
            toldPercent = transfer.percent(at);
            out.println(transfer.line(at, Duration.ofNanos(now - began)));
        }
    }

    @Override
    public synchronized void close() {
        out.println(transfer.end(at, Duration.ofNanos(nanos.getAsLong() - began)));
    }
}
