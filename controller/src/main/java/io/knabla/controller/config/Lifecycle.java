package io.knabla.controller.config;

/** Part of the controller that {@code Startup} starts with the process and closes, in reverse order, at its end. */
public interface Lifecycle extends AutoCloseable {
    /** Called once; an exception ends the process. */
    void start();

    @Override
    default void close() {}
}
