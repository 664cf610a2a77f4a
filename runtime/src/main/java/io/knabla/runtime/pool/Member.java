package io.knabla.runtime.pool;

import io.knabla.functions.unit.UnitAssignment;
import io.knabla.runtime.http.ConnectionPool;
import java.net.InetSocketAddress;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A process that serves one function, and its use. */
final class Member {
    private static final long USUAL_KEEP_MILLIS = 60_000;
    private static final long MEBIBYTE = 1L << 20;

    /** A JVM with the engine has this much before it has a model. */
    private static final long BASE_BYTES = 96 * MEBIBYTE;

    final String function;
    final UnitAssignment assignment;
    final MemberProcess process;
    final ConnectionPool connections;
    final String token;
    final double loadMillis;
    final AtomicInteger inFlight = new AtomicInteger();
    final AtomicLong lastUse;

    Member(
            String function,
            UnitAssignment assignment,
            MemberProcess process,
            MemberProcess.Started started,
            String token) {
        this.function = function;
        this.assignment = assignment;
        this.process = process;
        this.token = token;
        loadMillis = started.loadMillis();
        connections = new ConnectionPool(new InetSocketAddress("127.0.0.1", started.port()));
        lastUse = new AtomicLong(System.nanoTime());
    }

    boolean isAlive() {
        return process.process().isAlive();
    }

    Evictions.State state(long now, long most) {
        return new Evictions.State(
                function,
                process.bytes(),
                Math.max(BASE_BYTES, assignment.number(UnitAssignment.MEMORY_BYTES, most)),
                inFlight.get(),
                (now - lastUse.get()) / 1_000_000,
                assignment.number(UnitAssignment.IDLE_MILLIS, USUAL_KEEP_MILLIS));
    }

    void end() {
        connections.close();
        process.end();
    }
}
