package io.knabla.runtime.serve;

import io.knabla.runtime.http.HttpRequest;
import io.knabla.runtime.http.LimitedLog;
import java.time.InstantSource;

/** Tells the replica's log of requests that it failed on: one line each, by the request's id. */
public final class FailureLog {
    private static final int MOST = 500;

    /** The stream as it is when a line is written: tests replace it. */
    private static final LimitedLog LOG = new LimitedLog(InstantSource.system(), line -> System.err.println(line));

    private FailureLog() {}

    /** @param cause may hold text of the caller: control characters become blanks, and it is cut */
    public static void failed(HttpRequest request, String cause) {
        LOG.write("failed on %s: %s".formatted(request.trace(), line(cause)));
    }

    static String line(String cause) {
        String one = cause.replaceAll("\\p{Cntrl}+", " ").strip();
        return one.length() <= MOST ? one : one.substring(0, MOST) + "…";
    }
}
