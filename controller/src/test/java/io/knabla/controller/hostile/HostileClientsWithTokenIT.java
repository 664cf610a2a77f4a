package io.knabla.controller.hostile;

import java.util.List;
import java.util.Optional;

/** Repeats {@link HostileClientsIT} on a platform that requires a token, and has little memory and few descriptors. */
class HostileClientsWithTokenIT extends HostileClientsIT {
    @Override
    String java() {
        return "-Xmx256m";
    }

    /** By default such a limit is soft, and the JVM raises it. */
    @Override
    List<String> within() {
        return List.of("prlimit", "--nofile=1024:1024");
    }

    @Override
    Optional<String> token() {
        return Optional.of("a-long-random-text-of-this-test");
    }
}
