package io.knabla.controller.cli.print;

import java.io.BufferedOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * Standard output or standard error of the process, in UTF-8. Remembers why a write failed, which a PrintStream alone
 * hides.
 */
public final class StandardStream extends PrintStream {
    private final Target target;

    public StandardStream(OutputStream to) {
        this(new Target(to));
    }

    private StandardStream(Target target) {
        // Java would write question marks for what the locale lacks, which in C is all but ASCII.
        super(new BufferedOutputStream(target), true, StandardCharsets.UTF_8);
        this.target = target;
    }

    /** Why the last write that failed did, in the system's words. */
    String failure() {
        return target.failure;
    }

    private static final class Target extends FilterOutputStream {
        private volatile String failure = "the stream is closed";

        Target(OutputStream to) {
            super(to);
        }

        @Override
        public void write(byte[] bytes, int from, int length) throws IOException {
            try {
                out.write(bytes, from, length);
            } catch (IOException failed) {
                failure = failed.getMessage();
                throw failed;
            }
        }
    }
}
