package io.knabla.runtime.modes;

import io.knabla.functions.unit.usage.ReplicaTotals;
import io.knabla.functions.unit.usage.ReplicaTotalsJson;
import io.knabla.runtime.protocol.JsonWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * Reports what this replica used: to its launcher as events, while it runs and after its drain; in a pod only after the
 * drain, as the pod's termination message. A killed replica loses at most the work of the last {@link #INTERVAL}.
 */
final class UsageReporter {
    /** Kubernetes creates it in every container, and keeps its content as the termination message. */
    static final Path TERMINATION_LOG = Path.of("/dev/termination-log");

    static final Duration INTERVAL = Duration.ofSeconds(4);

    private final Supplier<ReplicaTotals> usage;
    private final boolean inPod;
    private final Path terminationLog;
    private ReplicaTotals reported;
    private boolean ended;

    /** @param inPod whether events have no reader, so that they would only fill the log */
    UsageReporter(Supplier<ReplicaTotals> usage, boolean inPod, Path terminationLog) {
        this.usage = usage;
        this.inPod = inPod;
        this.terminationLog = terminationLog;
    }

    /** Returns only by the exception. */
    void reportRegularly() throws InterruptedException {
        while (true) {
            Thread.sleep(INTERVAL);
            if (!inPod) {
                reportIfChanged();
            }
        }
    }

    synchronized void reportIfChanged() {
        ReplicaTotals now = usage.get();
        if (!ended && (reported == null || !now.hasSameWork(reported))) {
            reported = now;
            Events.usage(now);
        }
    }

    /** Reports the totals for the last time; nothing is reported after them. */
    synchronized void reportLast() {
        ended = true;
        ReplicaTotals last = usage.get();
        if (!inPod) {
            Events.usage(last);
        }
        if (Files.isWritable(terminationLog)) {
            writeTerminationMessage(last);
        }
    }

    /**
     * Reports the totals for the last time in the log, also in a pod: without a termination message Kubernetes keeps
     * the end of the log, which tells why a replica failed.
     */
    synchronized void reportLastInLog() {
        ended = true;
        Events.usage(usage.get());
    }

    private void writeTerminationMessage(ReplicaTotals last) {
        var message =
                new JsonWriter(256).raw("{").raw(ReplicaTotalsJson.fields(last)).raw("}\n");
        try (OutputStream log = Files.newOutputStream(terminationLog, StandardOpenOption.WRITE)) {
            log.write(message.bytes(), 0, message.size());
        } catch (IOException lost) {
            System.err.println("cannot write the usage to " + terminationLog + ": " + lost.getMessage());
        }
    }
}
