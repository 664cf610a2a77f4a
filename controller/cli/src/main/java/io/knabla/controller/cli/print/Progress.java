package io.knabla.controller.cli.print;

import java.io.PrintStream;

/** Shows the current step of a command: a live line on a terminal, one line per step elsewhere. */
public final class Progress {
    private final Console console;
    private final boolean quiet;
    private String last = "";

    public Progress(Console console, boolean quiet) {
        this.console = console;
        this.quiet = quiet;
    }

    /** Shows a step; prints nothing if it is the same as before. */
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

    /** Clears the live line. */
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

    /** A bar for an upload; {@code from} of its {@code to} bytes were sent earlier. */
    public Bar uploading(String name, long from, long to) {
        return bar(new Transfer(Transfer.Kind.UP, name, from, to));
    }

    /**
     * A bar for a download.
     *
     * @param size bytes; negative if unknown
     */
    public Bar downloading(String name, long size) {
        return bar(new Transfer(Transfer.Kind.DOWN, name, 0, size));
    }

    /** A bar for a local file that is written. */
    public Bar writing(String name, long size) {
        return bar(new Transfer(Transfer.Kind.DISK, name, 0, size));
    }

    private Bar bar(Transfer transfer) {
        done();
        if (quiet) {
            return Bar.NONE;
        }
        return console.live()
                ? new LiveBar(console.err(), transfer)
                : new PlainBar(console.err(), transfer, System::nanoTime);
    }
}
