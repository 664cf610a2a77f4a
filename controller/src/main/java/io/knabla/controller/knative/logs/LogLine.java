package io.knabla.controller.knative.logs;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.Comparator;

/** One log line of a pod, with the timestamp that the kubelet adds. */
record LogLine(Instant at, String pod, String text) {
    static final Comparator<LogLine> BY_TIME = Comparator.comparing(LogLine::at);

    /** @param told line with timestamp, such as {@code 2026-01-01T00:00:00.123456789Z ready} */
    static LogLine of(String pod, String told) {
        int space = told.indexOf(' ');
        try {
            return new LogLine(
                    DateTimeFormatter.ISO_OFFSET_DATE_TIME.parse(
                            space < 0 ? told : told.substring(0, space), Instant::from),
                    pod,
                    space < 0 ? "" : told.substring(space + 1));
        } catch (DateTimeException untimed) {
            // A message of the kubelet, for example that a log is gone.
            return new LogLine(Instant.EPOCH, pod, told);
        }
    }

    /** Prefixes the text with the name of the pod. */
    @Override
    public String toString() {
        return "[" + pod + "] " + text;
    }
}
