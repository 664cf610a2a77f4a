package io.knabla.controller.api;

import io.knabla.controller.platform.FunctionLogs;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Writes a function's log to an HTTP response: its last lines, or all new lines as server-sent events. */
final class LogTail {
    private static final long GLANCE_MILLIS = 200;
    private static final int QUIET_GLANCES = 50;

    private final FunctionLogs.Cursor reading;

    LogTail(FunctionLogs.Cursor reading) {
        this.reading = reading;
    }

    void write(int tail, OutputStream out) throws IOException {
        for (String line : reading.readNew(tail)) {
            out.write((line + "\n").getBytes(StandardCharsets.UTF_8));
        }
    }

    /** @param over polled between reads; true ends the stream */
    void follow(int tail, OutputStream out, BooleanSupplier over) throws IOException {
        int quiet = 0;
        List<String> lines = reading.readNew(tail);
        while (!over.getAsBoolean()) {
            for (String line : lines) {
                out.write(("data: " + line + "\n\n").getBytes(StandardCharsets.UTF_8));
            }
            quiet = lines.isEmpty() ? quiet + 1 : 0;
            if (quiet % QUIET_GLANCES == 1) {
                out.write(": nothing new\n\n".getBytes(StandardCharsets.UTF_8));
            }
            out.flush();
            try {
                TimeUnit.MILLISECONDS.sleep(GLANCE_MILLIS);
            } catch (InterruptedException stopping) {
                Thread.currentThread().interrupt();
                return;
            }
            lines = reading.readNew(Integer.MAX_VALUE);
        }
    }
}
