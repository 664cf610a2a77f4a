package io.knabla.controller.local;

import io.knabla.controller.machine.MemoryLimit;
import java.time.Duration;
import java.util.OptionalLong;

/** Ends a process of this machine that uses more memory than it may. */
interface MemoryGuard extends AutoCloseable {
    /**
     * Holds the process within its limit.
     *
     * @param interval of looks, where the guard has to look
     */
    Hold hold(ProcessHandle process, MemoryLimit limit, Duration interval);

    @Override
    default void close() {}

    /** A process under guard; closing it ends the guard, not the process. */
    interface Hold extends AutoCloseable {
        Hold NONE = OptionalLong::empty;

        /** Bytes that it used when the guard ended it; empty if the guard did not. */
        OptionalLong exceeded();

        @Override
        default void close() {}
    }
}
