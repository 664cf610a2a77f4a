package io.knabla.controller.cli.verbs;

import java.util.Map;

/** Runs the platform until it is stopped: in this JVM if that is Quarkus's, else in a child process. */
@FunctionalInterface
public interface PlatformRunner {
    /**
     * @param properties the flags that were given, as {@code knabla.…} settings
     * @return the exit code
     */
    int run(Map<String, String> properties);
}
