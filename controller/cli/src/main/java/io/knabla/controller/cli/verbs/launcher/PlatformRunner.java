package io.knabla.controller.cli.verbs.launcher;

import java.util.Map;

/**
 * Runs the platform until it is stopped, in this JVM or in a child process, and returns the exit code. It runs in this
 * JVM if that is Quarkus's.
 */
@FunctionalInterface
public interface PlatformRunner {
    /**
     * @param properties the flags that were given, as {@code knabla.…} settings
     * @return the exit code
     */
    int run(Map<String, String> properties);
}
