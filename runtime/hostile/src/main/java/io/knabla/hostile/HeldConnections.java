package io.knabla.hostile;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Opens connections that never finish their request, and records how the server ends each of them. */
final class HeldConnections implements AutoCloseable {
    private static final Duration FOREVER = Duration.ZERO;

    private final Target target;
    private final Tally ends = new Tally();
    private final Queue<Wire> open = new ConcurrentLinkedQueue<>();
    private final ScheduledExecutorService drip = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().factory());

    HeldConnections(Target target) {
        this.target = target;
    }

    /** Opens connections that send {@code begun}, then nothing. */
    void hold(int count, String begun) throws IOException {
        byte[] bytes = Target.bytes(begun);
        for (int i = 0; i < count; i++) {
            watch(begin(Wire.hostile(target), bytes));
        }
    }

    /** Opens connections that send {@code begun}, then one byte each second. */
    void drip(int count, String begun) throws IOException {
        byte[] bytes = Target.bytes(begun);
        for (int i = 0; i < count; i++) {
            Wire wire = begin(Wire.hostile(target), bytes);
            watch(wire);
            drip.scheduleAtFixedRate(() -> dripOnce(wire), 1, 1, TimeUnit.SECONDS);
        }
    }

    /** Opens connections that send {@code requests} and read nothing. */
    void neverRead(int count, String requests) throws IOException {
        byte[] bytes = Target.bytes(requests);
        for (int i = 0; i < count; i++) {
            Wire wire = Wire.slowReader(target);
            open.add(wire);
            // The server stops reading when it cannot write, so this write may wait for long.
            Thread.ofVirtual().start(() -> begin(wire, bytes));
        }
    }

    private Wire begin(Wire wire, byte[] bytes) {
        try {
            wire.write(bytes);
        } catch (IOException refusedEarly) {
            // Watching it tells the status.
        }
        return wire;
    }

    private void watch(Wire wire) {
        open.add(wire);
        Thread.ofVirtual().start(() -> ends.count(end(wire)));
    }

    private static String end(Wire wire) {
        try {
            wire.patience(FOREVER);
            var answer = wire.answer();
            if (answer.isEmpty()) {
                return Tally.CLOSED;
            }
            // A refusal counts once the connection has ended too.
            while (wire.answer().isPresent()) {}
            return Integer.toString(answer.get().status());
        } catch (InterruptedIOException impossible) {
            throw new IllegalStateException(impossible);
        } catch (IOException reset) {
            return Tally.CLOSED;
        }
    }

    private static void dripOnce(Wire wire) {
        try {
            wire.write("a");
        } catch (IOException closed) {
            // Its end is counted where it is watched.
        }
    }

    /** How many the server has closed, by its last answer. */
    Tally ends() {
        return ends;
    }

    @Override
    public void close() throws IOException {
        drip.shutdownNow();
        for (Wire wire : open) {
            wire.reset();
        }
    }
}
