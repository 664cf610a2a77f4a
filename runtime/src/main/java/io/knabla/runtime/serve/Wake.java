package io.knabla.runtime.serve;

import io.knabla.runtime.serve.http.HttpRequest;
import java.util.Optional;

/**
 * Tells the first callers of a replica that they waited for its start, where no gateway does. Once nobody can be
 * waiting any more it costs one look at a field.
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
     * @param phases empty where a gateway tells them
     * @param loaded {@link System#nanoTime} when the model was
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

    /** Each that {@linkplain Heading#waited waited} must be told to {@link #answered}. */
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

    /** Called before the answer leaves: the caller's next request must not be faster than this. */
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
