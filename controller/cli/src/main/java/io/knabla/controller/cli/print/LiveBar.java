package io.knabla.controller.cli.print;

import java.io.PrintStream;
import java.text.DecimalFormat;
import java.time.Duration;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/** Progress bar on a terminal: one live line with rate and remaining time. */
final class LiveBar implements Bar {
    private static final int WIDTH = 79;
    private static final int LONGEST_TITLE = 32;
    private static final long MIB = 1 << 20;

    private final ProgressBar bar;

    LiveBar(PrintStream out, Transfer transfer) {
        boolean large = transfer.to() < 0 || transfer.to() > 10 * MIB;
        this.bar = new ProgressBarBuilder()
                .setTaskName(shortened(transfer.title()))
                .setInitialMax(transfer.to())
                .startsFrom(transfer.from(), Duration.ZERO)
                .setUnit(large ? " MiB" : " KiB", large ? MIB : 1 << 10)
                .showSpeed(new DecimalFormat(" 0.0"))
                .setStyle(ProgressBarStyle.ASCII)
                .setUpdateIntervalMillis(100)
                .setConsumer(new ConsoleProgressBarConsumer(out, WIDTH))
                .build();
    }

    /** A long name would leave the bar no room. */
    private static String shortened(String title) {
        return title.length() <= LONGEST_TITLE ? title : title.substring(0, LONGEST_TITLE - 1) + "…";
    }

    @Override
    public void add(long bytes) {
        bar.stepBy(bytes);
    }

    @Override
    public void close() {
        bar.close();
    }
}
