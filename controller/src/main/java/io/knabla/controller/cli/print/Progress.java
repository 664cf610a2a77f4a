package io.knabla.controller.cli.print;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.time.Duration;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/** How long work is going: a moving line on a terminal, a line per step elsewhere. */
public final class Progress {
    private static final int WIDTH = 79;

    private final Console console;
    private final boolean quiet;
    private String last = "";

    public Progress(Console console, boolean quiet) {
        this.console = console;
        this.quiet = quiet;
    }

    /** Says what is going on now; the same again says nothing. */
    public void step(String text) {
        if (quiet || text.equals(last)) {
            return;
        }
        last = text;
        PrintStream err = console.err();
        if (console.live()) {
            err.print("\r\033[K" + text);
            err.flush();
        } else {
            err.println(text);
        }
    }

    /** Takes the moving line away. */
    public void done() {
        if (!quiet && console.live() && !last.isEmpty()) {
            console.err().print("\r\033[K");
            console.err().flush();
        }
        last = "";
    }

    public void note(String text) {
        done();
        if (!quiet) {
            console.err().println(text);
        }
    }

    /** A bar for bytes; off a terminal one line that says how many. */
    public Bar bytes(String name, long from, long to) {
        done();
        if (quiet || !console.live()) {
            note("uploading %s (%s)".formatted(name, Amounts.bytes(to - from)));
            return new Bar(null);
        }
        boolean large = to > 10 << 20;
        return new Bar(
                new ProgressBarBuilder()
                        .setTaskName("uploading " + name)
                        .setInitialMax(to)
                        .startsFrom(from, Duration.ZERO)
                        .setUnit(large ? " MiB" : " KiB", large ? 1 << 20 : 1 << 10)
                        .setStyle(ProgressBarStyle.ASCII)
                        .setUpdateIntervalMillis(100)
                        .setConsumer(new ConsoleProgressBarConsumer(console.err(), WIDTH))
                        .build());
    }

    /** One bar, until it is closed. */
    public static final class Bar implements AutoCloseable {
        private final ProgressBar bar;

        private Bar(ProgressBar bar) {
            this.bar = bar;
        }

        public InputStream watch(InputStream in) {
            return bar == null ? in : new Counting(in, bar);
        }

        @Override
        public void close() {
            if (bar != null) {
                bar.close();
            }
        }
    }

    private static final class Counting extends FilterInputStream {
        private final ProgressBar bar;

        Counting(InputStream in, ProgressBar bar) {
            super(in);
            this.bar = bar;
        }

        @Override
        public int read() throws IOException {
            int value = super.read();
            if (value >= 0) {
                bar.step();
            }
            return value;
        }

        @Override
        public int read(byte[] bytes, int from, int length) throws IOException {
            int count = super.read(bytes, from, length);
            if (count > 0) {
                bar.stepBy(count);
            }
            return count;
        }
    }
}
