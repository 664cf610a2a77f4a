package io.knabla.controller.cli.print;

import java.io.PrintStream;

/** How long work is going: a moving line on a terminal, a line per step elsewhere. */
public final class Progress {
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

    /** A bar for a file that leaves; {@code from} bytes of its {@code to} are there already. */
    public Bar uploading(String name, long from, long to) {
        return bar(new Transfer(Transfer.Way.UP, name, from, to));
    }

    /**
     * A bar for a file that comes.
     *
     * @param size bytes; below 0 when nobody knows
     */
    public Bar downloading(String name, long size) {
        return bar(new Transfer(Transfer.Way.DOWN, name, 0, size));
    }

    /** A bar for a file that is made here. */
    public Bar writing(String name, long size) {
        return bar(new Transfer(Transfer.Way.DISK, name, 0, size));
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
