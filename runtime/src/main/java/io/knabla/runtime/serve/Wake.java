package io.knabla.runtime.serve;

import io.knabla.runtime.serve.http.HttpRequest;
import java.util.Optional;

/**
 * Reports the cold start in the response headers of the requests that waited for it, if no gateway does. Later requests
 * cost one field read.
 */
final class Wake {
    private final String versionLine;
    private final Heading usual;
    private final String phases;
    private final long loaded;
    private volatile boolean over;
    private boolean begun;
    private int unanswered;

    /**
     * @param versionLine a complete header line
     * @param phases empty if a gateway reports the cold start
     * @param loaded {@link System#nanoTime} at the end of the load
     */
    Wake(String versionLine, Optional<StartPhases> phases, long loaded) {
        this.versionLine = versionLine;
        this.loaded = loaded;
        this.phases = phases.isPresent() ? phases.get().metrics() : "";
        over = phases.isEmpty();
        usual = new Heading(over ? versionLine : versionLine + Start.LATE.header(), "", 0);
    }

    Heading heading(HttpRequest request) {
        return over ? usual : heading(Start.ACTIVATOR.equals(request.header(Start.PROXY)), request.arrived() - loaded);
    }

    /**
     * Returns the headers for one response. If the request {@linkplain Heading#waited waited}, the caller must later
     * call {@link #answered}.
     */
    synchronized Heading heading(boolean byActivator, long sinceLoad) {
        Start start = Start.of(byActivator, sinceLoad, begun && unanswered == 0);
        over |= start == Start.LATE;
        if (!start.waited()) {
            return new Heading(versionLine + start.header(), "", 0);
        }
        begun |= byActivator;
        unanswered++;
        return new Heading(versionLine + start.header(), phases, Math.max(0, -sinceLoad));
    }

    /** Must be called before the response is sent: the caller's next request may follow at once. */
    void answered(Heading heading) {
        if (heading.waited()) {
            synchronized (this) {
                unanswered--;
            }
        }
    }

    boolean over() {
        return over;
    }
}
