package io.knabla.controller.hostile;

import java.util.Optional;

/** Repeats {@link HostileClientsIT} on a platform that requires a token, and has little memory. */
class HostileClientsWithTokenIT extends HostileClientsIT {
    @Override
    String java() {
        return "-Xmx256m";
    }

    @Override
    Optional<String> token() {
        return Optional.of("a-long-random-text-of-this-test");
    }
}
