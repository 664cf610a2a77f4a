package io.knabla.runtime.serve;

import io.knabla.runtime.http.HttpFault;
import io.knabla.runtime.http.HttpRequest;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;

/**
 * State that the endpoints of one replica share: its settings, its counters, and its model, for which requests wait
 * that come before it is loaded. Thread-safe.
 */
public final class ReplicaState {
    private final ReplicaSettings settings;
    private final String versionLine;
    private final Metrics metrics = new Metrics();
    private final CountDownLatch loaded = new CountDownLatch(1);
    private volatile Optional<StartPhases> start = Optional.empty();

    /** Set before {@link #served}, read after it. */
    private ColdStartReporter coldStart;

    private volatile ServedModel served;
    private volatile boolean stopping;

    public ReplicaState(ReplicaSettings settings) {
        this.settings = settings;
        this.versionLine = "Knabla-Version: " + settings.version() + "\r\n";
    }

    public ReplicaSettings settings() {
        return settings;
    }

    /** The header line of answers that do not wait for the model; {@link #headersFor} has it too. */
    public String versionLine() {
        return versionLine;
    }

    public Metrics metrics() {
        return metrics;
    }

    /** Whether the model is loaded and requests are taken. */
    public boolean isReady() {
        return served != null && !stopping;
    }

    /**
     * Waits until the model is loaded.
     *
     * @throws HttpFault 503 if interrupted by a shutdown
     */
    public void awaitModel() {
        if (served == null) {
            try {
                loaded.await();
            } catch (InterruptedException stopped) {
                throw new HttpFault(503, "this replica is stopping; call again");
            }
        }
    }

    /** Headers of the answer to a request, asked for once the model is loaded; {@link #answered} must follow. */
    public ResponseHeaders headersFor(HttpRequest request) {
        return coldStart.headersFor(request);
    }

    /** Must be called before the answer, or the first piece of it, is sent. */
    public void answered(ResponseHeaders headers) {
        coldStart.answered(headers);
    }

    void serve(ServedModel model, Optional<StartPhases> phases) {
        start = phases;
        coldStart = new ColdStartReporter(versionLine, phases, System.nanoTime());
        served = model;
        loaded.countDown();
    }

    void stop() {
        stopping = true;
    }

    /** Null before the model is loaded. */
    ServedModel served() {
        return served;
    }

    /** Phases of the start; empty before it, and where a gateway reports them. */
    Optional<StartPhases> start() {
        return start;
    }
}
