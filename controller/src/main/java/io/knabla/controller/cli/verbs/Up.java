package io.knabla.controller.cli.verbs;

import java.util.Map;

/** Runs the platform until it is stopped: in the Quarkus JVM itself, or from here in another. */
@FunctionalInterface
public interface Up {
    /**
     * @param properties the flags that were given, as {@code knabla.…} settings
     * @return the exit code
     */
    int run(Map<String, String> properties);
}
