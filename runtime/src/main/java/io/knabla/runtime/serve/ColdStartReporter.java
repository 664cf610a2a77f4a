package io.knabla.runtime.serve;

import io.knabla.runtime.http.HttpRequest;
import java.util.Optional;

/**
 * Reports the cold start in the response headers of the requests that waited for it, if no gateway does. Later requests
 * cost one field read.
 */
final class ColdStartReporter {
    private final String versionLine;
    private final ResponseHeaders usual;
    private final String phases;
    private final long loaded;
    private volatile boolean finished;
    private boolean begun;
    private int unanswered;

    /**
     * @param versionLine a complete header line
     * @param phases empty if a gateway reports the cold start
     * @param loaded {@link System#nanoTime} at the end of the load
     */
    ColdStartReporter(String versionLine, Optional<StartPhases> phases, long loaded) {
        this.versionLine = versionLine;
        this.loaded = loaded;
        this.phases = phases.isPresent() ? phases.get().toServerTiming() : "";
        finished = phases.isEmpty();
        usual = new ResponseHeaders(finished ? versionLine : versionLine + ColdStart.LATE.header(), "", 0);
    }

    ResponseHeaders headersFor(HttpRequest request) {
        return finished
                ? usual
                : headersFor(
                        ColdStart.ACTIVATOR.equals(request.header(ColdStart.PROXY_HEADER)), request.arrived() - loaded);
    }

    /**
     * Returns the headers for one response. If the request {@linkplain ResponseHeaders#waited waited}, the caller must
     * later call {@link #answered}.
     */
    synchronized ResponseHeaders headersFor(boolean byActivator, long sinceLoad) {
        ColdStart start = ColdStart.of(byActivator, sinceLoad, begun && unanswered == 0);
        finished |= start == ColdStart.LATE;
        if (!start.waited()) {
            return new ResponseHeaders(versionLine + start.header(), "", 0);
        }
        begun |= byActivator;
        unanswered++;
        return new ResponseHeaders(versionLine + start.header(), phases, Math.max(0, -sinceLoad));
    }

    /** Must be called before the response is sent: the caller's next request may follow at once. */
    void answered(ResponseHeaders heading) {
        if (heading.waited()) {
            synchronized (this) {
                unanswered--;
            }
        }
    }

    boolean finished() {
        return finished;
    }
}
